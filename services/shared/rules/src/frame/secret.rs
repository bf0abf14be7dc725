use core::fmt;

/// A value that is not open yet: what is in it, neither `Debug` nor a hash tells.
///
/// ```
/// let bid = rules::Secret::new(7);
/// assert_eq!(format!("{bid:?}"), "Secret(..)");
/// assert_eq!(*bid.open(), 7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Closes a value.
    ///
    /// ```
    /// use rules::Secret;
    /// assert!(Secret::new(7) == Secret::new(7) && Secret::new(7) != Secret::new(8));
    /// ```
    pub const fn new(value: T) -> Secret<T> {
        Secret(value)
    }

    /// The value, for those who may know it.
    ///
    /// ```
    /// let bid = rules::Secret::new([1, 2]);
    /// assert_eq!(bid.open(), &[1, 2]);
    /// ```
    pub const fn open(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
