//! What may be rated: ratings compare players only where all of them play about the same game.
//!
//! Everything else is played as well, and is casual.

use std::time::Duration;

use rules::RatedRule;

use super::Settings;

/// Why a game cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRateable {
    /// An option has another value than rated games have.
    #[error("with {option} = {value} a game is casual")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// One side has more time than the other.
    #[error("in a rated game both sides have the same time")]
    Unequal,
    /// There is too little time, or no limit.
    #[error("a rated game gives each side at least {} seconds, and has a limit", .0.as_secs())]
    Time(Duration),
}

/// Makes sure that a game with these settings may be rated as the variant says.
///
/// # Errors
/// Why it may not.
pub(super) fn may_be_rated(settings: &Settings, rated: &RatedRule) -> Result<(), NotRateable> {
    for option in settings.changed() {
        let value = &settings.options()[option];
        if !rated.allows(option, value) {
            return Err(NotRateable::Option { option, value: value.clone() });
        }
    }
    let control = settings.time_control();
    if control.first != control.second {
        return Err(NotRateable::Unequal);
    }
    let least = [control.first, control.second].map(api::time_control::Control::expected).into_iter().min();
    match least.flatten() {
        Some(least) if least >= rated.time_min => Ok(()),
        _ => Err(NotRateable::Time(rated.time_min)),
    }
}

#[cfg(test)]
mod tests {
    use rules::RuleSet;

    use super::*;

    fn asked(variant: &str, options: &[(&str, &str)], control: &str) -> Result<(), String> {
        let rules = options.iter().fold(RuleSet::named(""), |rules, (name, value)| rules.with(name, value));
        let control = control.parse().expect("a time control");
        let settings = Settings::new(variant, &rules, control, false).expect("it can be played");
        let rated = rules::variant(variant).expect("a variant").rated;
        may_be_rated(&settings, &rated).map_err(|error| error.to_string())
    }

    #[test]
    fn every_variant_is_rated_as_its_rule_sets_have_it() {
        for variant in rules::VARIANTS {
            for info in variant.rule_sets {
                let control = "30m+3s".parse().expect("a time control");
                let settings = Settings::new(variant.id, &RuleSet::named(info.id), control, true);
                assert!(settings.is_ok(), "{} {}: {settings:?}", variant.id, info.id);
            }
        }
    }

    #[test]
    fn games_that_compare_nobody_are_casual() {
        assert_eq!(asked("go", &[("size", "9")], "10m"), Ok(()));
        assert_eq!(asked("go", &[("komi", "3.75")], "10m"), Ok(()));
        assert_eq!(asked("go", &[], "3d/move"), Ok(()));
        for (variant, options, control) in [
            ("go", &[("size", "5")][..], "10m"),
            ("go", &[("handicap", "9")], "10m"),
            ("go", &[("komi", "100")], "10m"),
            ("jpd", &[("size", "5")], "10m"),
            ("go", &[], "1s"),
            ("go", &[], "30s"),
            ("jiu", &[], "none"),
        ] {
            assert!(asked(variant, options, control).is_err(), "{variant} {options:?} {control}");
        }
    }

    #[test]
    fn who_has_more_time_is_compared_with_nobody() {
        let [mut unequal, other] = ["10m", "20m"]
            .map(|text| text.parse::<api::time_control::TimeControl>().expect("a time control"));
        unequal.second = other.second;
        let settings = |rated| Settings::new("go", &RuleSet::named(""), unequal, rated);
        assert!(settings(false).is_ok());
        let refused = settings(true).expect_err("refused");
        assert!(matches!(refused, crate::core::BadSettings::NotRateable(NotRateable::Unequal)));
    }

    #[test]
    fn settings_that_are_rated_are_as_the_variant_says() {
        let rules = RuleSet::named("").with("size", "5");
        let control: api::time_control::TimeControl = "10m".parse().expect("a time control");
        let refused = Settings::new("go", &rules, control, true).expect_err("refused");
        assert!(matches!(
            refused,
            crate::core::BadSettings::NotRateable(NotRateable::Option { option: "size", .. })
        ));
        assert!(Settings::new("go", &rules, control, false).is_ok());
    }
}
