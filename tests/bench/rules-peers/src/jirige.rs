//! Jirige as a [`Contest`], an action at a time.

use rules::jirige::{Action, Options, Position};

use crate::{contest::Contest, random::Random};

impl Contest for Position {
    const NAME: &'static str = "Jirige";
    const PHASES: &'static [&'static str] = &["place", "open", "move"];
    const UNDO: &'static str = "by its undo";

    type Listed = Action;
    type Turn = Action;

    fn start() -> Position {
        Position::new(Options::default())
    }

    fn phase(&self) -> Option<&'static str> {
        self.outcome().is_none().then(|| Position::phase(self).name())
    }

    fn list(&self) -> Vec<Action> {
        self.actions()
    }

    /// An action leaves nothing open.
    fn choose(&self, action: Action, _random: &mut Random) -> Action {
        action
    }

    fn play(&mut self, action: &Action) {
        let _ = self.act(*action).expect("listed actions are legal");
    }

    fn play_and_undo(&mut self, action: &Action) {
        let undo = self.act(*action).expect("listed actions are legal");
        self.undo(undo);
    }

    fn hash(&self) -> u64 {
        Position::hash(self)
    }
}
