//! What the histories say, read once more.

use std::collections::BTreeMap;

use super::{
    Fault,
    past::{Laws, Past, was_played, worth},
};
use crate::{Acceleration, Colour, Number, Player, ResultCode, Status, swiss::Input};

/// What is known of a player who is there.
pub(super) struct Known<'a> {
    pub(super) player: &'a Player,
    /// Points with the virtual ones of the round.
    pub(super) score: u32,
    /// The rounds behind him.
    pub(super) past: Past,
    pub(super) wants: Option<Colour>,
    /// 0 without a wish, 1 to alternate, 2 strong, 3 absolute.
    pub(super) urgency: u8,
    /// Floats of the last round and of that before: 1 up, -1 down, 0 none.
    pub(super) floated: [i8; 2],
}

/// Everybody who is there, and the input they come from.
pub(super) struct Facts<'a> {
    pub(super) input: &'a Input,
    pub(super) known: BTreeMap<Number, Known<'a>>,
    laws: Laws<'a>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(input: &'a Input) -> Facts<'a> {
        let everybody = input.players.iter().map(|player| (player.number, player)).collect();
        let there = input.players.iter().filter(|player| is_there(player, input.round));
        let known = there.map(|player| (player.number, known(input, &everybody, player))).collect();
        let laws = Laws::of(&input.settings, &input.prohibited, input.rounds);
        Facts { input, known, laws }
    }

    /// The first rule that two players break by meeting.
    pub(super) fn broken(&self, one: &Known<'_>, other: &Known<'_>) -> Option<Fault> {
        self.each_broken(one, other).into_iter().flatten().next()
    }

    /// Every rule that two players break by meeting: H1, H3 and H4.
    pub(super) fn each_broken(&self, one: &Known<'_>, other: &Known<'_>) -> [Option<Fault>; 3] {
        let (a, b) = ((one.player.number, &one.past), (other.player.number, &other.past));
        self.laws.each_broken(self.input.round, a, b)
    }
}

/// The last row about staying or going that has begun decides; being away and asked byes are for one round.
fn is_there(player: &Player, round: u16) -> bool {
    let away = player.states.iter().any(|it| {
        matches!(it, Status::Absent { round: r } | Status::Bye { round: r, .. } if *r == round)
            || *it == Status::Annulled
    });
    let standing = player.states.iter().rev().find_map(|it| match it {
        Status::Active { from_round } => (*from_round <= round).then_some(true),
        Status::Withdrawn { after_round } | Status::Expelled { after_round } => {
            (*after_round < round).then_some(false)
        }
        _ => None,
    });
    standing == Some(true) && !away
}

fn known<'a>(input: &Input, everybody: &BTreeMap<Number, &Player>, player: &'a Player) -> Known<'a> {
    let past = Past::of(player, input.settings.pab_points);
    let (wants, urgency) = past.wish();
    Known {
        player,
        score: score(input, player, input.round),
        past,
        wants,
        urgency,
        floated: [1, 2].map(|back| match input.round.checked_sub(back) {
            Some(round) => floated(input, everybody, player, round),
            None => 0,
        }),
    }
}

/// Points before a round, those of the start and virtual ones among them.
fn score(input: &Input, player: &Player, round: u16) -> u32 {
    let real: u32 = player
        .history
        .iter()
        .filter(|it| it.round < round)
        .map(|it| worth(it.code, input.settings.pab_points))
        .sum();
    real + player.start + bonus(input, player, round)
}

/// Baku: 2 points in the first half of the accelerated rounds, 1 in the second, for the upper half of who began.
fn bonus(input: &Input, player: &Player, round: u16) -> u32 {
    let began = |it: &Player| {
        it.states.iter().any(|it| matches!(it, Status::Active { from_round } if *from_round < 2))
    };
    if input.settings.acceleration == Acceleration::None || !began(player) {
        return 0;
    }
    let starters = input.players.iter().filter(|it| began(it)).count();
    let upper = starters.div_ceil(4) * 2;
    let ahead = input.players.iter().filter(|it| began(it) && it.number < player.number).count();
    let accelerated = input.rounds.div_ceil(2);
    if ahead >= upper || round > accelerated {
        0
    } else if round > accelerated.div_ceil(2) {
        1
    } else {
        2
    }
}

fn floated(input: &Input, everybody: &BTreeMap<Number, &Player>, player: &Player, round: u16) -> i8 {
    let Some(entry) = player.history.iter().find(|it| it.round == round) else {
        return 0;
    };
    match entry.code {
        ResultCode::Pab | ResultCode::ForfeitWin | ResultCode::ByeFull => -1,
        ResultCode::ByeHalf if input.settings.half_bye_is_downfloat => -1,
        code if was_played(code) => {
            let opponent = entry.opponent.and_then(|it| everybody.get(&it));
            let theirs = opponent.map_or(0, |it| score(input, it, round));
            match theirs.cmp(&score(input, player, round)) {
                core::cmp::Ordering::Less => -1,
                core::cmp::Ordering::Equal => 0,
                core::cmp::Ordering::Greater => 1,
            }
        }
        _ => 0,
    }
}
