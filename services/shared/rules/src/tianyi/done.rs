use core::fmt;

use super::Act;
use crate::prelude::*;

/// What came of an act. `Debug` shows what everybody may read of it.
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
