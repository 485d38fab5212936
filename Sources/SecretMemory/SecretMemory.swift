/// How much secret memory there is, for `status`.
public enum SecretMemory {}
