//! How brackets are laid out.

use super::{Bracket, GrandFinal, Match, MatchId, Part, Source};

/// The standard order of `size` seeds, a power of two: the first two meet in the final at the earliest, the first four
/// in the semi-finals, and so on.
///
/// ```
/// assert_eq!(pairing::knockout::seed_order(8), [1, 8, 4, 5, 2, 7, 3, 6]);
/// ```
pub fn seed_order(size: u32) -> Vec<u32> {
    let mut order = vec![1];
    let mut places = 1;
    while places < size {
        places *= 2;
        order = order.iter().flat_map(|seed| [*seed, places + 1 - seed]).collect();
    }
    order
}

/// The matches from the first round to the final.
pub(super) fn winners(entrants: u32) -> Vec<Match> {
    if entrants < 2 {
        return Vec::new();
    }
    let mut sources: Vec<Source> =
        seed_order(entrants.next_power_of_two()).into_iter().map(Source::Seed).collect();
    let mut matches = Vec::new();
    for round in 1.. {
        sources = add_round(&mut matches, Part::Winners, round, &sources);
        if sources.len() == 1 {
            break;
        }
    }
    matches
}

/// Neighbours meet; the winners, in order.
fn add_round(matches: &mut Vec<Match>, part: Part, round: u16, sources: &[Source]) -> Vec<Source> {
    let pairs = sources.chunks_exact(2).zip(0..);
    let made =
        pairs.map(|(pair, place)| Match { id: MatchId { part, round, place }, sources: [pair[0], pair[1]] });
    let first = matches.len();
    matches.extend(made);
    matches[first..].iter().map(|made| Source::Winner(made.id)).collect()
}

pub(super) fn double(entrants: u32, grand_final: GrandFinal) -> Bracket {
    let mut matches = winners(entrants);
    let Some(last) = matches.last().map(|it| it.id) else {
        return Bracket { matches, second_final: None };
    };
    let mut sources = dropping(&matches, 1);
    let mut round = 0;
    for winners_round in 2..=last.round {
        // Those who fell first meet each other, and then those who fall now.
        round += 1;
        sources = add_round(&mut matches, Part::Losers, round, &sources);
        let fallen = dropping(&matches, winners_round);
        let mixed: Vec<Source> =
            sources.iter().zip(fallen).flat_map(|(stays, falls)| [*stays, falls]).collect();
        round += 1;
        sources = add_round(&mut matches, Part::Losers, round, &mixed);
    }
    let id = |round| MatchId { part: Part::Final, round, place: 0 };
    // With two entrants alone the loser of their match comes back at once.
    let challenger = sources.first().copied().unwrap_or(Source::Loser(last));
    matches.push(Match { id: id(1), sources: [Source::Winner(last), challenger] });
    let second_final = (grand_final == GrandFinal::Reset).then(|| id(2));
    if let Some(second) = second_final {
        matches.push(Match { id: second, sources: [Source::Winner(last), challenger] });
    }
    Bracket { matches, second_final }
}

/// The losers of a round of winners in the order in which they drop: reversed for odd rounds, with halves swapped for
/// even ones, so that nobody meets again before it is unavoidable (1.11, 18). Those of the first round meet only each
/// other and stay as they are: turned round, they would come back to those they know a round earlier.
fn dropping(matches: &[Match], round: u16) -> Vec<Source> {
    let of_round = matches.iter().filter(|it| it.id.part == Part::Winners && it.id.round == round);
    let mut fallen: Vec<Source> = of_round.map(|it| Source::Loser(it.id)).collect();
    let half = fallen.len() / 2;
    match round {
        1 => {}
        odd if odd % 2 == 1 => fallen.reverse(),
        _ => fallen.rotate_left(half),
    }
    fallen
}
