use core::ops::RangeInclusive;

use super::VARIANT;
use crate::{
    OptionError, OptionInfo, RuleSet, Side,
    options::{choice, named, number},
};

/// The options of the rules: every point in which the text of 2020 can be read in more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The first so many stones are placed round the centre (rule 6): 2, 1 or 8.
    pub ring_plies: u8,
    /// What a spear made while placing is worth in the opening (rule 10).
    pub spear_placement: SpearPlacement,
    /// In which order the opening stones are removed (rule 11).
    pub opening_order: OpeningOrder,
    /// When a chain must take two stones (rule 17).
    pub flight_jump_scope: FlightJumpScope,
    /// A side with so many stones or fewer has lost: 3 or 2.
    pub lose_at: u8,
    /// What becomes of a side to move that cannot.
    pub blocked: Blocked,
    /// The occurrence of a position from which a draw may be claimed.
    pub repetition_claim: u8,
    /// The occurrence of a position that is a draw at once.
    pub repetition_auto: u8,
    /// The plies of the moving phase without a capture from which a draw may be claimed.
    pub quiet_claim: u16,
    /// The plies of the moving phase without a capture that are a draw at once.
    pub quiet_auto: u16,
}

named! {
    /// What a spear made while placing adds to the opening removals.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SpearPlacement {
        /// The value of its line, 5 to 9.
        Value => "value",
        /// One stone.
        One => "one",
    }
}

named! {
    /// In which order the opening stones are removed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum OpeningOrder {
        /// Light removes all of its stones, then dark all of its own.
        Batch => "batch",
        /// First each side removes its one opening stone, then each what its squares and spears have earned; light
        /// first both times. A part of no stones is left out.
        Split => "split",
    }
}

named! {
    /// When a chain of a single jump is not allowed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum FlightJumpScope {
        /// While either side flies.
        Either => "either",
        /// While the mover flies.
        Mover => "mover",
        /// While both sides fly.
        Both => "both",
        /// While the mover's opponent flies and the mover, the stronger side, does not.
        Strong => "strong",
    }
}

named! {
    /// What becomes of a side to move that has no legal displacement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Blocked {
        /// It loses.
        Loss => "loss",
        /// The game is drawn.
        Draw => "draw",
    }
}

pub(super) const OPTIONS: &[OptionInfo] = options! {
    "ring_plies" = "2" in "1 | 2 | 8":
        "so many stones, from the first, are placed on the eight points round the centre (part 2, placing)";
    "spear_placement" = "value" in "value | one":
        "what a spear made while placing adds to the opening removals: its line's value, or one stone (part 3)";
    "opening_order" = "batch" in "batch | split":
        "all of light's opening removals before dark's, or first one stone each and then the rest (part 3)";
    "flight_jump_scope" = "either" in "either | mover | both | strong":
        "a chain must take two stones while either side flies, the mover, both, or only the mover's opponent (part 3, jumps)";
    "lose_at" = "3" in "2 | 3": "a side with so many stones or fewer has lost (part 4, losses, item 1)";
    "blocked" = "loss" in "loss | draw": "what becomes of a side to move that cannot (not in the source)";
    "repetition_claim" = "3" in "2..=100":
        "from this occurrence of a position on, the side to move may claim a draw (part 4, draws, item 2)";
    "repetition_auto" = "5" in "2..=100": "this occurrence of a position is a draw at once (part 4, draws, item 2)";
    "quiet_claim" = "100" in "1..=1000":
        "after so many plies of movement without a capture the side to move may claim a draw (part 4, draws, item 2)";
    "quiet_auto" = "150" in "1..=1000":
        "so many plies of movement without a capture are a draw at once (part 4, draws, item 2)";
    "setup" = "" in "empty, or a position: nine rows from rank 9 of 'x' (dark), 'o' (light) and '.' joined by '/', the phase, the side to move, and dark:LINES, light:LINES, quiet:PLIES, owed:STONES where they apply":
        "the position the game starts from, if not an empty board";
};

/// One occurrence is no repetition; beyond a hundred nobody counts.
const REPETITIONS: RangeInclusive<u8> = 2..=100;

/// Beyond a thousand quiet plies nothing would bound the length of a record.
const QUIET_PLIES: RangeInclusive<u16> = 1..=1000;

