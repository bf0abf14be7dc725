//! Accounts, sessions, tokens and roles.

use super::reasons;

reasons! {
    /// What identity refuses.
    ACCOUNTS:
    BAD_NAME "Nobody can have this name."
        => "Choose another one; the message says what is wrong with it.";
    NAME_TAKEN "Somebody else has the name, or one that looks the same."
        => "Choose another name.";
    BAD_PASSWORD "Nobody can have this password."
        => "Choose another one; the message says what is wrong with it.";
    COMMON_PASSWORD "The password is one of those that a guesser tries first."
        => "Choose another one: longer, or of words that do not belong together.";
    NOT_A_GUEST "Only a guest's account can be made a full one, and this is full already."
        => "Sign in with its name and password.";
    GUEST "A guest's account cannot have this."
        => "Make it a full account first.";
    BAD_CREDENTIALS "The name or the password is wrong."
        => "Try again, not too often.";
    TOO_MANY_ATTEMPTS "Too many attempts from this address or for this account."
        => "Wait as long as RetryInfo says.";
    BAD_REFRESH_TOKEN "The refresh token is of no session."
        => "Sign in again.";
    REFRESH_TOKEN_REUSED "The refresh token was used before, so the session is ended."
        => "Sign in again; if it was not you, change the password.";
    BAD_ACCESS_TOKEN "The secret is that of no valid personal access token."
        => "Create a new one.";
    UNKNOWN_TOKEN "The account has no such personal access token."
        => "Take one that ListAccessTokens names.";
    TOO_MANY_TOKENS "The account has as many personal access tokens as it may."
        => "Revoke one first.";
    BAD_LABEL "A personal access token cannot have this label."
        => "Send 1 to 64 printable characters.";
    BAD_SCOPE "A personal access token cannot have these scopes."
        => "Name scopes that the caller has, at least one.";
    BAD_LIFETIME "A personal access token cannot live that long, or that short."
        => "Send a duration within the limits that the protos name.";
    UNKNOWN_ACCOUNT "There is no such account."
        => "Look the account up by its name.";
    TOO_MANY_IDS "More accounts are asked for than can be looked up at once."
        => "Ask in several calls.";
    BAD_ROLE "The role is none of the roles."
        => "Name one of the roles of the protos.";
    ROLES_FULL "The account has as many roles as it may."
        => "Revoke those of past events.";
    TOO_MANY_KEYS "There are as many signing keys as there may be."
        => "Wait until the oldest is forgotten.";
}
