//! What is asked of our own games that have no peer: listing, playing and taking back, phase by phase.

use crate::random::Random;

/// A game whose turns are listed and played at random. To measure another game, implement this for its
/// position and name it in `speed` and `memory`.
pub trait Contest: Clone {
    /// Its name in the tables.
    const NAME: &'static str;

    /// Its phases, in their order.
    const PHASES: &'static [&'static str];

    /// What is listed.
    type Listed;

    /// What is played: a listed turn with all choices made.
    type Turn: Clone;

    /// The start.
    fn start() -> Self;

    /// The phase; `None` when the game has ended.
    fn phase(&self) -> Option<&'static str>;

    /// Every turn that is possible now.
    fn list(&self) -> Vec<Self::Listed>;

    /// Makes the choices a listed turn leaves open.
    fn choose(&self, listed: Self::Listed, random: &mut Random) -> Self::Turn;

    /// Plays a turn, which the rules check.
    fn play(&mut self, turn: &Self::Turn);

    /// Plays a turn and takes it back in the cheapest way there is.
    fn play_and_undo(&mut self, turn: &Self::Turn);

    /// How the cheapest way to take back works.
    const UNDO: &'static str;

    /// A number that tells positions apart.
    fn hash(&self) -> u64;

    /// A turn chosen at random; `None` when the game has ended.
    fn draw(&self, random: &mut Random) -> Option<Self::Turn> {
        self.phase()?;
        let mut listed = self.list();
        let drawn = random.below(listed.len().max(1));
        (drawn < listed.len()).then(|| self.choose(listed.swap_remove(drawn), random))
    }
}
