//! Games that players arrange among themselves.

use super::reasons;

reasons! {
    /// What an event refuses of those who arrange their games.
    ARRANGING:
    GAMES_NOT_ARRANGED "The games of the event are not arranged by their players."
        => "Play when the round begins, or ask for another time of the board.";
    BOARD_NOT_OPEN "There is nothing to arrange: the board has a result or its game, or its round has not begun."
        => "Read the round.";
    NOT_AT_BOARD "The caller neither plays at the board nor leads the team of one who does."
        => "Leave it to those who do; `as_number` says for whom a proxy acts.";
    CAPTAINS_ARRANGE "The match is played at one time, on which the captains of its two teams agree."
        => "Ask the captain.";
    PROPOSAL_IN_THE_PAST "The time has passed."
        => "Propose, or accept, one that has not.";
    PROPOSAL_TOO_SOON "The time is nearer than the event allows."
        => "Propose one that is later; the settings say how far ahead.";
    PROPOSAL_OUTSIDE_WINDOW "The time is after the round is closed."
        => "Propose one before the metadata `close_time`, or both ask an arbiter for another with PostponeBoard.";
    TOO_MANY_TIMES "More times are proposed at once than the event allows."
        => "Propose no more than the metadata `times_max`.";
    ALREADY_ARRANGED "A player of the side plays at another board while the game could be under way; the metadata `number` says who, and to himself `event_id`, `round` and `table` where."
        => "Propose, or accept, another time.";
    NO_SUCH_PROPOSAL "Nobody proposes that, or not any more."
        => "Read the round, and propose a time.";
}
