//! What the rounds behind a player mean for the rules H1 to H4, taken in round by round.

use std::collections::BTreeMap;

use super::Fault;
use crate::{
    Colour, ColourLaw, Entry, Number, Player, Relaxed, ResultCode, SwissSettings, swiss::Prohibited,
};

/// The rounds behind a player.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// Whom he has met, in the order of numbers.
    met: Vec<Number>,
    /// Points without virtual ones.
    pub(super) own: u32,
    /// Rounds with an opponent, forfeited ones among them.
    pub(super) games: usize,
    /// Whether H2 bars him from the bye.
    pub(super) bye_barred: bool,
    /// How often he has had the first colour and the second.
    had: [u32; 2],
    /// The last colour, and the one before it.
    last: [Option<Colour>; 2],
}

impl Past {
    /// All that a player has behind him; `pab` is what the pairing bye is worth.
    pub(super) fn of(player: &Player, pab: u32) -> Past {
        let mut past = Past::default();
        player.history.iter().for_each(|entry| past.note(entry, pab));
        past
    }

    /// One round more.
    pub(super) fn note(&mut self, entry: &Entry, pab: u32) {
        self.own += worth(entry.code, pab);
        self.games += usize::from(entry.opponent.is_some());
        self.bye_barred |=
            matches!(entry.code, ResultCode::Pab | ResultCode::ForfeitWin | ResultCode::ByeFull);
        let Some(opponent) = entry.opponent.filter(|_| was_played(entry.code)) else { return };
        if let Err(place) = self.met.binary_search(&opponent) {
            self.met.insert(place, opponent);
        }
        if let Some(colour) = entry.assigned {
            self.had[usize::from(colour == Colour::Second)] += 1;
            self.last = [Some(colour), self.last[0]];
        }
    }

    pub(super) fn has_met(&self, number: Number) -> bool {
        self.met.binary_search(&number).is_ok()
    }

    pub(super) const fn last_colour(&self) -> Option<Colour> {
        self.last[0]
    }

    /// How many more of one colour he has had than of the other.
    pub(super) fn difference(&self) -> u32 {
        self.had[0].abs_diff(self.had[1])
    }

    /// The colour that he wants, and how urgently: 0 without a wish, 1 to alternate, 2 strong, 3 absolute. Of the two grounds
    /// of an absolute need, a difference of two goes before two equal colours running; a difference of one, which is strong
    /// alone, does not (1.11, 14).
    pub(super) fn wish(&self) -> (Option<Colour>, u8) {
        let [firsts, seconds] = self.had;
        let scarcer = if firsts < seconds { Colour::First } else { Colour::Second };
        let other = |colour: Colour| if colour == Colour::First { Colour::Second } else { Colour::First };
        match self.last {
            [None, _] => (None, 0),
            _ if self.difference() >= 2 => (Some(scarcer), 3),
            [Some(last), Some(before)] if last == before => (Some(other(last)), 3),
            _ if firsts != seconds => (Some(scarcer), 2),
            [Some(last), _] => (Some(other(last)), 1),
        }
    }
}

pub(super) fn was_played(code: ResultCode) -> bool {
    !matches!(
        code,
        ResultCode::ForfeitWin
            | ResultCode::ForfeitLoss
            | ResultCode::DoubleForfeit
            | ResultCode::Pab
            | ResultCode::ByeFull
            | ResultCode::ByeHalf
            | ResultCode::ByeZero
    )
}

pub(super) fn worth(code: ResultCode, pab: u32) -> u32 {
    match code {
        ResultCode::Win | ResultCode::ForfeitWin | ResultCode::ByeFull => 2,
        ResultCode::Draw | ResultCode::ByeHalf | ResultCode::Adjourned => 1,
        ResultCode::Pab => pab,
        _ => 0,
    }
}

/// The laws about who may meet: H1, H3 and H4.
pub(super) struct Laws<'a> {
    settings: &'a SwissSettings,
    rounds: u16,
    /// Pairs that must not be, the lower number first, with the rounds from and to which that holds.
    prohibited: BTreeMap<(Number, Number), Vec<(u16, u16)>>,
}

impl<'a> Laws<'a> {
    /// Those of an event of so many rounds.
    pub(super) fn of(settings: &'a SwissSettings, named: &[Prohibited], rounds: u16) -> Laws<'a> {
        let mut prohibited: BTreeMap<(Number, Number), Vec<(u16, u16)>> = BTreeMap::new();
        for it in named {
            prohibited.entry(in_order(it.a, it.b)).or_default().push((it.from_round, it.to_round));
        }
        Laws { settings, rounds, prohibited }
    }

    /// Every law that two players break by meeting in a round.
    pub(super) fn each_broken(
        &self,
        round: u16,
        (a, one): (Number, &Past),
        (b, other): (Number, &Past),
    ) -> [Option<Fault>; 3] {
        let relaxed = self.settings.relaxed;
        let met = relaxed < Relaxed::Rematches && one.has_met(b);
        let is_last = round == self.rounds;
        let in_front = |it: &Past| it.own > u32::from(round) - 1;
        let excused = match self.settings.colours {
            ColourLaw::Open => true,
            ColourLaw::Parity => is_last,
            ColourLaw::Balance => is_last && (in_front(one) || in_front(other)),
        };
        let (wish, too) = (one.wish(), other.wish());
        let clash = relaxed < Relaxed::AbsoluteColours && wish.1 == 3 && wish == too && !excused;
        let named = self.prohibited.get(&in_order(a, b));
        let named = named.is_some_and(|spans| spans.iter().any(|(from, to)| (*from..=*to).contains(&round)));
        [
            met.then_some(Fault::Rematch(a, b)),
            clash.then_some(Fault::AbsoluteColours(a, b)),
            (named && relaxed < Relaxed::Prohibitions).then_some(Fault::Prohibited(a, b)),
        ]
    }
}

fn in_order(a: Number, b: Number) -> (Number, Number) {
    if a < b { (a, b) } else { (b, a) }
}
