//! A round robin with those who left it (Art. 28.1.1, 29.2).

use std::collections::{BTreeMap, BTreeSet};

use super::{Criterion, Sheet, Term, withdrawal, working};
use crate::{DRAW_POINTS, ForfeitPoints, Number, Player, ResultCode, TeamLeaves, WIN_POINTS, count, whole};

named! {
    /// How often all meet.
    pub enum Cycles {
        /// Once.
        Single = "single",
        /// Twice.
        Double = "double",
    }
}

impl Cycles {
    /// As a number.
    pub const fn count(self) -> u32 {
        match self {
            Cycles::Single => 1,
            Cycles::Double => 2,
        }
    }
}

/// A game that counts, from one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) opponent: Number,
    /// The round; none for a game that was never played because the opponent had left.
    pub(crate) round: Option<u16>,
    pub(crate) points: u32,
    /// Won without a game from one who left.
    by_leaving: bool,
}

/// The games of a round robin that count.
pub(crate) struct Robin<'a> {
    sheet: &'a Sheet<'a>,
    void: BTreeSet<Number>,
    games: BTreeMap<Number, Vec<Counted>>,
}

impl<'a> Robin<'a> {
    /// `law` is how those who leave are taken, be they players or teams.
    pub(crate) fn of(sheet: &'a Sheet<'a>, cycles: Cycles, law: TeamLeaves) -> Robin<'a> {
        let left_too_early = |it: &Player| law == TeamLeaves::AsPlayer && left_before_half(sheet, cycles, it);
        let is_void = |it: &&Player| it.is_annulled() || left_too_early(it);
        let void: BTreeSet<Number> = sheet.players.iter().filter(is_void).map(|it| it.number).collect();
        let standing = || sheet.players.iter().filter(|it| !void.contains(&it.number));
        let leavers: BTreeSet<Number> =
            standing().filter(|it| it.left_after().is_some()).map(|it| it.number).collect();
        let games = standing().map(|player| {
            let mut games = played(sheet, &void, &leavers, player);
            // What remained of those whose results stand is won by the opponents; between two of them it is 0-0.
            if !leavers.contains(&player.number) {
                games.extend(leavers.iter().flat_map(|leaver| unplayed(sheet, cycles, player, *leaver)));
            }
            (player.number, games)
        });
        let games = games.collect();
        Robin { sheet, void, games }
    }

    pub(crate) fn is_void(&self, number: Number) -> bool {
        self.void.contains(&number)
    }

    pub(crate) fn games(&self, number: Number) -> &[Counted] {
        self.games.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Points of games, and of byes that were asked for; the free round of an odd number gives none (1.11, 7).
    pub(crate) fn points(&self, number: Number) -> u32 {
        self.games(number).iter().map(|game| game.points).sum()
    }

    /// A: the points of beaten opponents and half of those of drawn ones.
    pub(crate) fn a(&self, number: Number) -> Criterion {
        let terms = self.games(number).iter().filter(|game| game.points > 0).map(|game| Term {
            opponent: Some(game.opponent),
            points: whole(self.points_in_a(game.opponent)),
            halved: game.points == DRAW_POINTS,
        });
        let (value, working) = working::sum(terms.collect());
        Criterion { name: "a", value, working }
    }

    fn points_in_a(&self, number: Number) -> u32 {
        let counts =
            |game: &&Counted| self.sheet.settings.forfeit_points == ForfeitPoints::Count || !game.by_leaving;
        self.games(number).iter().filter(counts).map(|game| game.points).sum()
    }
}

fn left_before_half(sheet: &Sheet<'_>, cycles: Cycles, player: &Player) -> bool {
    player.left_after().is_some_and(|after| {
        let games = withdrawal::games_played(player, after);
        let half = sheet.settings.withdrawal_half;
        withdrawal::is_void(games, count(sheet.players.len()), cycles.count(), half)
    })
}

fn played(
    sheet: &Sheet<'_>,
    void: &BTreeSet<Number>,
    leavers: &BTreeSet<Number>,
    player: &Player,
) -> Vec<Counted> {
    let so_far =
        player.history.iter().filter(|entry| entry.round <= sheet.rounds && entry.code.is_decided_game());
    so_far
        .filter_map(|entry| {
            let opponent = entry.opponent.filter(|it| !void.contains(it))?;
            let by_leaving = entry.code == ResultCode::ForfeitWin && leavers.contains(&opponent);
            Some(Counted { opponent, round: Some(entry.round), points: entry.code.points(0), by_leaving })
        })
        .collect()
}

/// The games of the player against one who left that are in no history: won by forfeit.
fn unplayed(sheet: &Sheet<'_>, cycles: Cycles, player: &Player, leaver: Number) -> Vec<Counted> {
    let met =
        player.history.iter().filter(|entry| entry.opponent == Some(leaver) && entry.round <= sheet.rounds);
    let missing = cycles.count().saturating_sub(count(met.count()));
    let won = Counted { opponent: leaver, round: None, points: WIN_POINTS, by_leaving: true };
    (0..missing).map(|_| won).collect()
}
