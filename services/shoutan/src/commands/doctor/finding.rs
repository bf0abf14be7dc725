//! What was found, and what to do about it.

use std::fmt;

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// It is well.
    Good,
    /// It is as it is.
    Note,
    /// It will be bad.
    Warning,
    /// It is bad.
    Bad,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// How it is.
    pub(super) verdict: Verdict,
    what: String,
    remedy: Option<String>,
}

impl Finding {
    /// It is well.
    pub(super) fn good(what: impl Into<String>) -> Self {
        Finding { verdict: Verdict::Good, what: what.into(), remedy: None }
    }

    /// It is as it is.
    pub(super) fn note(what: impl Into<String>) -> Self {
        Finding { verdict: Verdict::Note, what: what.into(), remedy: None }
    }

    /// It will be bad unless somebody does something.
    pub(super) fn warning(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Finding { verdict: Verdict::Warning, what: what.into(), remedy: Some(remedy.into()) }
    }

    /// It is bad until somebody does something.
    pub(super) fn bad(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Finding { verdict: Verdict::Bad, what: what.into(), remedy: Some(remedy.into()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Good => "ok  ",
            Verdict::Note => "    ",
            Verdict::Warning => "WARN",
            Verdict::Bad => "BAD ",
        };
        write!(f, "{mark}  {}", self.what)?;
        match &self.remedy {
            Some(remedy) => write!(f, "\n      {remedy}"),
            None => Ok(()),
        }
    }
}
