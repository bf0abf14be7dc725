//! Handicaps of MacMahon events of Go (1.2, `MACMAHON`): who has the lower score has Black, and as many stones as the scores
//! differ in won games, less a reduction. With one he moves first and gives next to nothing; from two on he has stones.

use std::collections::BTreeMap;

use pairing::{Number, Player, macmahon};
use rules::RuleSet;

use super::{
    Event, Format, GameSettings,
    fact::{Board, PublishedRound},
};

/// The option of a game that has handicaps.
const STONES: &str = "handicap";
/// What Black gives in a game with a handicap: half a point, so that no game is drawn.
const KOMI: (&str, &str) = ("komi", "0.5pt");

impl Event {
    /// The handicap of a pair by their scores before a round: positive for the first of them, negative for the second.
    fn handicap_of(&self, players: [&Player; 2]) -> i64 {
        let Format::MacMahon { reduction, handicap_max, .. } = self.settings.format else { return 0 };
        let pab = self.settings.readings.standings().pab_points;
        let [one, other] = players.map(|it| it.start.saturating_add(it.points(pab)));
        let stones = i64::from(macmahon::handicap(one, other, reduction, handicap_max));
        if one < other { stones } else { -stones }
    }

    /// Gives the weaker of each pair Black and his handicap.
    pub(super) fn give_handicaps(&self, mut round: PublishedRound) -> PublishedRound {
        for (board, stones) in self.with_handicaps(&mut round) {
            if stones < 0 {
                board.players.reverse();
            }
            board.handicap = u32::try_from(stones.abs()).unwrap_or(0);
        }
        round
    }

    /// Works the handicaps of a round out again that was changed by hand: who was given White over somebody stronger has
    /// none.
    pub fn correct_handicaps(&self, round: &mut PublishedRound) {
        for (board, stones) in self.with_handicaps(round) {
            board.handicap = u32::try_from(stones).unwrap_or(0);
        }
    }

    /// The boards with the handicaps of their pairs.
    fn with_handicaps<'a>(
        &self,
        round: &'a mut PublishedRound,
    ) -> impl Iterator<Item = (&'a mut Board, i64)> {
        let is_given = matches!(self.settings.format, Format::MacMahon { handicap_max: 1.., .. });
        let players = if is_given { self.players(round.round) } else { Vec::new() };
        let players: BTreeMap<Number, Player> = players.into_iter().map(|it| (it.number, it)).collect();
        let boards = round.boards.iter_mut().filter(move |board| is_given && board.coloured);
        let with = boards.map(|board| {
            let pair = (players.get(&board.players[0]), players.get(&board.players[1]));
            let stones = if let (Some(one), Some(other)) = pair { self.handicap_of([one, other]) } else { 0 };
            (board, stones)
        });
        with.collect::<Vec<_>>().into_iter()
    }
}

/// The options of a game with such a handicap.
pub(super) fn add_options(handicap: u32, options: &mut BTreeMap<String, String>) {
    if handicap > 0 {
        options.insert(STONES.to_owned(), handicap.to_string());
        options.insert(KOMI.0.to_owned(), KOMI.1.to_owned());
    }
}

/// Whether a game can be played with such a handicap.
pub(super) fn is_possible(game: &GameSettings, handicap: u32) -> bool {
    let mut options = game.options.clone();
    add_options(handicap, &mut options);
    (game.variant.start)(&RuleSet { id: game.rule_set.clone(), options }).is_ok()
}