const RING_PLIES: &[(&str, u8)] = &[("1", 1), ("2", 2), ("8", 8)];
const LOSE_AT: &[(&str, u8)] = &[("2", 2), ("3", 3)];

impl Default for Options {
    fn default() -> Options {
        Options::from_rule_set(&RuleSet::named("")).expect("a variant takes its own defaults")
    }
}

impl Options {
    /// The options a rule set stands for; its `setup` is [`super::Setup::from_rule_set`].
    ///
    /// # Errors
    /// An unknown rule set or option, or a value outside its range.
    pub fn from_rule_set(rule_set: &RuleSet) -> Result<Options, OptionError> {
        let values = VARIANT.resolve(rule_set)?;
        Ok(Options {
            ring_plies: choice(&values, "ring_plies", RING_PLIES)?,
            spear_placement: named(&values, "spear_placement")?,
            opening_order: named(&values, "opening_order")?,
            flight_jump_scope: named(&values, "flight_jump_scope")?,
            lose_at: choice(&values, "lose_at", LOSE_AT)?,
            blocked: named(&values, "blocked")?,
            repetition_claim: number(&values, "repetition_claim", REPETITIONS)?,
            repetition_auto: number(&values, "repetition_auto", REPETITIONS)?,
            quiet_claim: number(&values, "quiet_claim", QUIET_PLIES)?,
            quiet_auto: number(&values, "quiet_auto", QUIET_PLIES)?,
        })
    }

    /// Whether a chain of `mover` must take two stones, when the sides given fly (rule 17).
    pub fn single_jump_barred(self, mover: Side, flies: [bool; 2]) -> bool {
        let [own, other] = [flies[mover.index()], flies[mover.other().index()]];
        match self.flight_jump_scope {
            FlightJumpScope::Either => own || other,
            FlightJumpScope::Mover => own,
            FlightJumpScope::Both => own && other,
            FlightJumpScope::Strong => other && !own,
        }
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
        for info in VARIANT.rule_sets {
            assert!(Options::from_rule_set(&RuleSet::named(info.id)).is_ok());
        }
    }

    #[test]
    fn a_complete_rule_set_stands_for_the_same_options() {
        let given = RuleSet::named("")
            .with("ring_plies", "8")
            .with("spear_placement", "one")
            .with("opening_order", "split")
            .with("flight_jump_scope", "strong")
            .with("lose_at", "2")
            .with("blocked", "draw")
            .with("repetition_claim", "4")
            .with("quiet_auto", "0160");
        let options = Options::from_rule_set(&given).expect("known options");
        let complete = complete(&VARIANT, &given, []).expect("they are known");
        assert_eq!(complete.options.len(), OPTIONS.len());
        assert_eq!(complete.options["quiet_auto"], "160");
        assert_eq!(Options::from_rule_set(&complete), Ok(options));
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        for (name, value) in [
            ("ring_plies", "3"),
            ("spear_placement", "two"),
            ("opening_order", ""),
            ("flight_jump_scope", "none"),
            ("lose_at", "4"),
            ("blocked", "win"),
            ("repetition_claim", "1"),
            ("repetition_auto", "101"),
            ("quiet_claim", "0"),
            ("quiet_auto", "99999999999999999999"),
            ("komi", "7"),
        ] {
            let refused = Options::from_rule_set(&RuleSet::named("").with(name, value));
            assert_eq!(refused.map_err(|error| error.option), Err(String::from(name)), "{name}={value}");
        }
    }

    #[test]
    fn the_four_scopes_of_rule_17() {
        let barred = |flight_jump_scope| {
            let options = Options { flight_jump_scope, ..Options::default() };
            [[false, false], [true, false], [false, true], [true, true]]
                .map(|flies| options.single_jump_barred(Side::First, flies))
        };
        assert_eq!(barred(FlightJumpScope::Either), [false, true, true, true]);
        assert_eq!(barred(FlightJumpScope::Mover), [false, true, false, true]);
        assert_eq!(barred(FlightJumpScope::Both), [false, false, false, true]);
        assert_eq!(barred(FlightJumpScope::Strong), [false, false, true, false]);
    }
}
