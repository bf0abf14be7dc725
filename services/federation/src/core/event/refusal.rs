//! Why something is not done.

use pairing::{Number, check::Fault, lineup::LineupError};

use super::{
    Missing, Role, Stage, arranging::Unarrangeable, leave::Leaveless, plan::Unpaired, role::NotAllowed,
    settings::BadSettings, team::BadRoster,
};

/// Why something is not done. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Who asks may not, or not now.
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] BadSettings),
    /// What cannot change any more would change.
    #[error("{0} cannot change any more in the stage {1}")]
    Settled(&'static str, Stage),
    /// What was adopted is not changed without a word.
    #[error("what was adopted is changed with a reason")]
    NoReason,
    /// Something is to be done first.
    #[error("this is missing: {}", names(.0))]
    Incomplete(Vec<Missing>),
    /// Who enters has entered.
    #[error("has entered already, with the number {0}")]
    Entered(Number),
    /// Nobody can enter now.
    #[error("entries are closed")]
    EntriesClosed,
    /// As many have entered as can.
    #[error("all places are taken")]
    Full,
    /// He accepts a version of the supplement that does not hold now.
    #[error("the supplement is in version {0} now")]
    OldSupplement(u32),
    /// Nobody has this number.
    #[error("nobody has the number {0}")]
    UnknownNumber(Number),
    /// A row that does not fit what was written before.
    #[error("{0}")]
    Status(&'static str),
    /// The seed was committed to.
    #[error("the seed of the draws is committed to already")]
    SeedCommitted,
    /// The round cannot be paired.
    #[error(transparent)]
    Unpaired(#[from] Unpaired),
    /// What was paired does not hold any more: something that it follows from has changed since.
    #[error("something has changed since the round was paired; pair it again")]
    Stale,
    /// A changed pairing that cannot be.
    #[error("{0}")]
    Pairing(String),
    /// A changed pairing that breaks rules, by who may not lift them.
    #[error("only the chief arbiter lifts rules of pairing (1.3): {}", faults(.0))]
    Rules(Vec<Fault>),
    /// The draft was changed too often.
    #[error("the round was changed {0} times, as often as it may be; pair it again")]
    TooManyEdits(usize),
    /// There is no such round, or no such table in it.
    #[error("there is no such board")]
    UnknownBoard,
    /// The round has begun already, or has not.
    #[error("{0}")]
    Round(&'static str),
    /// A game is played at the board, and its result comes from there.
    #[error("a game is played at this board; its result comes from there")]
    Playing,
    /// Who entered a result does not confirm it, too.
    #[error("another official confirms what one has entered")]
    OwnEntry,
    /// Nobody decides on his own game.
    #[error("nobody decides on a game of his own")]
    OwnGame,
    /// A result that makes no sense.
    #[error("{0}")]
    Result(&'static str),
    /// Too many challenges wait.
    #[error("too many challenges wait for their answers or their round")]
    TooManyChallenges,
    /// There is no such incident.
    #[error("there is no such incident")]
    UnknownIncident,
    /// Too many incidents wait to be ruled on.
    #[error("too many incidents wait to be ruled on")]
    TooManyIncidents,
    /// Too many statements were made.
    #[error("as many statements and notes are filed as may be")]
    TooManyStatements,
    /// Nobody has ruled on the incident yet.
    #[error("nobody has ruled on it yet")]
    IncidentOpen,
    /// The incident is settled, or the next instance is at it.
    #[error("it is settled, or the next instance is at it")]
    IncidentSettled,
    /// Who appeals is none of those whom the incident is about.
    #[error("he is none of those it is about")]
    NotAParty,
    /// It is for another instance to rule.
    #[error("it is for {0} to rule, and for nobody who has ruled on it before")]
    NotTheInstance(Role),
    /// Who rules is of the club of somebody whom it is about, and somebody else could rule in his place.
    #[error("nobody rules on a case of his own club where somebody else could")]
    OwnClub,
    /// A ruling that cannot be.
    #[error("{0}")]
    Ruling(&'static str),
    /// A check-in that cannot be.
    #[error("{0}")]
    CheckIn(&'static str),
    /// A board that cannot be postponed so.
    #[error("{0}")]
    Postponement(&'static str),
    /// Somebody asks for the same again and again, each time otherwise.
    #[error("this was asked for {0} times, as often as it may be")]
    AskedTooOften(u32),
    /// The event has too many officials.
    #[error("the event has {0} officials, as many as it may have")]
    TooManyOfficials(usize),
    /// An office that cannot be given or taken so.
    #[error("{0}")]
    Office(&'static str),
    /// Players would enter an event of teams, or teams one of players.
    #[error("this is for events of teams, and players enter those with their teams")]
    OfTeams,
    /// A team or a line-up that cannot be.
    #[error(transparent)]
    LineUp(#[from] LineupError),
    /// Somebody acts for a team who is not its captain.
    #[error("only its captain acts for a team")]
    NotCaptain,
    /// A team has nobody who could act for it.
    #[error("the team's captain has no account in the federation: give it a captain who has one")]
    NobodyLeads,
    /// Somebody who cannot be captain of a team.
    #[error("{0}")]
    Captain(&'static str),
    /// The time for line-ups is over.
    #[error("line-ups of this round are closed")]
    LineUpClosed,
    /// The players of a team do not change so.
    #[error(transparent)]
    Roster(#[from] BadRoster),
    /// There is no such match, or the team is in none.
    #[error("there is no such match")]
    UnknownMatch,
    /// What was held elsewhere cannot be taken over.
    #[error("{0}")]
    Held(String),
    /// A challenge that cannot be.
    #[error("{0}")]
    Challenge(String),
    /// A board that is not arranged so.
    #[error(transparent)]
    Arranging(#[from] Unarrangeable),
    /// Leave that is not taken or ended so.
    #[error(transparent)]
    Leave(#[from] Leaveless),
}

/// Faults of so many are named at most.
const FAULTS_MAX: usize = 20;

fn faults(faults: &[Fault]) -> String {
    let named = faults.iter().take(FAULTS_MAX).map(|it| format!("{it} ({})", it.rule().unwrap_or("1.3")));
    named.collect::<Vec<_>>().join("; ")
}

/// As people tick them off; scripts have the names in the metadata.
fn names(missing: &[Missing]) -> String {
    missing.iter().map(|it| it.name().replace('_', "-")).collect::<Vec<_>>().join(", ")
}
