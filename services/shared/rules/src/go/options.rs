use super::VARIANT;
use crate::{
    OptionError, OptionInfo, RuleSet, RuleSetInfo,
    goban::{
        self, QuarterZi, Rules,
        options::{setup, size},
    },
    options::{fault, named, number},
};

/// A rule set that has been read.
pub type Start = goban::Start<Rules>;

/// The named rule sets, the text of 1988 first.
pub(super) const RULE_SETS: &[RuleSetInfo] = &[
    RuleSetInfo::new("cn1988", &[])
        .described("Chinese competition rules of 1988: komi 2 3/4 zi, repetition by articles 6 and 20"),
    RuleSetInfo::new("cn2002", &[("komi", "3.75"), ("repetition", "situational")])
        .described("the later Chinese text: komi 3 3/4 zi, no move may make the opponent face a board again"),
    RuleSetInfo::new("psk", &[("repetition", "psk")])
        .described("as cn1988 with article 6 alone: no board twice"),
    RuleSetInfo::new("simple", &[("repetition", "simple")])
        .described("as cn1988, but only the immediate retake of a ko is forbidden"),
];

/// Every option with its default.
pub(super) const OPTIONS: &[OptionInfo] = options! {
    "size" = "19" in "5..=25": "points a side of the board (article 1 names 19)";
    "komi" = "2.75" in "zi in quarters (2.75), or points in halves with pt (5.5pt)":
        "what Black gives White in the count (article 11)";
    "handicap" = "0" in "0..=9": "stones Black places where he likes before White's first move; 0 and 1 place none";
    "handicap_bonus" = "none" in "none | n | n_minus_1":
        "points White is given for n handicap stones, n being 2 or more";
    "repetition" = "cn1988" in "cn1988 | psk | situational | simple":
        "which repetitions of the board are forbidden (articles 6 and 20)";
    "long_cycle" = "draw" in "draw | replay | arbiter":
        "what a claimed long cycle or a third occurrence leads to (article 20.3)";
    "illegal_move" = "reject" in "reject | void_pass":
        "whether a forbidden move is refused, or void and costs the turn (articles 19 and 20.1)";
    "disputes" = "2" in "0..=9":
        "how often a dispute is played out before all stones are alive; 0 counts at once (article 21.3)";
    "setup" = "" in "empty, or rows from the top of '.', 'x' and 'o' joined by '/', then ' w' if White is to move":
        "the position the game starts from, if not an empty board";
};

impl Start {
    /// Reads a rule set of [`VARIANT`].
    ///
    /// # Errors
    /// The option that has no such value, or that does not exist.
    pub fn read(rule_set: &RuleSet) -> Result<Start, OptionError> {
        let options = VARIANT.resolve(rule_set)?;
        let size = size(&options)?;
        let komi = QuarterZi::parse(&options["komi"])
            .ok_or_else(|| fault("komi", "zi in quarters (2.75) or points in halves (5.5pt) are wanted"))?;
        let rules = Rules {
            komi,
            handicap: number(&options, "handicap", 0..=Rules::HANDICAP_MAX)?,
            handicap_bonus: named(&options, "handicap_bonus")?,
            repetition: named(&options, "repetition")?,
            long_cycle: named(&options, "long_cycle")?,
            illegal_move: named(&options, "illegal_move")?,
            disputes: number(&options, "disputes", 0..=Rules::DISPUTES_MAX)?,
        };
        Ok(Start { setup: setup(&options, size)?, rules })
    }
}
