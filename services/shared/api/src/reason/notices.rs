//! What is told to accounts.

use super::reasons;

reasons! {
    /// What is refused about notices.
    NOTICES:
    TOO_MANY_NOTICE_STREAMS "The account follows its notices in as many streams as it may at one server."
        => "End one of them; each of them tells the same.";
    TOO_MANY_NOTICES "More notices are named than one call takes."
        => "Name them in several calls.";
}
