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
pub(super) const OPTIONS: &[OptionInfo] = &[
    OptionInfo::new("size", "19", "5..=25")
        .described("points a side of the board (article 一.1 has 19); odd where handfuls are grabbed"),
    OptionInfo::new("placement", "grab", "grab | uniform | design").described(
        "how the first stones are found: handfuls, evenly, or by the players (articles 一.3, \
             一.6)",
    ),
    OptionInfo::new("stones", "4", "4 | 8").described("how many stones are drawn (articles 一.4 and 一.6a)"),
    OptionInfo::new("quadrants", "ne nw sw se", "ne, nw, sw and se in any order")
        .described("where quadrants 1 to 4 lie (article 一.3a, whose picture is lost)"),
    OptionInfo::new("base", "cn1988", "cn1988 | cn2002 | psk | simple").described(
        "whose rules of repetition hold where the text refers to the Chinese rules (article \
             四)",
    ),
    OptionInfo::new("long_cycle", "draw", "draw | replay | arbiter")
        .described("what a claimed long cycle or a third occurrence leads to"),
    OptionInfo::new("illegal_move", "reject", "reject | void_pass")
        .described("whether a forbidden move is refused, or void and costs the turn"),
    OptionInfo::new("disputes", "2", "0..=9")
        .described("how often a dispute is played out before all stones are alive; 0 counts at once"),
    OptionInfo::new("stage", "league", "league | knockout | final").described(
        "what the game is played for: in a knockout a draw may be a win for White (article \
             三.4)",
    ),
    OptionInfo::new("final_only", "false", "true | false").described(
        "whether a draw is a win for White in the final alone, as article 三.4 says to the \
             letter",
    ),
];

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
