//! Clocks, tickets and ratings.

use super::reasons;

reasons! {
    /// What the clocks refuse.
    CLOCKS:
    BAD_TIME_CONTROL "The time control is none, or outside the limits."
        => "Correct the field that is named.";
    UNKNOWN_CLOCK "No clock of this game runs or is held."
        => "Ask the game how it stands.";
    BAD_CLOCK_STEP "The reading and the step do not fit each other."
        => "Read the clock again; only services step clocks.";
    BAD_FLAG "A flag is reported incompletely."
        => "Send every field; only services report flags.";
    NOTHING_CALLED "Nothing has been called in this turn."
        => "Wait for a call of byo-yomi before asking for it again.";
}

reasons! {
    /// What matchmaking refuses.
    MATCHMAKING:
    GUEST_NOT_RATED "Rated games need a full account."
        => "Make the guest a full account, or ask for a casual game.";
    QUEUE_PAUSED "The account has spoiled a game, and does not queue for a while."
        => "Wait until the time that the metadata `until` names; ListPauses says what happened.";
    NOT_RATEABLE "Such a game is not rated: of the board, the options or the time."
        => "Ask for a casual game, or for what the message names.";
    TICKET_OPEN "Another ticket of this player waits."
        => "Cancel it, or go on with it; the metadata `ticket_id` names it.";
    TICKET_DIFFERS "The ticket id was used for another search."
        => "Make a new id for a new search.";
    UNKNOWN_TICKET "The player has no such ticket."
        => "Enqueue anew.";
    TICKET_MATCHED "The ticket has found an opponent."
        => "Play the game, which ListGames names.";
    CHALLENGE_MALFORMED "The kind, message, expiry, uses or secret of a challenge cannot be meant."
        => "Send what the message asks for.";
    UNKNOWN_CHALLENGE "There is no such challenge that the caller may see."
        => "Ask who made it for its link.";
    CHALLENGE_DIFFERS "The challenge id was used for another challenge."
        => "Make a new id for a new challenge.";
    CHALLENGE_OVER "The challenge was accepted, declined or taken back, or has expired."
        => "Make a new one; the metadata `state` says what has become of this.";
    CHALLENGE_REFUSED "One of the two has blocked the other."
        => "Play somebody else.";
    CHALLENGES_OPEN "The account has as many open challenges as it may, or one to the same account."
        => "Take one back, or wait until it is answered.";
    TOO_FAR_APART "The ratings of the two are farther apart than who made the challenge accepts."
        => "Accept another, or make one of your own.";
    BAD_START_TIME "The start of an arranged game is past, sooner than in a minute, or later than in 30 days."
        => "Name a time in that range.";
    TOO_MANY_ARRANGED "One of the two has as many arranged games before him as he may."
        => "Call one off, or wait until some have begun.";
    ARRANGEMENT_OVER "The arranged game has begun, or was called off."
        => "The metadata `state` says what has become of it.";
    GAME_NEAR "A game that the player has arranged, or plays in an event, begins in ten minutes, or before the game of this ticket could end."
        => "Wait for that game, or look for a shorter one; the metadata says which and when.";
    MAINTENANCE_NEAR "The platform is worked on, or will be in ten minutes or before what is to begin could end."
        => "Come back after it, or look for a shorter game; the metadata `begin_time` and `end_time` say when.";
    BOTS_NOT_WANTED "The challenge is for people, and who accepts it is a bot."
        => "Accept one that allows bots.";
    OWN_ACCOUNT "Somebody named his own account where another is meant."
        => "Name another account.";
    TOO_MANY_BLOCKED "The account has blocked as many others as it may."
        => "Unblock some that you do not meet any more.";
    NOT_OFFERED "No game is offered to this ticket, or it is too late to answer."
        => "Look at the ticket's stream: it says what the ticket is now.";
    POOL_FULL "Too many wait for the same game."
        => "Try again later.";
    BAD_SETTINGS "A ticket names more than 16 games, or the same one twice."
        => "Name 16 different games at most, what you would rather play first.";
    BAD_WINDOW "The greatest difference of ratings cannot be meant."
        => "Send one within the limits that the protos name.";
}

reasons! {
    /// What the ratings refuse.
    RATINGS:
    BAD_RESULT "A result is incomplete or contradicts the one that was reported."
        => "Report each result once; only services report results.";
    BAD_RATING_KEYS "More ratings are asked for at once than are told."
        => "Ask for 256 at a time; only services ask so.";
    BAD_PERIOD "A time ends before it begins, or is not one."
        => "Send an end that is after the start.";
    UNKNOWN_REPORT "There is no such report that the caller may see."
        => "List the reports again.";
    REPORT_SETTLED "The report was decided about, and otherwise."
        => "Read what was decided; a decision is not changed.";
    NO_SUCH_PERIOD "No leaderboard was kept of this month."
        => "ListPeriods says of which there is one; a month is kept a day after its end.";
}
