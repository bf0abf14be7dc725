//! Limits as data: what the platform refuses to do more of, and why; the documentation prints them from here.
//!
//! A limit stands where it is kept to, as a constant or a setting, and its crate lists it in a `LIMITS`.

use std::{fmt, time::Duration};

/// A limit of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is limited, in a few words: `connections from one address`.
    pub name: &'static str,
    /// How much there may be when nobody says otherwise.
    pub amount: Amount,
    /// The setting that changes it (`--connections-per-address`), if there is one.
    pub setting: Option<&'static str>,
    /// Why it is what it is, in one sentence.
    pub reason: &'static str,
}

/// How much there may be of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So many.
    Count(u64),
    /// So many bytes.
    Bytes(u64),
    /// So long.
    Time(Duration),
    /// So many in a second.
    PerSecond(u64),
    /// So many within a span of time.
    Within(u64, Duration),
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Amount::Count(count) => write!(f, "{}", grouped(count)),
            Amount::Bytes(bytes) => write!(f, "{}", binary(bytes)),
            Amount::Time(time) => write!(f, "{}", spoken(time)),
            Amount::PerSecond(count) => write!(f, "{} a second", grouped(count)),
            Amount::Within(count, time) => write!(f, "{} in {}", grouped(count), spoken(time)),
        }
    }
}

fn grouped(count: u64) -> String {
    if count < 1000 { count.to_string() } else { format!("{},{:03}", grouped(count / 1000), count % 1000) }
}

fn binary(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 && bytes % (1 << 20) == 0 => format!("{} MiB", grouped(bytes >> 20)),
        bytes if bytes >= 1 << 10 && bytes % (1 << 10) == 0 => format!("{} KiB", grouped(bytes >> 10)),
        bytes => format!("{} bytes", grouped(bytes)),
    }
}

fn spoken(time: Duration) -> String {
    let ms = time.as_millis();
    for (unit, name) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1000, "s")] {
        if ms >= unit && ms.is_multiple_of(unit) {
            return format!("{} {name}", ms / unit);
        }
    }
    format!("{ms} ms")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Amount;

    #[test]
    fn amounts_are_said_in_the_largest_unit_that_fits() {
        let check = |amount: Amount, said: &str| assert_eq!(amount.to_string(), said);
        check(Amount::Count(1_234_567), "1,234,567");
        check(Amount::Bytes(4 << 20), "4 MiB");
        check(Amount::Bytes(1500), "1,500 bytes");
        check(Amount::Time(Duration::from_millis(1500)), "1500 ms");
        check(Amount::Time(Duration::from_secs(90)), "90 s");
        check(Amount::Time(Duration::from_hours(24)), "1 d");
        check(Amount::PerSecond(200), "200 a second");
        check(Amount::Within(60, Duration::from_hours(1)), "60 in 1 h");
    }
}
