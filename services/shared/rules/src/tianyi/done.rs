use alloc::{string::String, vec::Vec};
use core::fmt;

use super::Act;

/// What came of an act. `Debug` shows what everybody may read of it.
///
/// ```
/// use rules::{Author, Opening, tianyi::{Act, Illegal, Position, Rules}};
/// let mut position = Position::new(Rules::default());
/// let seed = Act::Seed(Opening::new([1; 32], [2; 32]));
/// let done = position.act(Author::House, &seed)?;
/// assert!(done.public.unwrap().starts_with("commit "));
/// // Nobody takes part in time, and the seed is opened.
/// let done = position.act(Author::House, &Act::Expire)?;
/// assert_eq!((done.public, done.revealed), (None, vec![(1, seed)]));
/// # Ok::<(), Illegal>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Done {
    /// The act in canonical form.
    pub act: Act,
    /// What others than its author may read of it while it is sealed.
    pub public: Option<String>,
    /// The sealed acts it opens, by ply.
    pub revealed: Vec<(u32, Act)>,
}

impl Done {
    pub(super) fn open(act: Act) -> Done {
        Done { act, public: None, revealed: Vec::new() }
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let act: &dyn fmt::Debug = match &self.public {
            None => &self.act,
            Some(public) => public,
        };
        f.debug_struct("Done").field("act", act).field("revealed", &self.revealed).finish()
    }
}
