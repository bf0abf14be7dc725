use crate::prelude::*;
use core::ops::ControlFlow;

/// What an engine needs of the world.
///
/// ```
/// use core::ops::ControlFlow;
/// use rules::engine::{Command, Engine, Host};
///
/// struct OneFile;
/// impl Host for OneFile {
///     fn counting(&mut self, _counted: u64) -> ControlFlow<()> {
///         ControlFlow::Continue(())
///     }
///     fn below(&mut self, _bound: usize) -> usize {
///         0
///     }
///     fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
///         if name == "a.jiu" { Ok(b"W1: H8\nB2: G7\n".into()) } else { Err("there is one file".into()) }
///     }
/// }
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let report = engine.run(&Command::Check("a.jiu".into()), &mut OneFile).unwrap();
/// assert_eq!(report.to_string(), "1 segment, 2 acts: no faults");
/// assert_eq!(engine.run(&Command::Check("b.jiu".into()), &mut OneFile).unwrap_err().reason, "NO_FILE");
/// # Ok::<(), rules::OptionError>(())
/// ```
pub trait Host {
    /// Is told now and then how many sequences a count has come to, and may stop it.
    ///
    /// ```
    /// use rules::engine::{Host, NoHost};
    ///
    /// assert!(NoHost.counting(NoHost::COUNTED_MAX).is_continue());
    /// assert!(NoHost.counting(NoHost::COUNTED_MAX + 1).is_break());
    /// ```
    fn counting(&mut self, counted: u64) -> ControlFlow<()>;

    /// A number from 0 to `bound - 1`, by chance; 0 when `bound` is 0.
    ///
    /// ```
    /// use rules::engine::{Host, NoHost};
    ///
    /// assert_eq!((NoHost.below(6), NoHost.below(0)), (0, 0));
    /// ```
    fn below(&mut self, bound: usize) -> usize;

    /// The bytes of a file.
    ///
    /// ```
    /// use rules::engine::{Host, NoHost};
    ///
    /// assert_eq!(NoHost.read("a.jiu"), Err("there are no files here".into()));
    /// ```
    ///
    /// # Errors
    /// One sentence for a person that says why there are none.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String>;
}

/// A host without files or chance, that stops counts after [`NoHost::COUNTED_MAX`] sequences.
///
/// ```
/// use rules::engine::{Command, Engine, NoHost};
///
/// let mut engine = Engine::new(&rules::jiu::VARIANT)?;
/// let failure = engine.run(&Command::Check("a.jiu".into()), &mut NoHost).unwrap_err();
/// assert_eq!(failure.to_string(), "NO_FILE there are no files here");
/// # Ok::<(), rules::OptionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl NoHost {
    /// Where counts stop: well under a second.
    ///
    /// ```
    /// use rules::engine::{Command, Engine, NoHost};
    ///
    /// let mut engine = Engine::new(&rules::go::VARIANT)?;
    /// let mut perft = |depth| engine.run(&Command::Perft { depth, divide: false }, &mut NoHost);
    /// assert_eq!(perft(1).unwrap().to_string(), "362");
    /// assert_eq!(perft(2).unwrap_err().reason, "STOPPED");
    /// # Ok::<(), rules::OptionError>(())
    /// ```
    pub const COUNTED_MAX: u64 = 20_000;
}

impl Host for NoHost {
    fn counting(&mut self, counted: u64) -> ControlFlow<()> {
        if counted > NoHost::COUNTED_MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn below(&mut self, _bound: usize) -> usize {
        0
    }

    fn read(&mut self, _name: &str) -> Result<Vec<u8>, String> {
        Err("there are no files here".to_owned())
    }
}
