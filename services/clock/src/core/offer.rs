//! The time controls that the platform offers for matching.

use std::time::Duration;

use api::time_control::{Control, TimeControl};

/// A time control on offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The control.
    pub control: TimeControl,
    /// The variants for which it is usual.
    pub variants: &'static [&'static str],
}

/// The controls that are usual for a variant (all of them for the empty name, none for an unknown one), from
/// fast to slow by the time that a side is expected to use.
pub fn offers(variant: &str) -> Vec<Offer> {
    OFFERS.iter().filter(|offer| variant.is_empty() || offer.variants.contains(&variant)).copied().collect()
}

/// Go keeps the last minutes of a competition's main time, one at grass-roots and five at national events
/// (competition.md 1.8, go.md 1.5). Jirige is played with a fixed time of 60, 50 or 40 minutes by level of
/// event and never under 30 (competition.md 1.8, jirige.md article 4). Jiu's rules set no times: it has an even
/// spread.
const OFFERS: &[Offer] = &[
    Offer { control: fischer(3, 2), variants: &["go", "jiu"] },
    Offer { control: fischer(5, 3), variants: &["go", "jiu"] },
    Offer { control: absolute(10), variants: &["jiu"] },
    Offer { control: fischer(10, 5), variants: &["go", "jiu"] },
    Offer { control: byo_yomi(10, 3, 30), variants: &["go", "jiu"] },
    Offer { control: absolute(30), variants: &["jiu", "jirige"] },
    Offer { control: byo_yomi(20, 5, 30), variants: &["go", "jiu"] },
    Offer { control: absolute(40), variants: &["jirige"] },
    Offer { control: absolute(50), variants: &["jirige"] },
    Offer { control: reserved(30, 1), variants: &["go"] },
    Offer { control: absolute(60), variants: &["jiu", "jirige"] },
    Offer { control: reserved(60, 5), variants: &["go"] },
    Offer { control: byo_yomi(55, 5, 60), variants: &["jiu"] },
    Offer { control: reserved(120, 5), variants: &["go"] },
    Offer { control: correspondence(1), variants: &["go", "jiu", "jirige"] },
    Offer { control: correspondence(3), variants: &["go", "jiu", "jirige"] },
];

const fn absolute(minutes: u64) -> TimeControl {
    TimeControl::same(Control::Absolute { main: Duration::from_mins(minutes) })
}

const fn fischer(minutes: u64, seconds: u64) -> TimeControl {
    let increment = Duration::from_secs(seconds);
    TimeControl::same(Control::Fischer { main: Duration::from_mins(minutes), increment, cap: None })
}

const fn byo_yomi(minutes: u64, periods: u32, seconds: u64) -> TimeControl {
    let period = Duration::from_secs(seconds);
    TimeControl::same(Control::ByoYomi { main: Duration::from_mins(minutes), period, periods })
}

const fn reserved(minutes: u64, kept: u32) -> TimeControl {
    TimeControl::same(Control::Reserved { main: Duration::from_mins(minutes), minutes: kept })
}

const fn correspondence(days: u32) -> TimeControl {
    TimeControl::same(Control::Correspondence { days })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offer_is_within_the_limits_and_they_go_from_fast_to_slow() {
        let offers = offers("");
        assert_eq!(offers.len(), OFFERS.len());
        for offer in &offers {
            assert_eq!(offer.control.checked(), Ok(offer.control));
            assert!(!offer.variants.is_empty());
            for variant in offer.variants {
                assert_eq!(offer.control.suits(variant), Ok(()), "{}", offer.control);
            }
        }
        assert!(offers.is_sorted_by_key(|offer| offer.control.expected()));
    }

    #[test]
    fn jirige_has_a_fixed_time_of_half_an_hour_or_more_or_days() {
        let texts: Vec<String> = offers("jirige").iter().map(|offer| offer.control.to_string()).collect();
        assert_eq!(texts, ["30m", "40m", "50m", "1h", "1d/move", "3d/move"]);
    }

    #[test]
    fn an_unknown_variant_has_none() {
        assert_eq!(offers("halma"), []);
    }
}
