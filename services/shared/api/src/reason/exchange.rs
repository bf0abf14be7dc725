//! Files that come in and go out.

use super::reasons;

reasons! {
    /// What exchange refuses.
    EXCHANGE:
    UNKNOWN_FILE "There is no such file of the caller's for this federation: it was never sent, or a day has passed."
        => "Send it by PutFilePart.";
    BAD_FILE "A file is not what was said of it: its size, its hash, or that it is whole."
        => "Send all of it anew under another id, with its size and the SHA-256 of all of it.";
    BAD_FILE_OFFSET "The bytes before this offset are not there."
        => "Go on from where the metadata `received` says.";
    FILE_CHANGED "The file of which the rest is asked for is another one by now."
        => "Ask for it from its beginning on.";
    TOO_MANY_FILES "The caller, or the platform, has as many files waiting as there may be."
        => "Import those that were sent, or wait: each is forgotten after a day.";
    BAD_EVENT_FILE "A file is no event that can be taken over; the metadata `what`, `line` and `column` say why and where, if it cannot be read."
        => "Mend the file, or take the event over in another format.";
    NOT_IN_THIS_FORMAT "A format cannot have this event; the metadata `what` and `place` say why."
        => "Take another format, or give what is missing, such as names in Latin letters.";
    BAD_ENCODING "A file is not UTF-8."
        => "Save it as UTF-8, and send that.";
}
