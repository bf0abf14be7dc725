use core::ops::RangeInclusive;

use super::{Crossing, VARIANT};
use crate::{
    OptionError, OptionInfo, RuleSet,
    options::{named, number},
};

/// The options of the rules. The source knows no draw but by the arbiter (Article 6); the two draws here make
/// every game end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// How often a position with the same side to move must occur to be a draw: 2 to 10.
    pub draw_repetitions: u8,
    /// How many turns of the movement in a row without a capture are a draw: 10 to 1000.
    pub draw_quiet_plies: u16,
    /// Whether the competitive additions hold: fewer than four stones lose, a chain of one jump is not allowed
    /// while the opponent flies, two separate dalians against none win at once.
    pub competitive: bool,
    /// Where the two full lines of a qia must cross.
    pub crossing: Crossing,
}

pub(super) const OPTIONS: &[OptionInfo] = options! {
    "draw_repetitions" = "3" in "2..=10":
        "a position that occurs for this time with the same side to move is a draw (not in the source)";
    "draw_quiet_plies" = "100" in "10..=1000":
        "so many turns in a row without a capture are a draw (not in the source)";
    "competitive" = "false" in "true | false":
        "fewer than four stones lose, no single jump while the opponent flies, and two separate dalians against none win (additions to Articles 3 and 4)";
    "qia_crossing" = "anywhere" in "anywhere | landing":
        "where the two full lines of a qia cross (Article 3.3.7); at the landing they never can, so that is a game without qia";
};

/// One occurrence is no repetition; more than ten serve nobody.
const DRAW_REPETITIONS: RangeInclusive<u8> = 2..=10;

/// Below, a plan has no time; above, nothing bounds the length of a record.
const DRAW_QUIET_PLIES: RangeInclusive<u16> = 10..=1000;

impl Default for Options {
    fn default() -> Options {
        Options::from_rule_set(&RuleSet::named("")).expect("a variant takes its own defaults")
    }
}

impl Options {
    /// The options a rule set stands for.
    ///
    /// # Errors
    /// An unknown rule set or option, or a value outside its range.
    pub fn from_rule_set(rule_set: &RuleSet) -> Result<Options, OptionError> {
        let values = VARIANT.resolve(rule_set)?;
        Ok(Options {
            draw_repetitions: number(&values, "draw_repetitions", DRAW_REPETITIONS)?,
            draw_quiet_plies: number(&values, "draw_quiet_plies", DRAW_QUIET_PLIES)?,
            competitive: named(&values, "competitive")?,
            crossing: named(&values, "qia_crossing")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::options::complete;

    #[test]
    fn defaults_agree_with_the_variant() {
        assert_eq!(Options::from_rule_set(&RuleSet::named("")), Ok(Options::default()));
        assert_eq!(Options::from_rule_set(&RuleSet::named("aba")), Ok(Options::default()));
    }

    #[test]
    fn a_complete_rule_set_stands_for_the_same_options() {
        let given = RuleSet::named("aba-competitive").with("draw_repetitions", "5");
        let options = Options::from_rule_set(&given).expect("known options");
        let complete = complete(&VARIANT, &given, []).expect("they are known");
        assert_eq!(complete.options.len(), OPTIONS.len());
        assert_eq!(Options::from_rule_set(&complete), Ok(options));
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        for (name, value) in [
            ("draw_repetitions", "1"),
            ("draw_repetitions", "11"),
            ("draw_repetitions", "three"),
            ("draw_quiet_plies", "9"),
            ("draw_quiet_plies", "1001"),
            ("draw_quiet_plies", "99999999999999999999"),
            ("competitive", "1"),
            ("qia_crossing", "nowhere"),
            ("komi", "7"),
        ] {
            let refused = Options::from_rule_set(&RuleSet::named("aba").with(name, value));
            assert_eq!(refused.map_err(|error| error.option), Err(String::from(name)), "{name}={value}");
        }
        let unknown = Options::from_rule_set(&RuleSet::named("mongolian"));
        assert_eq!(unknown.map_err(|error| error.option), Err(String::from("rule_set")));
    }
}
