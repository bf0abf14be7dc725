//! What leaving does to a table (Art. 29; section 1.7).

use super::Sheet;
use crate::{AdjustPoints, Entry, Fraction, Player, WithdrawalHalf, whole};

/// Whether the results of one who leaves a round robin after so many games are void: he has played less than half
/// (Art. 29.2). `players` is everybody who began, `cycles` how often all meet.
///
/// ```
/// use pairing::{WithdrawalHalf, standings::withdrawal::is_void};
/// assert!(is_void(3, 8, 1, WithdrawalHalf::Rounds) && !is_void(4, 8, 1, WithdrawalHalf::Rounds));
/// assert!(is_void(4, 9, 1, WithdrawalHalf::Rounds) && !is_void(4, 9, 1, WithdrawalHalf::Games));
/// ```
pub fn is_void(played: u32, players: u32, cycles: u32, half: WithdrawalHalf) -> bool {
    let games = players.saturating_sub(1);
    let of_cycle = match half {
        WithdrawalHalf::Rounds if players % 2 == 1 => players,
        _ => games,
    };
    2 * played < of_cycle * cycles
}

/// The points with which one who left counts for his opponents (Art. 29.3): points + min(A, 1) × unplayed rounds, where
/// A is points by games. Without a game A is 0.
///
/// ```
/// use pairing::{Fraction, standings::withdrawal::adjusted};
/// // Seven rounds: 6 points in 4 games, 2 in 4, 1 in 3.
/// assert_eq!(adjusted(6, 6, 4, 3), Fraction::from_integer(9));
/// assert_eq!(adjusted(2, 2, 4, 3), Fraction::new(7, 2));
/// assert_eq!(adjusted(1, 1, 3, 4), Fraction::new(7, 3));
/// assert_eq!(adjusted(0, 0, 0, 7), Fraction::from_integer(0));
/// ```
pub fn adjusted(points: u32, points_in_a: u32, games: u32, unplayed: u32) -> Fraction {
    if games == 0 {
        return whole(points);
    }
    let a = Fraction::new(points_in_a.into(), games.into()).min(whole(1));
    whole(points) + a * whole(unplayed)
}

/// The points of a player as an opponent of a Swiss: adjusted once he has left. A is taken of the entries that count: games
/// against one who is annulled are none, for the points made in them are none either.
pub(crate) fn opponent_points(
    sheet: &Sheet<'_>,
    player: &Player,
    real: u32,
    counts: &dyn Fn(&Entry) -> bool,
) -> Fraction {
    let Some(after) = player.left_after().filter(|after| *after < sheet.rounds) else {
        return whole(real);
    };
    let pab = sheet.settings.pab_points;
    let decided = || player.history.iter().filter(|entry| counts(entry) && entry.code.is_decided_game());
    let games = crate::count(decided().count());
    let in_games = decided().map(|entry| entry.code.points(pab)).sum::<u32>();
    let points_in_a = match sheet.settings.adjust_points {
        AdjustPoints::All => real,
        AdjustPoints::Games => in_games,
    };
    adjusted(real, points_in_a, games, (sheet.rounds - after).into())
}

/// Games with a result up to the round after which he left; byes are none, forfeits are (1.7).
pub(crate) fn games_played(player: &Player, after: u16) -> u32 {
    let decided = player.history.iter().filter(|entry| entry.round <= after && entry.code.is_decided_game());
    crate::count(decided.count())
}
