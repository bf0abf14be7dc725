use super::{Method, Rules, VARIANT};
use crate::{
    OptionError, OptionInfo, RuleSet, RuleSetInfo,
    goban::{self, Repetition, options::size},
    options::{choice, fault, named, number},
};

/// The named rule sets, the text as it stands first.
pub(super) const RULE_SETS: &[RuleSetInfo] = &[
    RuleSetInfo::new("tianyi2014", &[]).described(
        "the trial rules of 2014: four stones by handfuls, a bid for White, a tax on every \
             block",
    ),
    RuleSetInfo::new("eight", &[("stones", "8")]).described("as tianyi2014 with eight stones"),
    RuleSetInfo::new("uniform", &[("placement", "uniform")])
        .described("as tianyi2014, but every point within the first line is equally likely"),
    RuleSetInfo::new("design", &[("placement", "design")])
        .described("as tianyi2014, but the players design the position themselves"),
];

/// Every option with its default.
pub(super) const OPTIONS: &[OptionInfo] = options! {
    "size" = "19" in "5..=25": "points a side of the board (article 一.1 has 19); odd where handfuls are grabbed";
    "placement" = "grab" in "grab | uniform | design":
        "how the first stones are found: handfuls, evenly, or by the players (articles 一.3, 一.6)";
    "stones" = "4" in "4 | 8": "how many stones are drawn (articles 一.4 and 一.6a)";
    "quadrants" = "ne nw sw se" in "ne, nw, sw and se in any order":
        "where quadrants 1 to 4 lie (article 一.3a, whose picture is lost)";
    "base" = "cn1988" in "cn1988 | cn2002 | psk | simple":
        "whose rules of repetition hold where the text refers to the Chinese rules (article 四)";
    "long_cycle" = "draw" in "draw | replay | arbiter": "what a claimed long cycle or a third occurrence leads to";
    "illegal_move" = "reject" in "reject | void_pass":
        "whether a forbidden move is refused, or void and costs the turn";
    "disputes" = "2" in "0..=9": "how often a dispute is played out before all stones are alive; 0 counts at once";
    "stage" = "league" in "league | knockout | final":
        "what the game is played for: in a knockout a draw may be a win for White (article 三.4)";
    "final_only" = "false" in "true | false":
        "whether a draw is a win for White in the final alone, as article 三.4 says to the letter";
};

const STONES: &[(&str, u8)] = &[("4", 4), ("8", 8)];

/// The named sets of Go, by the one thing in which they differ for Tianyi.
const BASES: &[(&str, Repetition)] = &[
    ("cn1988", goban::Rules::CN1988.repetition),
    ("cn2002", goban::Rules::CN2002.repetition),
    ("psk", Repetition::Psk),
    ("simple", Repetition::Simple),
];

impl Rules {
    /// Reads a rule set of [`VARIANT`].
    ///
    /// # Errors
    /// The option that has no such value, or that does not exist.
    pub fn read(rule_set: &RuleSet) -> Result<Rules, OptionError> {
        let options = VARIANT.resolve(rule_set)?;
        let size = size(&options)?;
        let method: Method = named(&options, "placement")?;
        if !method.fits(size) {
            return Err(fault("placement", "handfuls are counted from a centre, so the size must be odd"));
        }
        let quadrants = options["quadrants"].parse();
        Ok(Rules {
            size,
            method,
            stones: choice(&options, "stones", STONES)?,
            quadrants: quadrants
                .map_err(|()| fault("quadrants", "ne, nw, sw and se are wanted, each once"))?,
            repetition: choice(&options, "base", BASES)?,
            long_cycle: named(&options, "long_cycle")?,
            illegal_move: named(&options, "illegal_move")?,
            disputes: number(&options, "disputes", 0..=goban::Rules::DISPUTES_MAX)?,
            stage: named(&options, "stage")?,
            final_only: named(&options, "final_only")?,
        })
    }
}
