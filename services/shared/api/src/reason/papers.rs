//! Papers of events, and notice boards.

use super::reasons;

reasons! {
    /// What notice boards refuse.
    PAPERS:
    UNKNOWN_DOCUMENT "There is no such paper, or the caller may not see its event yet."
        => "Check the id; ListDocuments has those of a board.";
    BAD_DOCUMENT "There is no such paper: of this kind, of this event, or in these languages."
        => "Correct the field that is named.";
    DOCUMENT_TOO_LARGE "The paper would be larger than one may be."
        => "Ask for fewer languages, or for another paper of the event.";
    UNKNOWN_CALENDAR "The caller has no such calendar."
        => "ListCalendarFeeds has his calendars.";
    BAD_CALENDAR "There is no such calendar: its language is no tag."
        => "Name a language by its tag, such as zh, bo or mn-Mong.";
    BAD_WORDS "A word is none of the platform's, is there twice, has other places than the platform's own, or its text or its language is none; or there are too many."
        => "Correct the word that is named; ListWords has every key with its places.";
}
