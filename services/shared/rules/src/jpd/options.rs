use super::{HalfPoints, Rules, VARIANT};
use crate::{
    OptionError, OptionInfo, RuleSet, RuleSetInfo,
    goban::{
        self,
        options::{setup, size},
    },
    options::{choice, fault, named, number},
    prelude::*,
};

/// A rule set that has been read.
pub type Start = goban::Start<Rules>;

/// The named rule sets.
pub(super) const RULE_SETS: &[RuleSetInfo] = &[
    RuleSetInfo::new("jipingdian", &[])
        .described("Ji Ping Dian rules as their examples bear them out: komi 6.5 on 19 lines, none below"),
    RuleSetInfo::new("literal", &[("filling", "free"), ("natural_end", "adjacent")]).described(
        "as jipingdian, with free filling on demand (article 27) and liberties alone at an end without \
                    agreement (article 30)",
    ),
];

/// Every option with its default.
pub(super) const OPTIONS: &[OptionInfo] = options! {
    "size" = "19" in "5..=25": "points a side of the board (article 15 names 7, 9, 19 and 21)";
    "komi" = STANDARD in "points in halves (6.5), or standard: 6.5 from 19 lines on and none below":
        "what Black gives White for the first move (article 37)";
    "compensation" = "plays" in "plays | passes":
        "whether n more moves are counted by the moves made or by the other side's passes (article 38)";
    "virtual_counts" = "yes" in "yes | no":
        "whether a virtual move is one of the moves that are paid for (articles 4, 19 and 38)";
    "suicide_counts" = "yes" in "yes | no":
        "whether the suicide of a single stone is one of the moves that are paid for (article 38)";
    "memory" = "kept" in "kept | reset":
        "whether what was faced before a stop counts once play is resumed (articles 28 and 32)";
    "filling" = "counted" in "counted | free":
        "whether moves after a demand to fill neutral points are paid for (articles 27 and 39)";
    "natural_end" = "area" in "area | adjacent":
        "whose empty points are when nothing is agreed on: enclosed regions, or liberties alone (articles 10 and 30)";
    "disputes" = "2" in "0..=9":
        "how often a dispute is played out, and filling demanded by each side, before all stones are alive; 0 counts at once (article 28)";
    "setup" = "" in "empty, or rows from the top of '.', 'x' and 'o' joined by '/', then ' w' if White is to move":
        "the position the game starts from, if not an empty board (article 18)";
};

/// The komi that depends on the size.
const STANDARD: &str = "standard";

const YES_NO: &[(&str, bool)] = &[("yes", true), ("no", false)];

impl Start {
    /// Reads a rule set of [`VARIANT`].
    ///
    /// # Errors
    /// The option that has no such value, or that does not exist.
    pub fn read(rule_set: &RuleSet) -> Result<Start, OptionError> {
        let options = VARIANT.resolve(rule_set)?;
        let size = size(&options)?;
        let komi = match options["komi"].as_str() {
            STANDARD => Some(Rules::standard_komi(size)),
            points => HalfPoints::parse(points),
        };
        let rules = Rules {
            komi: komi.ok_or_else(|| fault("komi", "points in halves (6.5) or standard are wanted"))?,
            compensation: named(&options, "compensation")?,
            virtual_counts: choice(&options, "virtual_counts", YES_NO)?,
            suicide_counts: choice(&options, "suicide_counts", YES_NO)?,
            memory: named(&options, "memory")?,
            filling: named(&options, "filling")?,
            natural_end: named(&options, "natural_end")?,
            disputes: number(&options, "disputes", 0..=Rules::DISPUTES_MAX)?,
        };
        Ok(Start { setup: setup(&options, size)?, rules })
    }

    /// The komi as the option names it.
    pub(super) fn komi_written(&self) -> String {
        let usual = self.rules.komi == Rules::standard_komi(self.setup.board().rows());
        if usual { STANDARD.to_owned() } else { self.rules.komi.to_string() }
    }
}
