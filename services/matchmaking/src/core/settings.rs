//! What is played in a pool.

use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};

use api::time_control::{BadTimeControl, TimeControl};
use rules::{OptionError, RuleSet, Variant};

use super::rateable::{NotRateable, may_be_rated};

/// The longest text form, in bytes: with a prefix it still fits what live state takes as a name.
const TEXT_MAX: usize = 180;
/// Between the parts of the text form, and between its options.
const PART: char = '|';
const OPTION: char = ';';

/// What two players must agree on to play each other, checked and in one canonical form: whoever asks for
/// the same game gets the same settings, however he put it.
///
/// Its text form ([`Display`](fmt::Display) and [`FromStr`]) names the pool; it has the options that differ
/// from the rule set: `go|cn2002|komi=5.5;size=13|5m+3s|rated`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Settings {
    variant: &'static str,
    rule_set: &'static str,
    options: BTreeMap<&'static str, String>,
    changed: Vec<&'static str>,
    time_control: TimeControl,
    rated: bool,
}

/// Why a game with such settings cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    /// There is no such variant.
    #[error("there is no variant {0:?}")]
    UnknownVariant(String),
    /// The rules refuse the rule set or one of its options.
    #[error("{0}")]
    RuleSet(OptionError),
    /// The rules of the variant ask for more time.
    #[error("{0}")]
    TimeControl(BadTimeControl),
    /// The game would be rated, and may not be.
    #[error(transparent)]
    NotRateable(NotRateable),
    /// A text that is not the text form of settings.
    #[error("not the name of a pool")]
    Text,
}

impl Settings {
    /// Checks what a player asks for with the rules of the variant.
    ///
    /// # Errors
    /// When there is no such variant, or its rules refuse the rule set or the time control, or so much is
    /// changed from the rule set that the text form exceeds 180 bytes, or such a game is not rated.
    pub fn new(
        variant: &str,
        asked: &RuleSet,
        time_control: TimeControl,
        rated: bool,
    ) -> Result<Self, BadSettings> {
        let variant =
            rules::variant(variant).ok_or_else(|| BadSettings::UnknownVariant(variant.to_owned()))?;
        time_control.at_least(variant.main_time_min).map_err(BadSettings::TimeControl)?;
        // The game itself says what its rules are: it knows that two spellings of a value mean the same.
        let game = (variant.start)(asked).map_err(BadSettings::RuleSet)?;
        let options = variant.resolve(game.rule_set()).map_err(BadSettings::RuleSet)?;
        let (rule_set, changed) = nearest_rule_set(variant, &options);
        let settings = Settings { variant: variant.id, rule_set, options, changed, time_control, rated };
        let separators = [PART, OPTION];
        if settings.options.values().any(|value| value.contains(separators))
            || settings.to_string().len() > TEXT_MAX
        {
            let detail = "too much is changed from the rule set".into();
            return Err(BadSettings::RuleSet(OptionError { option: "rule_set".to_owned(), detail }));
        }
        if rated {
            may_be_rated(&settings, &variant.rated).map_err(BadSettings::NotRateable)?;
        }
        Ok(settings)
    }

    /// The variant and the time control of which a text form is, without looking at the rest of it; nothing where this version
    /// does not know them.
    pub fn kinds_of(text: &str) -> Option<(&'static str, TimeControl)> {
        let mut parts = text.split(PART);
        let variant = rules::variant(parts.next()?)?;
        Some((variant.id, parts.nth(2)?.parse().ok()?))
    }

    /// The variant's identifier.
    pub const fn variant(&self) -> &'static str {
        self.variant
    }

    /// The name under which such games are rated.
    pub fn rated_as(&self) -> Cow<'static, str> {
        let value_of = |option: &str| self.options.get(option).map(String::as_str);
        rules::variant(self.variant).map_or(Cow::Borrowed(self.variant), |variant| variant.rated_as(value_of))
    }

    /// The rule set from which the options differ least; the variant's earlier one where two do.
    pub const fn rule_set(&self) -> &'static str {
        self.rule_set
    }

    /// Every option with its value.
    pub const fn options(&self) -> &BTreeMap<&'static str, String> {
        &self.options
    }

    /// The options that differ from the rule set.
    pub(super) fn changed(&self) -> &[&'static str] {
        &self.changed
    }

    /// How much time each side has.
    pub const fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// Whether the game counts for the ratings.
    pub const fn rated(&self) -> bool {
        self.rated
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{PART}{}{PART}", self.variant, self.rule_set)?;
        let mut separator = "";
        for name in &self.changed {
            write!(f, "{separator}{name}={}", self.options[name])?;
            separator = ";";
        }
        let rated = if self.rated { "rated" } else { "casual" };
        write!(f, "{PART}{}{PART}{rated}", self.time_control)
    }
}

