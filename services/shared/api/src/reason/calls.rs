//! What is wrong with a call in itself, with its caller, or with the platform.

use super::reasons;

reasons! {
    /// The call itself is at fault, whatever the state of things.
    CALL:
    BAD_MESSAGE "The bytes of the request are no message of this method."
        => "Encode the message by the protos of this version.";
    MESSAGE_TOO_LARGE "The message is larger than the server takes."
        => "Send less at once; the limit stands in the table of limits.";
    UNKNOWN_METHOD "There is no such service or method."
        => "Compare the name with the protos; reflection lists what is served.";
    BAD_ID "An id is missing, is not a UUID, or stands where none may stand."
        => "Send the id as the server gave it.";
    BAD_PAGE_TOKEN "The page token is not one of this list with these filters."
        => "Send the token of the page before with the same filters, or begin without a token.";
    UNKNOWN_VARIANT "There is no such variant."
        => "Take one that ListVariants names.";
    UNKNOWN_VALUE "A field has a value that its enum does not have."
        => "Send one of the values that the protos list, or leave the field out.";
    BAD_BATCH "A call has more entries than it may."
        => "Send fewer at once.";
    REQUEST_ID_REUSED "The request id was used for something else."
        => "Make a new id for each request and keep it for its repetitions only.";
}

reasons! {
    /// The caller may not do that, or not now.
    ACCESS:
    TOKEN_MISSING "The call needs an access token and has none."
        => "Sign in, and send the token as a bearer in the metadata `authorization`.";
    TOKEN_INVALID "The access token is not valid, or its account is gone."
        => "Sign in again.";
    TOKEN_EXPIRED "The access token has expired."
        => "Refresh the session and repeat the call.";
    SCOPE_MISSING "The token lacks the scope that the call needs."
        => "Use a token with the scope that the metadata `scope` names, or one from signing in.";
    SERVICES_ONLY "Only the platform's own services may call this."
        => "Use the public services.";
    NOT_MODERATOR "Only moderators of the platform may call this."
        => "Have the platform's operator make you one; your next token has it.";
    TOO_MANY_CALLS "The account or the address calls too often."
        => "Wait as long as RetryInfo says, and make fewer calls.";
    TOO_MANY_OPEN "The account or the address has too many calls and streams open at once."
        => "End some; with an account, or another one, there may be more.";
    TOO_MANY_STREAMS "The account has as many streams of this method as it may at one server."
        => "End one of them; each of them tells the same.";
}

reasons! {
    /// The platform cannot answer.
    PLATFORM:
    INTERNAL "Something went wrong that the caller cannot help."
        => "Report it with the time of the call; a repetition may fail in the same way.";
    STARTING "The server is not ready yet."
        => "Repeat the call.";
    STOPPING "The server is about to stop."
        => "Repeat the call, or open the stream anew; another server answers.";
    OVERLOADED "The server has more to do than it can."
        => "Repeat the call later, as RetryInfo says.";
    TIMED_OUT "The server did not answer in time, or the caller gave up."
        => "Repeat the call; with the same request id nothing is done twice.";
    BUSY "Too many ask at once for what is dear to answer, such as long games."
        => "Repeat the call.";
    READER_STALLED "A stream was ended because nothing was read of it for a minute."
        => "Go on after the sequence number in the metadata.";
    CONTENDED "Too many change the same thing at once."
        => "Repeat the call.";
    UNREACHABLE "No gateway is up, so that players cannot act; the clocks stand still."
        => "Repeat the call; no time is charged meanwhile.";
    SERVICE_UNREACHABLE "The gateway does not reach the service."
        => "Repeat the call.";
    DATABASE_UNAVAILABLE "The database does not answer."
        => "Repeat the call; what was acknowledged is kept.";
    LOG_UNAVAILABLE "The log of the game cannot be written now."
        => "Repeat the call with the same request id.";
    KEYS_UNAVAILABLE "The access token cannot be verified now: its key is not known, and identity does not answer."
        => "Repeat the call with the same token.";
    LIVE_STATE_UNAVAILABLE "The live state (Redis) does not answer, or takes nothing."
        => "Repeat the call.";
    CLOCK_UNAVAILABLE "The clocks do not answer."
        => "Repeat the call with the same request id.";
    RATING_UNAVAILABLE "The ratings do not answer."
        => "Repeat the call.";
    FEDERATION_UNAVAILABLE "The federations do not answer."
        => "Repeat the call.";
    INCOMPLETE_ANSWER "The answer of the server lacks a part; the client kit says so, no server."
        => "Bring client and server to the same version.";
}
