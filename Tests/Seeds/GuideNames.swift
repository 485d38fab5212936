// The one name that the article uses without saying what it is.
let refreshToken = "a token"
