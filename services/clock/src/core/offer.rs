//! The time controls that the platform offers for matching.

use api::time_control::TimeControl;
use rules::{VARIANTS, Variant};

/// The controls that are usual for a variant, or for any where none is named, each once, from fast to slow by the time
/// that a side is expected to use.
pub fn offers(variant: Option<&Variant>) -> Vec<TimeControl> {
    let variants = VARIANTS.iter().copied().filter(|known| variant.is_none_or(|variant| *known == variant));
    let texts = variants.flat_map(|variant| variant.time_controls);
    let mut controls: Vec<TimeControl> = texts.filter_map(|text| text.parse().ok()).collect();
    controls.sort_by_key(|control| (control.expected(), *control));
    controls.dedup();
    controls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_offers_controls_that_its_own_rules_take_from_fast_to_slow() {
        for variant in VARIANTS {
            let controls = offers(Some(variant));
            let texts: Vec<String> = controls.iter().map(ToString::to_string).collect();
            assert_eq!(texts, variant.time_controls, "{}", variant.id);
            assert!(!controls.is_empty(), "{}", variant.id);
            for control in controls {
                assert_eq!(control.at_least(variant.main_time_min), Ok(()), "{}: {control}", variant.id);
            }
        }
    }

    #[test]
    fn what_is_offered_for_any_is_what_is_offered_for_each() {
        let all = offers(None);
        assert!(all.is_sorted_by_key(|control| control.expected()));
        assert!(VARIANTS.iter().flat_map(|variant| offers(Some(variant))).all(|one| all.contains(&one)));
        assert!(all.iter().enumerate().all(|(at, one)| !all[..at].contains(one)));
    }
}
