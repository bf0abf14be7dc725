//! What may be rated: ratings compare players only where all of them play about the same game.
//!
//! Everything else is played as well, and is casual.

use std::time::Duration;

use super::Settings;

/// What of a variant is rated, besides its rule sets as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rateable {
    variant: &'static str,
    /// The options that may differ from the rule set, with the values that they may have.
    options: &'static [(&'static str, &'static [&'static str])],
    /// The least time that a side is expected to have for a game.
    time_min: Duration,
}

/// Boards on which people play each other all over the world.
const BOARDS: &[(&str, &[&str])] = &[("size", &["9", "13", "19"])];
/// The same in Go, with the komi of the printed rules of 1988 and 2002, in zi.
const GO: &[(&str, &[&str])] = &[("size", &["9", "13", "19"]), ("komi", &["2.75", "3.75"])];
/// Who has less only races the network.
const TIME_MIN: Duration = Duration::from_mins(1);

/// The table; a variant that is not in it is not rated.
const TABLE: &[Rateable] = &[
    Rateable { variant: "go", options: GO, time_min: TIME_MIN },
    Rateable { variant: "jpd", options: BOARDS, time_min: TIME_MIN },
    Rateable { variant: "tianyi", options: BOARDS, time_min: TIME_MIN },
    Rateable { variant: "jiu", options: &[], time_min: TIME_MIN },
    // Its rules ask for half an hour themselves.
    Rateable { variant: "jirige", options: &[], time_min: TIME_MIN },
];

/// Why a game cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRateable {
    /// The variant has no ratings.
    #[error("games of this variant are not rated")]
    Variant,
    /// An option has another value than rated games have.
    #[error("with {option} = {value} a game is casual")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// There is too little time, or no limit.
    #[error("a rated game gives each side at least {} seconds, and has a limit", .0.as_secs())]
    Time(Duration),
}

/// Makes sure that a game with these settings may be rated.
///
/// # Errors
/// Why it may not.
pub fn may_be_rated(settings: &Settings) -> Result<(), NotRateable> {
    let row = TABLE.iter().find(|row| row.variant == settings.variant()).ok_or(NotRateable::Variant)?;
    for option in settings.changed() {
        let value = &settings.options()[option];
        let allowed =
            row.options.iter().any(|(name, values)| name == option && values.contains(&value.as_str()));
        if !allowed {
            return Err(NotRateable::Option { option, value: value.clone() });
        }
    }
    let control = settings.time_control();
    let least = [control.first, control.second].map(api::time_control::Control::expected).into_iter().min();
    match least.flatten() {
        Some(least) if least >= row.time_min => Ok(()),
        _ => Err(NotRateable::Time(row.time_min)),
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
        may_be_rated(&settings).map_err(|error| error.to_string())
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
        assert_eq!(TABLE.len(), rules::VARIANTS.len());
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
    fn settings_that_are_rated_are_of_the_table() {
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
