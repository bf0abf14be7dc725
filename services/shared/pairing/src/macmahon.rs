//! MacMahon events of Go clubs (`MACMAHON`, section 1.2): a Swiss in which players begin with points by their strength.
//!
//! A grade is worth as much as a won game. Give every player his [`initial`] score as [`Player::start`], pair the rounds as
//! a Swiss ([`crate::swiss`]), and rank with [`table`].
//!
//! ```
//! use pairing::macmahon::{handicap, initial};
//! // Grades as whole numbers: 3 dan is 3, 1 kyu is 0, 20 kyu is -19. The bar is at 3 dan, the floor at 20 kyu.
//! assert_eq!([5, 3, 0, -25].map(|grade| initial(grade, 3, -19)), [44, 44, 38, 0]);
//! // Three grades apart, with a reduction of one: two stones.
//! assert_eq!(handicap(44, 38, 1, 9), 2);
//! ```

use std::collections::BTreeMap;

use crate::{
    Number, Player, WIN_POINTS,
    standings::{Criterion, Line, Sheet, Term, Unplaced, has_results, is_provisional, place, sum},
    whole,
};

/// The score with which a grade begins: all at the bar and above alike, all at the floor and below alike with nothing.
pub fn initial(grade: i32, bar: i32, floor: i32) -> u32 {
    let above = grade.min(bar).saturating_sub(floor);
    WIN_POINTS * u32::try_from(above).unwrap_or(0)
}

/// The stones that the weaker of two has: their difference in grades by score, less the reduction, up to the most that the
/// event gives.
pub fn handicap(one: u32, other: u32, reduction: u32, most: u32) -> u32 {
    (one.abs_diff(other) / WIN_POINTS).saturating_sub(reduction).min(most)
}

/// The table: MacMahon score, then the sum of the opponents' scores, then the sum of theirs. A round without an opponent
/// adds the player's own starting score.
pub fn table(sheet: &Sheet<'_>) -> Vec<Line> {
    let standing = || sheet.players.iter().filter(|it| !it.is_annulled());
    let players: BTreeMap<Number, &Player> = standing().map(|it| (it.number, it)).collect();
    let scores: BTreeMap<Number, u32> =
        standing().map(|it| (it.number, it.start + points(sheet, &players, it))).collect();
    let sos = |player: &Player| {
        sum(per_round(sheet, &players, player, |it| whole(scores.get(&it.number).copied().unwrap_or(0))))
    };
    let lines = sheet.players.iter().map(|player| {
        let made = if player.is_annulled() { 0 } else { points(sheet, &players, player) };
        let (value, working) = sos(player);
        let (second, second_working) = sum(per_round(sheet, &players, player, |it| sos(it).0));
        let criteria = vec![
            Criterion::plain("mms", player.start + made),
            Criterion { name: "sos", value, working },
            Criterion { name: "sosos", value: second, working: second_working },
        ];
        let provisional = is_provisional(player, sheet.rounds);
        let line = Line { number: player.number, place: None, points: made, criteria, provisional };
        Unplaced { line, counts: !player.is_annulled() && has_results(player, sheet.rounds) }
    });
    place(sheet, lines.collect())
}

/// Points made in the event, games against annulled players left out.
fn points(sheet: &Sheet<'_>, players: &BTreeMap<Number, &Player>, player: &Player) -> u32 {
    let counted = player.history.iter().filter(|entry| {
        entry.round <= sheet.rounds && entry.opponent.is_none_or(|it| players.contains_key(&it))
    });
    counted.map(|entry| entry.code.points(sheet.settings.pab_points)).sum()
}

/// A term for every round so far: of the opponent, or the player's own start.
fn per_round(
    sheet: &Sheet<'_>,
    players: &BTreeMap<Number, &Player>,
    player: &Player,
    worth: impl Fn(&Player) -> crate::Fraction,
) -> Vec<Term> {
    let term = |round: u16| {
        let game = player.entry(round).filter(|entry| entry.code.is_decided_game());
        let opponent = game.and_then(|entry| players.get(&entry.opponent?));
        let points = opponent.map_or_else(|| whole(player.start), |it| worth(it));
        Term { opponent: opponent.map(|it| it.number), points, halved: false }
    };
    (1..=sheet.rounds).map(term).collect()
}
