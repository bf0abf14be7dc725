//! Times on leave, and what they move.

use std::time::Duration;

use time::OffsetDateTime;

/// A time for which somebody is away: from its beginning until before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// When it begins.
    pub from: OffsetDateTime,
    /// When it is over.
    pub until: OffsetDateTime,
}

impl Span {
    /// Whether a moment falls into it.
    pub fn contains(&self, at: OffsetDateTime) -> bool {
        (self.from..self.until).contains(&at)
    }

    /// Whether there is a moment that falls into both.
    pub fn overlaps(&self, other: &Span) -> bool {
        self.from < other.until && other.from < self.until
    }

    /// How long it is.
    pub fn length(&self) -> Duration {
        Duration::try_from(self.until - self.from).unwrap_or_default()
    }
}

/// The same times, the earliest first, without those that touch: two who are away at once are away once.
pub fn united(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut united: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans.into_iter().filter(|it| it.from < it.until) {
        match united.last_mut() {
            Some(last) if span.from <= last.until => last.until = last.until.max(span.until),
            _ => united.push(span),
        }
    }
    united
}

/// When as much time has passed since `from` as until `until`, without the time `away`, which is united: whatever ends within
/// it, or after it, ends so much later.
pub fn moved(from: OffsetDateTime, until: OffsetDateTime, away: &[Span]) -> OffsetDateTime {
    let (mut at, mut left) = (from, until - from);
    for span in away.iter().filter(|span| from < span.until) {
        let begins = span.from.max(from);
        if at + left <= begins {
            break;
        }
        left -= begins - at;
        at = span.until;
    }
    at + left
}

/// How much time passes from one moment to another without the time `away`, which is united.
pub fn counted(from: OffsetDateTime, until: OffsetDateTime, away: &[Span]) -> Duration {
    let within = away.iter().map(|span| span.until.min(until) - span.from.max(from));
    let lost: time::Duration = within.filter(|it| it.is_positive()).sum();
    Duration::try_from(until - from - lost).unwrap_or_default()
}
