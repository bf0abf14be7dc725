//! Leagues of federations.

use super::reasons;

reasons! {
    /// Reasons of leagues and their seasons.
    LEAGUES:
    UNKNOWN_LEAGUE "There is no such league, or its rules have no such version."
        => "List the leagues of the federation.";
    UNKNOWN_SEASON "There is no such season."
        => "List the seasons of the league.";
    UNKNOWN_SQUAD "The team or player is in no division of the season."
        => "Have an administrator or the committee place it in one.";
    BAD_LEAGUE_RULES "The rules of a league cannot be like this; the field says which of them."
        => "Change them as the message says.";
    BAD_SEASON "A season cannot be like this, or has no such division."
        => "Change it as the message says.";
    SEASON_STATE "The season is not in a state for this; the metadata `state` says in which it is."
        => "Read the season, and do what comes next in it.";
    DIVISION_TOO_SMALL "Too few squads are registered in a division; the metadata `division` says which."
        => "Have more squads register, or place others in the division.";
    DIVISION_FULL "As many are placed in the division as its rules allow."
        => "Place it in another division, or take somebody out first.";
    BAD_SQUAD "A squad cannot be like this."
        => "Name members of the team, each once, as many as the rules allow, players before reserves.";
    MEMBER_NOT_ELIGIBLE "A member may not play in this season; the metadata `member_id` says who."
        => "Leave him out, or ask the committee for its rules.";
    MEMBER_IN_TWO_SQUADS "A member is in another squad of the season; the metadata names him and both squads."
        => "Have him in one of the two.";
    SQUADS_CLOSED "Squads do not change today."
        => "Wait for the next window of the season.";
    TRANSFER_WINDOW_CLOSED "Squads of a season that runs change in its transfer windows, or by an official with a reason; the metadata `open_time` says when the next one opens, if there is one."
        => "Wait for it, or ask the committee.";
    LEAGUE_WITHOUT_CHIEF "The rules of the league name no chief arbiter, without whom no event begins."
        => "Name one among the officials of the league before registration is opened.";
    SEASON_UNFINISHED "An event of the season is not final; the metadata `event_id` says which."
        => "Take the event to its end first.";
}
