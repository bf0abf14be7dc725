//! Who published a message: a process tells its own listeners itself, and takes no notice when Redis brings it back.

use uuid::Uuid;

/// A process that publishes. Each message begins with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speaker(Uuid);

impl Speaker {
    /// A name that nobody else has. It is drawn, not passed in: nothing is decided by it.
    pub(super) fn new() -> Self {
        Speaker(Uuid::new_v4())
    }

    /// One of so many, which falls to this speaker: each to as many speakers as another.
    pub(super) fn among(self, count: usize) -> usize {
        let [.., last] = *self.0.as_bytes();
        usize::from(last) % count.max(1)
    }

    /// A message as it is published.
    pub(super) fn say(self, message: &[u8]) -> Vec<u8> {
        [self.0.as_bytes().as_slice(), message].concat()
    }

    /// What somebody else has published; nothing if it was this speaker.
    pub(super) fn heard(self, said: &[u8]) -> Option<&[u8]> {
        let (name, message) = said.split_at_checked(size_of::<Uuid>())?;
        (name != self.0.as_bytes()).then_some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_a_few_falls_to_somebody() {
        let found: std::collections::BTreeSet<_> = (0..500).map(|_| Speaker::new().among(6)).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Speaker::new().among(1), 0);
    }

    #[test]
    fn everybody_else_hears_what_is_said() {
        let (one, other) = (Speaker::new(), Speaker::new());
        let said = one.say(b"a move");
        assert_eq!(other.heard(&said), Some(b"a move".as_slice()));
        assert_eq!(one.heard(&said), None);
        assert_eq!(other.heard(&one.say(b"")), Some(b"".as_slice()));
        assert_eq!(other.heard(b"too short"), None);
    }
}
