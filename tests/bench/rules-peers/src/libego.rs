//! The crate `go_game_board`: simple ko, incremental chains after libEGo, no repetition beyond ko.

use go_game_board::{Board, Player, Vertex};

use crate::engine::{At, Engine};

/// A game in it.
pub struct GoGameBoard {
    /// Its board.
    pub board: Board,
    to_move: Player,
}

impl GoGameBoard {
    fn play(&mut self, vertex: Vertex) {
        self.board.play_legal(self.to_move, vertex);
        self.to_move = self.to_move.opponent();
    }
}

impl Engine for GoGameBoard {
    const NAME: &'static str = "go_game_board 0.1, simple ko";

    fn new(size: u8) -> Self {
        let size = usize::from(size);
        GoGameBoard { board: Board::with_size(size, size), to_move: Player::Black }
    }

    fn apply(&mut self, at: Option<At>) {
        self.play(at.map_or_else(Vertex::pass, vertex));
    }

    fn try_play(&mut self, at: At) -> Option<bool> {
        let vertex = vertex(at);
        if !self.board.is_legal(self.to_move, vertex) {
            return None;
        }
        let before = self.board.empty_vertex_count();
        self.play(vertex);
        Some(self.board.empty_vertex_count() >= before)
    }

    fn pass(&mut self) {
        self.play(Vertex::pass());
    }

    fn stones(&self) -> u32 {
        let colour = |vertex: &Vertex| {
            let colour = self.board.color_at(*vertex);
            colour == go_game_board::Color::Black || colour == go_game_board::Color::White
        };
        let count = <Vertex as go_game_board::Nat>::all().filter(colour).count();
        u32::try_from(count).expect("a board has few stones")
    }
}

fn vertex(at: At) -> Vertex {
    Vertex::from_coords(isize::from(at.row()), isize::from(at.column()))
}
