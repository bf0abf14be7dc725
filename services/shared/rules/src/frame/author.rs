use crate::{Opening, Side, prelude::*};

/// Who makes an act: one of the two players, or the system, which is the server that runs the game.
///
/// The system acts where the rules want a third party: it takes part in a draw, and it says when a time that
/// the rules themselves set is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Author {
    /// The server.
    System,
    /// A player.
    Side(Side),
}

/// What the system has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SystemAct {
    /// It must give its part of a draw at once: the act `seed SALT SEED`, each 32 fresh random bytes as 64
    /// hexadecimal digits. Nobody may read it before the rules open it.
    Seed,
    /// When this long has passed since act number `since` was accepted (since the start of the game, if it
    /// is 0) and this is still due, it acts `expire`.
    Expire {
        /// The act from which the time runs, by its ply.
        since: u32,
        /// The time, in milliseconds.
        after_ms: u64,
    },
}

impl SystemAct {
    /// The act by which it is done. `random` gives bytes that nobody can foresee, others at every call.
    pub fn act(self, random: &mut dyn FnMut() -> [u8; 32]) -> String {
        match self {
            SystemAct::Seed => format!("seed {}", Opening::new(random(), random()).text()),
            SystemAct::Expire { .. } => "expire".to_owned(),
        }
    }
}

impl Author {
    /// The system, the first side and the second, the order in which a draw takes them.
    pub const ALL: [Author; 3] = [Author::System, Author::Side(Side::First), Author::Side(Side::Second)];

    /// The side, unless it is the system.
    pub const fn side(self) -> Option<Side> {
        match self {
            Author::System => None,
            Author::Side(side) => Some(side),
        }
    }

    /// `house`, `first` or `second`.
    pub const fn name(self) -> &'static str {
        match self {
            Author::System => "house",
            Author::Side(side) => side.name(),
        }
    }

    /// The place in [`Author::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Author::System => 0,
            Author::Side(side) => 1 + side.index(),
        }
    }
}

impl From<Side> for Author {
    fn from(side: Side) -> Author {
        Author::Side(side)
    }
}
