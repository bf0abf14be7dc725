use core::fmt;

/// A value that is not open yet: what is in it, neither `Debug` nor a hash tells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Closes a value.
    pub const fn new(value: T) -> Secret<T> {
        Secret(value)
    }

    /// The value, for those who may know it.
    pub const fn open(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
