// The passcode dialogue between the built daemon part, helper and prompter.
