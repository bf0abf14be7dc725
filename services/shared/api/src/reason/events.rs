//! Events of federations.

use super::reasons;

reasons! {
    /// What events refuse.
    EVENTS:
    UNKNOWN_EVENT "There is no such event, or the caller may not see it yet."
        => "Check the id; drafts are seen by their officials alone.";
    EVENT_ROLE_MISSING "Nobody with the caller's roles may do that in an event."
        => "Ask an official whom the message names.";
    EVENT_STAGE "The event is not in a stage for that."
        => "Read its stage; the checklist says what the next one takes.";
    BAD_EVENT_SETTINGS "The settings of the event make no sense."
        => "Correct the field that is named.";
    EVENT_SETTLED "What would change is settled by now."
        => "Leave the game and the format of a running event, and who plays in it, as they are.";
    EVENT_INCOMPLETE "Something is to be done before the event goes on."
        => "Do what the metadata `missing` names.";
    TOO_MANY_EVENTS "The federation has as many events under way as it may have."
        => "Finish or cancel some.";
    BAD_OFFICE "The office cannot be given or taken so."
        => "Read who has which offices.";
    TOO_MANY_OFFICIALS "The event has as many officials as it may have."
        => "Dismiss some first.";
    BAD_CAPTAIN "He cannot be the captain of the team: he has no account, has a part in another one, or would read a line-up that is sealed."
        => "Name somebody who has an account and no part in another team of the event, when no line-up of the team is sealed.";
    SEED_COMMITTED "The draws of the event are committed to already."
        => "Nothing; a commitment stands.";
    ALREADY_ENTERED "He has entered already."
        => "Read the list of entrants; the metadata `number` is his.";
    ENTRIES_CLOSED "Nobody can enter now."
        => "Ask the chief arbiter.";
    EVENT_FULL "All places are taken."
        => "Ask the chief arbiter.";
    OLD_SUPPLEMENT "The supplement is in another version by now."
        => "Read it, and accept the version that the metadata `version` names.";
    UNKNOWN_ENTRANT "Nobody has this number."
        => "Read the list of entrants.";
    BAD_ENTRY_CHANGE "It does not fit what is known of the entrant."
        => "Read his entry.";
    ROUND_INCOMPLETE "A board of the round before has no result."
        => "Enter it, or wait for its game.";
    NO_MORE_ROUNDS "No round is left to be paired."
        => "Close the event.";
    BOARD_UNDECIDED "A board must have a winner, and was drawn."
        => "Have it played again, or decide it.";
    NO_LEGAL_PAIRING "Every pairing would break a rule."
        => "Lift rules in their order; the metadata `players` has the numbers of those who block it.";
    NO_DRAFT "No such round is paired and waits to be published."
        => "Pair it.";
    PAIRING_STALE "Something has changed since the round was paired."
        => "Pair it again.";
    PAIRING_BREAKS_RULE "The change breaks a rule of pairing, which only the chief arbiter lifts."
        => "Change it otherwise, or ask him; the metadata `rules` names the rules of section 1.3.";
    BAD_PAIRING "The pairing cannot be changed so."
        => "Correct what the message names.";
    TOO_MANY_EDITS "The round that is not public yet was changed as often as it may be."
        => "Pair it again, and make fewer changes.";
    UNKNOWN_ROUND "There is no such round, or it is not public."
        => "Read which round the event is in.";
    UNKNOWN_BOARD "There is no such table in the round."
        => "Read the round.";
    BAD_ROUND "The round is not in a state for that."
        => "Read the round.";
    BOARD_PLAYING "A game is played at the board, and its result comes from there."
        => "Rule in the game, or decide the result.";
    OWN_ENTRY "Another official confirms what one has entered."
        => "Ask a colleague.";
    OWN_GAME "Nobody decides on a game of his own, or what becomes of whom he meets."
        => "Ask a colleague.";
    BAD_BOARD_RESULT "The result makes no sense there."
        => "Correct what the message names.";
    BAD_READING "There is no such reading of the rules, or no such value of it."
        => "Ask ListReadings.";
    BAD_REPORT "The report of a tournament cannot be read, or contradicts itself."
        => "Correct it; the metadata `what` names what is wrong, `line` and `column` where.";
    NOT_OF_TEAMS "Teams enter this event, and players with them; or it has no teams."
        => "Read its settings; EnterTeam enters a team, EnterEvent a player.";
    BAD_LINE_UP "The team or its line-up cannot be so."
        => "Correct what the message says; the metadata `what` names it.";
    TEAM_WITHOUT_CAPTAIN "The team has no captain, or one without an account, who could act for it."
        => "Give the team a captain who is a member with an account, and enter it then.";
    NOT_THE_CAPTAIN "Only its captain acts for a team."
        => "Ask the captain; ListEventTeams says who he is.";
    LINE_UP_CLOSED "Line-ups of the round are closed, or this one was handed in."
        => "Read the match; whoever declared nothing plays in the order of his team.";
    LINE_UP_SEALED "A line-up of the team is handed in, and its boards are not laid: nobody leaves the team."
        => "Change the players of the team once the round has begun.";
    ROSTER_FIXED "The players of a team stand in this event: its settings say nothing of changes."
        => "Nothing; players who cannot come any more are withdrawn.";
    ROSTER_CLOSED "It is too late for captains to change the players of their teams; the metadata `until_round` says before which round they could."
        => "Ask an official of the event, who does so with a reason.";
    TOO_MANY_ROSTER_CHANGES "The players of the team were changed as often as they may be."
        => "Ask an official of the event, who does so with a reason.";
    PLAYED_FOR_ANOTHER_TEAM "Somebody has played more games for another team than he may have, or has a board to finish for it; the metadata `number` or `member_id` says who."
        => "Leave him out; the settings of the event say how many games he may have played.";
    ROSTER_OF_LEAGUE "The event is of a league, and its teams change through the season."
        => "Call RegisterSquad in a transfer window of the season.";
    UNKNOWN_MATCH "There is no such match of teams, or the team is in none of the round."
        => "Read the matches of the round.";
    BAD_CHALLENGE "The challenge cannot be made."
        => "Read the ladder; the message says what is wrong.";
    TOO_MANY_CHALLENGES "Too many challenges of the ladder wait."
        => "Wait until some are answered or played.";
    SEQUENCE_MOVED "The event has gone on since."
        => "Read it again; the metadata `sequence` says where it is.";
    CORRUPT_EVENT "The log of the event cannot be believed."
        => "Tell the operator; `shoutan event verify` says where it breaks.";
    UNKNOWN_INCIDENT "There is no such incident in the event."
        => "Read the list of incidents.";
    TOO_MANY_INCIDENTS "Too many incidents wait to be ruled on."
        => "Wait until some are.";
    TOO_MANY_STATEMENTS "As many statements and notes are filed as may be."
        => "Say the rest to an official.";
    INCIDENT_OPEN "Nobody has ruled on the incident yet."
        => "Wait for the ruling.";
    INCIDENT_SETTLED "The incident is settled, or the next instance is at it."
        => "Read it; a ruling can be appealed against until its deadline.";
    NOT_A_PARTY "The incident is not about the caller."
        => "Leave the appeal to those it is about.";
    NOT_THE_INSTANCE "Another instance rules on this appeal."
        => "Ask whoever has the role in the metadata `role`, and has not ruled on it before.";
    OWN_CLUB "The incident is about somebody of the caller's club, and somebody else could rule on it."
        => "Leave it to him.";
    BAD_EVENT_RULING "The ruling cannot be."
        => "Read what the message says of it.";
    BAD_CHECK_IN "Nobody checks in for that."
        => "Check in for the next round, before it is paired.";
    GAMES_UNAVAILABLE "The games of the round cannot be asked how far they are."
        => "Try again with the same request_id.";
    BAD_POSTPONEMENT "The board is not postponed so."
        => "Have both players ask for the same time before the round begins.";
    WISHED_TOO_OFTEN "The player or the captain has asked for this as often as he may, each time otherwise."
        => "Agree first, and tell an official.";
}
