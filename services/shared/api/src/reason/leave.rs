//! Leave that players and teams take.

use super::reasons;

reasons! {
    /// What an event refuses of those who take leave.
    LEAVE:
    NO_LEAVE "The event has no leave for players, or none for teams."
        => "Ask the chief arbiter, who may grant it where the event has any.";
    LEAVE_IN_THE_PAST "The leave would begin, or be over, in the past."
        => "Take leave that lies ahead.";
    LEAVE_TOO_LATE "The leave is announced later than the event allows."
        => "Begin it later, by the metadata `notice_seconds`, or ask the chief arbiter to grant it.";
    LEAVE_TOO_FAR "The leave would begin more than a year ahead."
        => "Take it later.";
    BAD_LEAVE_LENGTH "The leave is shorter or longer than the event allows."
        => "Read the settings of the event.";
    LEAVE_BUDGET_SPENT "There is less leave left than that."
        => "Take no more than the metadata `left_seconds`, end other leave early, or ask the chief arbiter.";
    LEAVE_TAKEN_TOO_OFTEN "Leave was taken as often as the event allows."
        => "Take leave back that has not begun, or ask the chief arbiter.";
    LEAVE_OVERLAPS "There is leave of the same player or team within that time."
        => "End the metadata `leave` first, or take what it leaves out.";
    LEAVE_OVER_AGREED_TIME "A board is to begin within that time, as its players have agreed."
        => "Agree on another time for the board of the metadata `round` and `table` first, or ask the chief arbiter.";
    PROPOSAL_ON_LEAVE "One of the two sides is on leave at that time."
        => "Propose, or accept, a time before it or from the metadata `until_time` on.";
    UNKNOWN_LEAVE "The event has no leave of this number."
        => "List the leave of the event.";
    LEAVE_IS_OVER "The leave is over, or was taken back."
        => "Nothing is to be done.";
    NOT_YOUR_LEAVE "The leave is another player's, or a team's that the caller does not lead."
        => "Leave it to him, or as chief arbiter give a reason.";
}
