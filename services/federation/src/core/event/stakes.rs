//! What a game of an event is played for, where the rules of the game ask (Tianyi Go, article 三.4; 1.10, 18).

use std::collections::BTreeMap;

use pairing::knockout::{Bracket, MatchId, Part};

use super::{Board, BoardId, Event, Format, handicap, plan::starters, readings::FirstMoverAdvances};

/// The variant whose rules ask.
const ASKS: &str = "tianyi";

impl Event {
    /// The options of the rules with which the game of a board is played: those of the event or of its play-off, the handicap
    /// of the board, and in a knock-out of Tianyi Go what the game is for, so that a draw is or is not a win for who moved first.
    pub fn options_at(&self, board: BoardId) -> BTreeMap<String, String> {
        let of_play_off = self.play_off_at(board).map(|it| &it.options);
        let mut options = of_play_off.unwrap_or(&self.settings.game.options).clone();
        if let Ok((_, laid, _)) = self.find_board(board) {
            handicap::add_options(laid.handicap, &mut options);
        }
        let Format::KnockOut { lives, .. } = self.settings.format else { return options };
        if self.settings.game.variant.id != ASKS {
            return options;
        }
        let is_final = self.find_board(board).is_ok_and(|(_, laid, _)| self.is_final(laid, lives));
        let stage = match (self.settings.readings.first_mover_advances(), is_final) {
            (FirstMoverAdvances::Nowhere, _) | (FirstMoverAdvances::Final, false) => "league",
            (FirstMoverAdvances::KnockOut, false) => "knockout",
            (_, true) => "final",
        };
        options.insert("stage".to_owned(), stage.to_owned());
        options.insert("final_only".to_owned(), "false".to_owned());
        options
    }

    /// Whether the game of a board is rated: if the settings say so, and with a handicap only where it is known what stones are worth,
    /// on the board on which most games are played.
    pub fn is_rated_at(&self, board: BoardId) -> bool {
        let options = self.options_at(board);
        let value_of = |option: &str| options.get(option).map(String::as_str);
        let variant = self.settings.game.variant;
        let compares = variant.handicap(value_of) == 0 || variant.is_on_usual_board(value_of);
        self.settings.game.rated && compares
    }

    /// Whether it is the board at which the champion is found. After more than two lost games there is none: the rounds go on
    /// until one player is left.
    fn is_final(&self, board: &Board, lives: u8) -> bool {
        let Some(place) = board.place else { return false };
        match lives {
            1 => {
                let entrants = u32::try_from(starters(self).len()).unwrap_or(u32::MAX);
                Bracket::single(entrants).matches().last().is_some_and(|last| last.id == place)
            }
            2 => matches!(place, MatchId { part: Part::Final, .. }),
            _ => false,
        }
    }
}
