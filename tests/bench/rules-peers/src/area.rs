//! Boards to be counted.

use rules::goban::{Area, Board, Colour};

use crate::{
    engine::{At, Engine},
    games::Games,
    goban::Goban,
    libego::GoGameBoard,
    ours::Superko,
};

/// The same boards in each library.
pub struct Boards {
    /// Ours.
    pub ours: Vec<Board>,
    /// Those of `go_game_board`.
    pub libego: Vec<GoGameBoard>,
    /// Those of `goban`.
    pub goban: Vec<Goban>,
}

impl Boards {
    /// The boards after this share of each game's moves, in percent.
    pub fn after(games: &Games, percent: usize, count: usize) -> Boards {
        let played = |moves: &Vec<Option<At>>| moves[..moves.len() * percent / 100].to_vec();
        let games: (u8, Vec<_>) = (games.size, games.games.iter().take(count).map(played).collect());
        Boards {
            ours: replay::<Superko>(&games).into_iter().map(|game| game.0.board().clone()).collect(),
            libego: replay(&games),
            goban: replay(&games),
        }
    }

    /// Points of Black less those of White on all boards, every region flooded.
    pub fn flood_ours(&self) -> i64 {
        let balance = |board: &Board| {
            let area = Area::of(board);
            i64::from(area.held(Colour::Black)) - i64::from(area.held(Colour::White))
        };
        self.ours.iter().map(balance).sum()
    }

    /// The same by `goban`.
    pub fn flood_goban(&self) -> i64 {
        let balance = |Goban(game): &Goban| {
            let (black, white) = game.calculate_score();
            #[expect(clippy::cast_possible_truncation, reason = "counts are whole and small")]
            let whole = |points: f32| points as i64;
            whole(black) - whole(white - game.komi())
        };
        self.goban.iter().map(balance).sum()
    }

    /// What `go_game_board` has for it: the neighbours of each empty point, no regions.
    pub fn neighbours_libego(&self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "counts are whole and small")]
        let whole = |points: f32| points as i64;
        self.libego.iter().map(|game| whole(game.board.tromp_taylor_score())).sum()
    }

    /// Less still: counts it keeps anyway of the stones, and the empty points with one colour all around.
    pub fn eyes_libego(&self) -> i64 {
        self.libego.iter().map(|game| i64::from(game.board.playout_score())).sum()
    }
}

fn replay<E: Engine>((size, games): &(u8, Vec<Vec<Option<At>>>)) -> Vec<E> {
    games.iter().map(|moves| E::replay(*size, moves)).collect()
}
