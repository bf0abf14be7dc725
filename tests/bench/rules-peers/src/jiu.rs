//! Jiu as a [`Contest`].

use rules::jiu::{Displacement, Options, PointSet, Position, Turn};

use crate::{contest::Contest, random::Random};

impl Contest for Position {
    const NAME: &'static str = "Jiu";
    const PHASES: &'static [&'static str] = &["place", "lift", "move"];
    const UNDO: &'static str = "by a copy";

    type Listed = Displacement;
    type Turn = Turn;

    fn start() -> Position {
        Position::new(Options::default())
    }

    fn phase(&self) -> Option<&'static str> {
        self.outcome().is_none().then(|| Position::phase(self).name())
    }

    fn list(&self) -> Vec<Displacement> {
        self.displacements()
    }

    /// The stones of choice are drawn among the enemy's that are not jumped.
    fn choose(&self, Displacement { turn, choices_left, .. }: Displacement, random: &mut Random) -> Turn {
        let jumped: PointSet = match &turn {
            Turn::Point(_) => PointSet::EMPTY,
            Turn::Move(it) => it.jumped().into_iter().flatten().copied().collect(),
        };
        let mut enemies: Vec<_> = (self.board().stones(self.to_move().other()) - jumped).iter().collect();
        turn.removing(
            (0..choices_left).map(|_| enemies.swap_remove(random.below(enemies.len()))).collect::<Vec<_>>(),
        )
    }

    fn play(&mut self, turn: &Turn) {
        Position::play(self, turn).expect("listed turns are legal");
    }

    fn play_and_undo(&mut self, turn: &Turn) {
        let before = self.clone();
        Contest::play(self, turn);
        *self = before;
    }

    fn hash(&self) -> u64 {
        Position::hash(self)
    }
}
