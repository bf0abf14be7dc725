use alloc::borrow::Cow;
use core::fmt;

use crate::{ActError, prelude::*};

/// The most faults a report holds: beyond that a file is no record of the game.
///
/// ```
/// use rules::{RuleSet, engine::{FAULTS_MAX, check}, jiu};
///
/// let file = "W1: A1\n".repeat(FAULTS_MAX + 1);
/// let report = check(&jiu::VARIANT, &RuleSet::named(""), file.as_bytes());
/// assert_eq!(report.faults.len(), FAULTS_MAX);
/// assert!(report.to_string().ends_with("too many faults"));
/// ```
pub const FAULTS_MAX: usize = 1000;

/// What the check of a file has found. As text it has a line for each fault and one for the whole.
///
/// ```
/// use rules::{RuleSet, engine::check, jiu};
///
/// let report = check(&jiu::VARIANT, &RuleSet::named(""), b"W1: H8\nB2: A1\n");
/// assert_eq!((report.segments, report.acts, report.faults.len()), (1, 2, 1));
/// assert!(report.to_string().ends_with("\n1 segment, 2 acts: 1 fault"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many segments the file has: positions with what was played from them, or games.
    pub segments: u32,
    /// How many acts were looked at.
    pub acts: u32,
    /// What is illegal or inconsistent, in the order of the file, [`FAULTS_MAX`] at most.
    pub faults: Vec<Fault>,
}

/// Something in a file with which the rules, or the file itself, disagree.
///
/// ```
/// use rules::{RuleSet, engine::check, jiu};
///
/// let report = check(&jiu::VARIANT, &RuleSet::named(""), b"W1: H8\nB2: H8\n");
/// let fault = &report.faults[0];
/// assert_eq!((fault.line, fault.about.as_str(), fault.reason), (2, "B2 H8", "OCCUPIED"));
/// assert_eq!(fault.to_string(), "line 2: B2 H8: OCCUPIED a stone stands on H8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The segment, from 1.
    pub segment: u32,
    /// The line of the file, from 1; 0 when it is not known.
    pub line: u32,
    /// What is at fault: the act as it stands in the file, or `record`, or `position`.
    pub about: String,
    /// The stable name of the reason.
    pub reason: &'static str,
    /// One sentence for a person.
    pub detail: Cow<'static, str>,
}

impl Report {
    /// Whether nothing is wrong.
    ///
    /// ```
    /// use rules::{RuleSet, engine::check, jiu};
    ///
    /// let is_clean = |file: &str| check(&jiu::VARIANT, &RuleSet::named(""), file.as_bytes()).is_clean();
    /// assert!(is_clean("W1: H8\nB2: G7\n") && !is_clean("W1: A1\n"));
    /// ```
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether no more faults are taken.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= FAULTS_MAX
    }

    /// Adds a fault of the segment that is being looked at, if there is room.
    pub(super) fn add(&mut self, line: u32, about: &str, refusal: ActError) {
        if !self.is_full() {
            let (segment, about) = (self.segments, about.into());
            let ActError { reason, detail, .. } = refusal;
            self.faults.push(Fault { segment, line, about, reason, detail });
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.faults {
            if self.segments > 1 {
                write!(f, "segment {}, ", fault.segment)?;
            }
            writeln!(f, "{fault}")?;
        }
        let faults = match self.faults.len() {
            0 => "no faults".to_owned(),
            1 => "1 fault".to_owned(),
            FAULTS_MAX.. => "too many faults".to_owned(),
            count => format!("{count} faults"),
        };
        let plural = |count: u32| if count == 1 { "" } else { "s" };
        let (segments, acts) = (self.segments, self.acts);
        write!(f, "{segments} segment{}, {acts} act{}: {faults}", plural(segments), plural(acts))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{}: {} {}", self.about, self.reason, self.detail)
    }
}
