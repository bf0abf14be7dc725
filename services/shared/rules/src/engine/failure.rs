use alloc::borrow::Cow;
use core::fmt;

use crate::{ActError, OptionError, PerftError, SetupError, prelude::*};

/// Why a command came to nothing. The game is then as it was.
///
/// ```
/// use rules::{ActError, engine::Failure};
///
/// let failure = Failure::from(ActError::game_over());
/// assert_eq!((failure.reason, failure.to_string()), ("GAME_OVER", "GAME_OVER the game has ended".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable name of the reason, in upper case: of the rules (`OCCUPIED`) or of the engine
    /// (`UNKNOWN_COMMAND`).
    pub reason: &'static str,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

impl Failure {
    /// A failure with this reason and sentence.
    ///
    /// ```
    /// use rules::engine::Failure;
    ///
    /// assert_eq!(Failure::new("NO_FILE", "it is\ngone").to_string(), "NO_FILE it is gone");
    /// ```
    pub fn new(reason: &'static str, detail: impl Into<Cow<'static, str>>) -> Failure {
        Failure { reason, detail: detail.into() }
    }

    /// The arguments of a command are not what it takes.
    ///
    /// ```
    /// use rules::engine::{Command, Engine, Failure};
    ///
    /// let engine = Engine::new(&rules::go::VARIANT)?;
    /// let wanted = Failure::arguments("the name of a file is wanted");
    /// assert_eq!(Command::read(engine.game(), "check"), Err(wanted));
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub fn arguments(detail: impl Into<Cow<'static, str>>) -> Failure {
        Failure::new("BAD_ARGUMENTS", detail)
    }
}

impl From<ActError> for Failure {
    fn from(refusal: ActError) -> Failure {
        Failure { reason: refusal.reason, detail: refusal.detail }
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        Failure::new("BAD_OPTION", error.to_string())
    }
}

impl From<SetupError> for Failure {
    fn from(error: SetupError) -> Failure {
        Failure::new("BAD_POSITION", error.detail)
    }
}

impl From<PerftError> for Failure {
    fn from(error: PerftError) -> Failure {
        let reason = match error {
            PerftError::TooDeep => "TOO_DEEP",
            PerftError::Stopped { .. } => "STOPPED",
            PerftError::Refused { .. } => "LISTED_BUT_REFUSED",
        };
        Failure::new(reason, error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail: String = self.detail.lines().collect::<alloc::vec::Vec<_>>().join(" ");
        write!(f, "{} {detail}", self.reason)
    }
}

impl core::error::Error for Failure {}
