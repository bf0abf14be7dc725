use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::ops::ControlFlow;

/// What an engine needs of the world.
pub trait Host {
    /// Is told now and then how many sequences a count has come to, and may stop it.
    fn counting(&mut self, counted: u64) -> ControlFlow<()>;

    /// A number from 0 to `bound - 1`, by chance; 0 when `bound` is 0.
    fn below(&mut self, bound: usize) -> usize;

    /// The bytes of a file.
    ///
    /// # Errors
    /// One sentence for a person that says why there are none.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String>;
}

/// A host without files or chance, that stops counts after [`NoHost::COUNTED_MAX`] sequences.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl NoHost {
    /// Where counts stop: well under a second.
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