impl FromStr for Settings {
    type Err = BadSettings;

    fn from_str(text: &str) -> Result<Self, BadSettings> {
        let parts: Vec<&str> = text.split(PART).collect();
        let [variant, rule_set, options, time_control, rated] = parts[..] else {
            return Err(BadSettings::Text);
        };
        let mut asked = RuleSet::named(rule_set);
        for option in options.split(OPTION).filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').ok_or(BadSettings::Text)?;
            asked = asked.with(name, value);
        }
        let time_control = time_control.parse().map_err(|_| BadSettings::Text)?;
        let rated = match rated {
            "rated" => true,
            "casual" => false,
            _ => return Err(BadSettings::Text),
        };
        Settings::new(variant, &asked, time_control, rated)
    }
}

/// The rule set that gives these options with the fewest changes, and the names of what is changed.
fn nearest_rule_set(
    variant: &'static Variant,
    options: &BTreeMap<&'static str, String>,
) -> (&'static str, Vec<&'static str>) {
    let changed = |id: &str| -> Vec<&'static str> {
        let named = variant.resolve(&RuleSet::named(id)).unwrap_or_default();
        options
            .iter()
            .filter(|(name, value)| named.get(*name) != Some(*value))
            .map(|(name, _)| *name)
            .collect()
    };
    let candidates = variant.rule_sets.iter().map(|info| (info.id, changed(info.id)));
    candidates.min_by_key(|(_, changed)| changed.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough for every variant.
    fn ample() -> TimeControl {
        "30m+3s".parse().expect("a time control")
    }

    #[test]
    fn what_is_the_same_game_has_the_same_settings() {
        for variant in rules::VARIANTS {
            let default = Settings::new(variant.id, &RuleSet::named(""), ample(), true).expect("a default");
            for info in variant.rule_sets {
                let named = Settings::new(variant.id, &RuleSet::named(info.id), ample(), true)
                    .expect("a rule set of the variant's own");
                // Naming every option changes nothing, whatever rule set they are changed from.
                for from in variant.rule_sets {
                    let spelled = named
                        .options()
                        .iter()
                        .fold(RuleSet::named(from.id), |rules, (name, value)| rules.with(name, value));
                    assert_eq!(Settings::new(variant.id, &spelled, ample(), true).as_ref(), Ok(&named));
                }
            }
            assert_eq!(Some(default.rule_set()), variant.rule_sets.first().map(|info| info.id));
        }
    }

    #[test]
    fn the_text_form_round_trips_and_tells_pools_apart() {
        let mut names = std::collections::BTreeSet::new();
        let mut count = 0;
        for variant in rules::VARIANTS {
            for info in variant.rule_sets {
                for time in ["30m+3s", "40m", "30m+3s<1h", "30m+3x30s"] {
                    for rated in [true, false] {
                        let time = time.parse().expect("a time control");
                        let settings =
                            Settings::new(variant.id, &RuleSet::named(info.id), time, rated).expect("valid");
                        assert_eq!(settings.to_string().parse(), Ok(settings.clone()));
                        let kinds = Settings::kinds_of(&settings.to_string());
                        assert_eq!(kinds, Some((variant.id, settings.time_control())));
                        names.insert(settings.to_string());
                        count += 1;
                    }
                }
            }
        }
        assert!(count >= 8, "there is a variant to play");
        assert_eq!(names.len(), count);
    }

    #[test]
    fn jirige_is_not_played_in_less_than_half_an_hour() {
        let short = "29m+30s".parse().expect("a time control");
        let asked = |variant| Settings::new(variant, &RuleSet::named(""), short, false);
        assert!(matches!(asked("jirige"), Err(BadSettings::TimeControl(_))));
        assert!(asked("jiu").is_ok());
    }

    #[test]
    fn texts_that_name_no_pool_are_refused() {
        for text in
            ["", "go", "go||||", "go|x|y|5m|rated", "go|x||5m|perhaps", "go|x||0s|rated", "a|b|c=d|5m"]
        {
            assert_eq!(text.parse::<Settings>(), Err(BadSettings::Text), "{text}");
            let named = text.starts_with("go|") && text.contains("5m");
            assert_eq!(Settings::kinds_of(text).is_some(), named, "{text}");
        }
    }

    #[test]
    fn the_rules_are_asked() {
        let unknown = Settings::new("halma", &RuleSet::named(""), ample(), false);
        assert_eq!(unknown, Err(BadSettings::UnknownVariant("halma".to_owned())));
        for variant in rules::VARIANTS {
            for bad in [RuleSet::named("no-such"), RuleSet::named("").with("no_such", "1")] {
                let refused = Settings::new(variant.id, &bad, ample(), false);
                assert!(matches!(refused, Err(BadSettings::RuleSet(_))), "{refused:?}");
            }
        }
    }
}
