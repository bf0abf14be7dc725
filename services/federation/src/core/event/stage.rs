//! How far an event is, and what must be done before it goes on.

use std::fmt;

/// How far an event is. Stages follow each other in this order; only [`Stage::Cancelled`] is reached from every other
/// before [`Stage::Final`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Its settings are being written; nobody else sees it.
    Draft,
    /// The committee has adopted the supplement to the rules (Art. 31.1); before that nothing may start.
    Adopted,
    /// Whoever may enter can enter.
    Registration,
    /// Rounds are paired and played.
    Running,
    /// All rounds are played; protests and papers are still open.
    Closing,
    /// The places stand. Only the committee can amend it, with a reason.
    Final,
    /// It was called off.
    Cancelled,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 7] = [
        Stage::Draft,
        Stage::Adopted,
        Stage::Registration,
        Stage::Running,
        Stage::Closing,
        Stage::Final,
        Stage::Cancelled,
    ];

    /// Its name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Draft => "draft",
            Stage::Adopted => "adopted",
            Stage::Registration => "registration",
            Stage::Running => "running",
            Stage::Closing => "closing",
            Stage::Final => "final",
            Stage::Cancelled => "cancelled",
        }
    }

    /// The stage after it; none after the last.
    pub const fn next(self) -> Option<Stage> {
        match self {
            Stage::Draft => Some(Stage::Adopted),
            Stage::Adopted => Some(Stage::Registration),
            Stage::Registration => Some(Stage::Running),
            Stage::Running => Some(Stage::Closing),
            Stage::Closing => Some(Stage::Final),
            Stage::Final | Stage::Cancelled => None,
        }
    }

    /// Whether nothing more happens in it, amendments by the committee aside.
    pub const fn is_over(self) -> bool {
        matches!(self, Stage::Final | Stage::Cancelled)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the chief arbiter (Art. 31) ticks off by hand. What the log shows by itself, such as that there is a chief
/// arbiter, is no item of the list but a [`Missing`] of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckItem {
    /// The supplement to the rules was drafted and laid before the committee (31.1).
    SupplementPresented,
    /// The arbiters were trained and assigned (31.2).
    ArbitersBriefed,
    /// The list of entries was checked.
    EntriesChecked,
    /// The venue was checked: servers, clocks, whatever hall there is (31.6).
    VenueChecked,
    /// Every result was compared with the games.
    ResultsChecked,
    /// The places were announced (31.9).
    PlacesAnnounced,
}

impl CheckItem {
    /// Every item.
    pub const ALL: [CheckItem; 6] = [
        CheckItem::SupplementPresented,
        CheckItem::ArbitersBriefed,
        CheckItem::EntriesChecked,
        CheckItem::VenueChecked,
        CheckItem::ResultsChecked,
        CheckItem::PlacesAnnounced,
    ];

    /// Its name, in lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            CheckItem::SupplementPresented => "supplement_presented",
            CheckItem::ArbitersBriefed => "arbiters_briefed",
            CheckItem::EntriesChecked => "entries_checked",
            CheckItem::VenueChecked => "venue_checked",
            CheckItem::ResultsChecked => "results_checked",
            CheckItem::PlacesAnnounced => "places_announced",
        }
    }

    /// The first stage in which there is something to tick off.
    pub const fn from(self) -> Stage {
        match self {
            CheckItem::SupplementPresented => Stage::Draft,
            CheckItem::ArbitersBriefed | CheckItem::EntriesChecked | CheckItem::VenueChecked => {
                Stage::Adopted
            }
            CheckItem::ResultsChecked | CheckItem::PlacesAnnounced => Stage::Closing,
        }
    }

    /// The stage that cannot be reached before it is ticked off.
    pub const fn before(self) -> Stage {
        match self {
            CheckItem::SupplementPresented => Stage::Adopted,
            CheckItem::ArbitersBriefed | CheckItem::EntriesChecked | CheckItem::VenueChecked => {
                Stage::Running
            }
            CheckItem::ResultsChecked | CheckItem::PlacesAnnounced => Stage::Final,
        }
    }
}

/// What an event lacks before it may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// An item of the list is not ticked off.
    Item(CheckItem),
    /// There is no chief arbiter.
    ChiefArbiter,
    /// Too few have entered.
    Entries,
    /// Somebody has entered and not accepted the supplement as it stands now.
    Acceptance,
    /// The seed of the draw is not committed to (Art. 31.4, 1.3).
    SeedCommitment,
    /// A round is not complete, or not all rounds were played.
    Rounds,
    /// A place is shared that is to be played for.
    PlayOff,
    /// A board that nobody has arranged waits for an arbiter.
    Unarranged,
    /// An incident is not settled.
    Incidents,
    /// The chief arbiter's report is not filed.
    Report,
    /// An arbiter is not assessed.
    Assessments,
}

impl Missing {
    /// Its name, in lower case with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Missing::Item(item) => item.name(),
            Missing::ChiefArbiter => "chief_arbiter",
            Missing::Entries => "entries",
            Missing::Acceptance => "acceptance",
            Missing::SeedCommitment => "seed_commitment",
            Missing::Rounds => "rounds",
            Missing::PlayOff => "play_off",
            Missing::Unarranged => "unarranged_boards",
            Missing::Incidents => "incidents",
            Missing::Report => "report",
            Missing::Assessments => "assessments",
        }
    }
}
