//! The players of a round as pairing sees them.

use std::collections::BTreeMap;

use super::{
    Input, Prohibited,
    need::{ColourHistory, Strength},
};
use crate::{
    Acceleration, Colour, ColourLaw, DRAW_POINTS, FirstRound, Number, Player, ResultCode, Status,
    SwissSettings, WIN_POINTS, lots,
};

/// The direction in which a player left his score group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Float {
    Up,
    Down,
}

/// A player who is to be paired.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) number: Number,
    /// Points by which he is paired: adjourned games as draws, virtual points in.
    pub(super) points: u32,
    /// More than half of what could be had in the rounds before.
    pub(super) above_half: bool,
    /// Games so far, forfeits included (1.11, 12).
    pub(super) games: u32,
    pub(super) bars_bye: bool,
    pub(super) affiliations: Vec<u32>,
    /// Whom he has met and when, in the order of numbers.
    pub(super) met: Vec<(Number, u16)>,
    pub(super) colours: ColourHistory,
    pub(super) need: Option<(Strength, Colour)>,
    /// His float in the last round and in that before.
    pub(super) floats: [Option<Float>; 2],
}

/// The players of a round in order of rank, and what holds in it.
pub(super) struct Field<'a> {
    pub(super) input: &'a Input,
    /// By points from the top; inside a score group by number, in a drawn first round by lot.
    pub(super) candidates: Vec<Candidate>,
    /// Prohibitions of this round, the lower number first, in order.
    pub(super) prohibited: Vec<(Number, Number)>,
}

impl<'a> Field<'a> {
    pub(super) fn of(input: &'a Input) -> Field<'a> {
        let scores = Scores::of(input);
        let playing = input.players.iter().filter(|player| player.plays_in(input.round));
        let mut candidates: Vec<Candidate> =
            playing.map(|player| candidate(input, &scores, player)).collect();
        if input.round == 1 && input.settings.first_round == FirstRound::Draw {
            lots::shuffle(&input.seed, &mut candidates);
        }
        // A stable sort: in a score group the order stays.
        candidates.sort_by_key(|candidate| core::cmp::Reverse(candidate.points));
        let holds = |it: &&Prohibited| (it.from_round..=it.to_round).contains(&input.round);
        let mut prohibited: Vec<(Number, Number)> =
            input.prohibited.iter().filter(holds).map(|it| (it.a.min(it.b), it.a.max(it.b))).collect();
        prohibited.sort_unstable();
        Field { input, candidates, prohibited }
    }

    pub(super) fn settings(&self) -> &SwissSettings {
        &self.input.settings
    }

    pub(super) fn is_last_round(&self) -> bool {
        self.input.round == self.input.rounds
    }

    /// The way in which round 1 is made, in round 1.
    pub(super) fn first_round(&self) -> Option<FirstRound> {
        (self.input.round == 1).then_some(self.input.settings.first_round)
    }

    /// Whether colours are known when the round is paired.
    pub(super) fn has_colours(&self) -> bool {
        self.settings().colours != ColourLaw::Open
    }
}

/// Scores before each round, which tell who floated.
struct Scores<'a> {
    input: &'a Input,
    /// The last number of the accelerated group, and whether there is one.
    accelerated: Option<Number>,
    players: BTreeMap<Number, &'a Player>,
}

impl<'a> Scores<'a> {
    fn of(input: &'a Input) -> Scores<'a> {
        let players = input.players.iter().map(|player| (player.number, player)).collect();
        Scores { input, accelerated: accelerated(input), players }
    }

    /// Points before a round, with those he began with and the virtual ones of that round.
    fn before(&self, player: &Player, round: u16) -> u32 {
        let pab = self.input.settings.pab_points;
        let earlier = player.history.iter().filter(|entry| entry.round < round);
        let made: u32 = earlier.map(|entry| entry.code.pairing_points(pab)).sum();
        player.start + made + self.virtual_points(player, round)
    }

    fn virtual_points(&self, player: &Player, round: u16) -> u32 {
        if self.accelerated.is_none_or(|last| player.number > last) || is_late(player) {
            return 0;
        }
        let spans = accelerated_rounds(self.input.rounds);
        spans.into_iter().find(|(from, to, _)| (from..=to).contains(&&round)).map_or(0, |(.., points)| points)
    }

    fn float(&self, player: &Player, round: u16) -> Option<Float> {
        let entry = player.entry(round)?;
        match entry.code {
            ResultCode::Pab | ResultCode::ForfeitWin | ResultCode::ByeFull => Some(Float::Down),
            ResultCode::ByeHalf => self.input.settings.half_bye_is_downfloat.then_some(Float::Down),
            code if code.is_met() => {
                let opponent = self.players.get(&entry.opponent?)?;
                match self.before(player, round).cmp(&self.before(opponent, round)) {
                    core::cmp::Ordering::Greater => Some(Float::Down),
                    core::cmp::Ordering::Less => Some(Float::Up),
                    core::cmp::Ordering::Equal => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether he came after the first round.
fn is_late(player: &Player) -> bool {
    !player.states.iter().any(|state| matches!(state, Status::Active { from_round: 0 | 1 }))
}

/// The rounds, from and to, in which the accelerated group has virtual points, and how many. The second may be none: its
/// first round is then behind its last.
pub(crate) fn accelerated_rounds(rounds: u16) -> [(u16, u16, u32); 2] {
    let all = rounds.div_ceil(2);
    let full = all.div_ceil(2);
    [(1, full, WIN_POINTS), (full + 1, all, DRAW_POINTS)]
}

/// Whether a player belongs to the accelerated group.
pub(crate) fn is_accelerated(input: &Input) -> impl Fn(&Player) -> bool + use<> {
    let last = accelerated(input);
    move |player| last.is_some_and(|last| player.number <= last) && !is_late(player)
}

/// The last number of the accelerated group: twice a quarter of those who began, rounded up.
fn accelerated(input: &Input) -> Option<Number> {
    if input.settings.acceleration == Acceleration::None {
        return None;
    }
    let began: Vec<Number> =
        input.players.iter().filter(|player| !is_late(player)).map(|player| player.number).collect();
    began.get((2 * began.len().div_ceil(4)).min(began.len()).checked_sub(1)?).copied()
}

fn candidate(input: &Input, scores: &Scores<'_>, player: &Player) -> Candidate {
    let pab = input.settings.pab_points;
    let own: u32 = player.history.iter().map(|entry| entry.code.pairing_points(pab)).sum();
    let met = player.history.iter().filter(|entry| entry.code.is_met());
    let mut met: Vec<(Number, u16)> = met.filter_map(|entry| Some((entry.opponent?, entry.round))).collect();
    met.sort_unstable();
    let colours = ColourHistory::of(&player.history);
    let float = |back: u16| input.round.checked_sub(back).and_then(|round| scores.float(player, round));
    Candidate {
        number: player.number,
        points: scores.before(player, input.round),
        above_half: own > u32::from(input.round - 1),
        games: crate::count(player.history.iter().filter(|entry| entry.opponent.is_some()).count()),
        bars_bye: player.history.iter().any(|entry| entry.code.bars_bye()),
        affiliations: player.affiliations.clone(),
        met,
        need: colours.need(),
        colours,
        floats: [float(1), float(2)],
    }
}
