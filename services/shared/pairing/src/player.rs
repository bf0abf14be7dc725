//! Who plays, since when and until when, and what came of the rounds so far.

use core::fmt;

use crate::{Colour, Reason, ResultCode};

/// The number of a player in the event, from 1. The rank inside a score group is the number (1.11, 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(pub u32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A row of what a player is to the event. Rows are only added: a return after a withdrawal is one more (1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// On the list, and not paired yet.
    Registered,
    /// Plays from this round on; late where it is not the first, back where he had left.
    Active {
        /// The first round he may be paired in.
        from_round: u16,
    },
    /// Away for one round.
    Absent {
        /// Which.
        round: u16,
    },
    /// Has asked for a bye in a round: [`ResultCode::ByeFull`], [`ResultCode::ByeHalf`] or [`ResultCode::ByeZero`].
    Bye {
        /// Which.
        round: u16,
        /// What the bye is worth.
        code: ResultCode,
    },
    /// Has left after this round.
    Withdrawn {
        /// The last round he was there for; 0 before the first.
        after_round: u16,
    },
    /// Was sent away after this round; counts as a withdrawal (1.10, 8).
    Expelled {
        /// The last round he was there for.
        after_round: u16,
    },
    /// All his results are void, in every format (1.11, 8).
    Annulled,
}

/// One round of a player's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// From 1.
    pub round: u16,
    /// None in a round without one.
    pub opponent: Option<Number>,
    /// What came of it for this player.
    pub code: ResultCode,
    /// Why.
    pub reason: Reason,
    /// The colour that the pairing gave him. History and balance read this one (1.4, Jiu).
    pub assigned: Option<Colour>,
    /// The colour he played, where a mistaken swap has stood or the game itself gives the colours.
    pub played: Option<Colour>,
}

impl Entry {
    /// A game against an opponent with the colour that was assigned.
    pub const fn game(round: u16, opponent: Number, colour: Colour, code: ResultCode) -> Entry {
        let (assigned, played) = (Some(colour), Some(colour));
        Entry { round, opponent: Some(opponent), code, reason: Reason::Normal, assigned, played }
    }

    /// A round without an opponent.
    pub const fn bye(round: u16, code: ResultCode) -> Entry {
        Entry { round, opponent: None, code, reason: Reason::NotPlayed, assigned: None, played: None }
    }

    /// The colour that counts: that of a game in which the two met.
    pub fn colour(&self) -> Option<Colour> {
        self.assigned.filter(|_| self.opponent.is_some() && self.code.is_met())
    }
}

/// A player of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// His number.
    pub number: Number,
    /// Clubs, federations, schools, as numbers of the event's own. Who shares one is kept apart in early rounds (1.3 S3).
    pub affiliations: Vec<u32>,
    /// What he is to the event, in the order in which it was written.
    pub states: Vec<Status>,
    /// A row a round, in order of rounds; a round that is missing is one he was not there for.
    pub history: Vec<Entry>,
    /// Warnings in the whole event (1.6, B).
    pub warnings: u32,
    /// Points with which he begins a MacMahon event, see [`crate::macmahon`]; 0 in every other.
    pub start: u32,
    /// Rating before the event, for performances.
    pub rating: Option<i32>,
}

impl Player {
    /// A player who is there from the first round on.
    pub fn new(number: u32) -> Player {
        let states = vec![Status::Active { from_round: 1 }];
        Player {
            number: Number(number),
            affiliations: Vec::new(),
            states,
            history: Vec::new(),
            warnings: 0,
            start: 0,
            rating: None,
        }
    }

    /// Whether he may be paired in a round, by his rows alone (1.3 H5).
    ///
    /// ```
    /// use pairing::{Player, Status};
    /// let mut player = Player::new(7);
    /// player.states.push(Status::Withdrawn { after_round: 2 });
    /// player.states.push(Status::Active { from_round: 5 });
    /// assert_eq!([2, 3, 5].map(|round| player.plays_in(round)), [true, false, true]);
    /// ```
    pub fn plays_in(&self, round: u16) -> bool {
        let mut plays = false;
        for state in &self.states {
            match *state {
                Status::Active { from_round } if round >= from_round => plays = true,
                Status::Withdrawn { after_round } | Status::Expelled { after_round }
                    if round > after_round =>
                {
                    plays = false;
                }
                Status::Annulled => return false,
                _ => {}
            }
        }
        plays && !self.is_away(round)
    }

    fn is_away(&self, round: u16) -> bool {
        self.states.iter().any(|state| match *state {
            Status::Absent { round: away } | Status::Bye { round: away, .. } => away == round,
            _ => false,
        })
    }

    /// The bye he has asked for in a round.
    pub fn asked_bye(&self, round: u16) -> Option<ResultCode> {
        self.states.iter().find_map(|state| match *state {
            Status::Bye { round: asked, code } if asked == round => Some(code),
            _ => None,
        })
    }

    /// The round after which he has left for good: withdrawn or expelled, and not back again.
    pub fn left_after(&self) -> Option<u16> {
        let mut left = None;
        for state in &self.states {
            match *state {
                Status::Withdrawn { after_round } | Status::Expelled { after_round } => {
                    left = Some(after_round);
                }
                Status::Active { .. } => left = None,
                _ => {}
            }
        }
        left
    }

    /// Whether all his results are void by decision.
    pub fn is_annulled(&self) -> bool {
        self.states.contains(&Status::Annulled)
    }

    /// What happened in a round.
    pub fn entry(&self, round: u16) -> Option<&Entry> {
        self.history.iter().find(|entry| entry.round == round)
    }

    /// Points so far; `pab` is what the event gives for the pairing bye.
    pub fn points(&self, pab: u32) -> u32 {
        self.history.iter().map(|entry| entry.code.points(pab)).sum()
    }
}
