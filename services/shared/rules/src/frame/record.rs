use crate::{Author, Outcome, RuleSet, Side, prelude::*};
use alloc::borrow::Cow;

/// A game as it is written down: who played what under which rules, and how it ended.
///
/// A record is text that was read, not a game that was refereed: its acts may be illegal until they have
/// been replayed.
///
/// ```
/// use rules::{Act, Side, go};
/// let record = (go::VARIANT.parse_record)("(;GM[1]FF[4]SZ[9];B[ee])")?;
/// assert_eq!((record.variant, record.acts.len()), ("go", 1));
/// assert_eq!(record.acts[0], Act::by(Side::First, "E5"));
/// assert_eq!((go::VARIANT.parse_record)(&(go::VARIANT.print_record)(&record))?, record);
/// # Ok::<(), rules::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Identifier of the variant.
    pub variant: &'static str,
    /// The rules the record says it was played under.
    pub rule_set: RuleSet,
    /// Headings as name and value, in the order of the file: `first`, `second` (the players' names),
    /// `date`, `event`, `place`, `comment`.
    pub headings: Vec<(String, String)>,
    /// Every act, in order.
    pub acts: Vec<Act>,
    /// The outcome, if the record states one.
    pub outcome: Option<Outcome>,
}

/// One act of a record.
///
/// ```
/// use rules::{Act, Author, Side};
/// let act = Act { author: Author::Side(Side::First), text: "Q16".into() };
/// assert_eq!(act, Act::by(Side::First, "Q16"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Who acted.
    pub author: Author,
    /// The act in the variant's notation.
    pub text: String,
}

/// Why a text is not a record.
///
/// ```
/// use rules::RecordError;
/// let error = RecordError { line: 3, detail: "an act is wanted".into() };
/// assert_eq!(error.to_string(), "line 3: an act is wanted");
/// assert_eq!(RecordError { line: 0, ..error }.to_string(), "an act is wanted");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{detail}", place(*.line))]
pub struct RecordError {
    /// The line, from 1; 0 when no single line is at fault.
    pub line: u32,
    /// One sentence for a person, lower case and without a full stop.
    pub detail: Cow<'static, str>,
}

impl Act {
    /// An act of a player or the system.
    ///
    /// ```
    /// use rules::{Act, Author, Side};
    /// assert_eq!(Act::by(Side::First, "Q16").side(), Some(Side::First));
    /// assert_eq!(Act::by(Author::System, "expire").side(), None);
    /// ```
    pub fn by(author: impl Into<Author>, text: impl Into<String>) -> Act {
        Act { author: author.into(), text: text.into() }
    }

    /// The side that acted, unless it was the system.
    ///
    /// ```
    /// use rules::{Act, Author, Side};
    /// let acts = [Act::by(Author::System, "expire"), Act::by(Side::Second, "pass")];
    /// assert_eq!(acts.each_ref().map(Act::side), [None, Some(Side::Second)]);
    /// ```
    pub const fn side(&self) -> Option<Side> {
        self.author.side()
    }
}

impl Record {
    /// The value of a heading.
    ///
    /// ```
    /// let mut record = (rules::go::VARIANT.parse_record)("(;GM[1]FF[4]SZ[9];B[ee])")?;
    /// record.headings.push(("event".into(), "Spring".into()));
    /// assert_eq!(record.heading("event"), Some("Spring"));
    /// assert_eq!(record.heading("no-such-heading"), None);
    /// # Ok::<(), rules::RecordError>(())
    /// ```
    pub fn heading(&self, name: &str) -> Option<&str> {
        self.headings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The record of a running game as everybody may read it: the acts that [`crate::Game::sealed`] lists
    /// have their public text. It can be replayed as far as the first of them.
    ///
    /// ```
    /// let record = (rules::go::VARIANT.parse_record)("(;GM[1]FF[4]SZ[9];B[ee];W[cc])")?;
    /// let first = record.acts[0].clone();
    /// let public = record.without_sealed(&[(2, "bid ?".into())]);
    /// assert_eq!((&public.acts[0], &*public.acts[1].text), (&first, "bid ?"));
    /// # Ok::<(), rules::RecordError>(())
    /// ```
    #[must_use]
    pub fn without_sealed(mut self, sealed: &[(u32, String)]) -> Record {
        for (ply, public) in sealed {
            let index = usize::try_from(*ply).ok().and_then(|ply| ply.checked_sub(1));
            if let Some(act) = index.and_then(|index| self.acts.get_mut(index)) {
                act.text.clone_from(public);
            }
        }
        self
    }
}

/// Which line an error is in, before what is wrong with it.
fn place(line: u32) -> String {
    if line == 0 { String::new() } else { format!("line {line}: ") }
}
