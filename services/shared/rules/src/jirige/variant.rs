use super::{conduct::CONDUCT, game, options::OPTIONS, parse_record, print_record};
use crate::{ActKind, OfferRule, RuleSetInfo, StoneColour, Variant};

/// Jirige for the frame: dark is the first side and places first, light moves first.
///
/// ```
/// use rules::{RuleSet, jirige::VARIANT};
///
/// assert_eq!(rules::variant("jirige").map(|variant| variant.native_name), Some(VARIANT.native_name));
/// let game = (VARIANT.start)(&RuleSet::named("2020").with("lose_at", "2"))?;
/// assert_eq!((game.phase(), game.rule_set().options["lose_at"].as_str()), ("place", "2"));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub static VARIANT: Variant = Variant {
    id: "jirige",
    name: "Jirige",
    native_name: "吉日格棋",
    colours: [StoneColour::Black, StoneColour::White],
    rule_sets: &[RuleSetInfo {
        id: "2020",
        describes: "the competition rules of 12 January 2020, with the draws the source leaves open",
        sets: &[],
    }],
    options: OPTIONS,
    source_options: &[],
    offers: OfferRule::Alternate,
    pass: None,
    act_kind: ActKind::by_point,
    conduct: &CONDUCT,
    record_extension: "jirige",
    record_rules: "",
    start: game::start,
    position: game::position,
    parse_record,
    print_record,
};
