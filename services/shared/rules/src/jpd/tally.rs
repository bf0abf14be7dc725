use super::{Compensation, Rules};
use crate::goban::Colour;

/// How many turns of each kind each colour has made in one part of a game, Black's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Stones put on the board.
    pub real: [u32; 2],
    /// Stones of these that took their own last liberty, each alone.
    pub suicides: [u32; 2],
    /// Stones put beside the board.
    pub virtuals: [u32; 2],
    /// Passes.
    pub passes: [u32; 2],
}

impl Tally {
    /// How many moves more Black made than White, negative if White made more: n of article 38.
    pub fn extra(&self, rules: &Rules) -> i32 {
        let [black, white] = Colour::BOTH.map(|colour| self.moves(colour, rules));
        black - white
    }

    fn moves(&self, colour: Colour, rules: &Rules) -> i32 {
        let of = |counts: [u32; 2]| counts[colour.index()];
        let moves = match rules.compensation {
            Compensation::Passes => self.passes[colour.other().index()],
            Compensation::Plays => {
                let virtuals = if rules.virtual_counts { of(self.virtuals) } else { 0 };
                let uncounted = if rules.suicide_counts { 0 } else { of(self.suicides) };
                of(self.real) + virtuals - uncounted
            }
        };
        i32::try_from(moves).expect("a game has at most ten thousand turns")
    }
}
