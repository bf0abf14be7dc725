use alloc::boxed::Box;

use super::{
    JpdGame,
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{OfferRule, StoneColour, Variant, go};

/// Ji Ping Dian Go as the frame knows it. The first side has Black; records are SGF.
///
/// ```
/// use rules::{RuleSet, Side, jpd::VARIANT};
/// let mut game = (VARIANT.start)(&RuleSet::named("jipingdian"))?;
/// assert_eq!(game.play(Side::First, "virtual").unwrap().text, "virtual");
/// # Ok::<(), rules::OptionError>(())
/// ```
pub static VARIANT: Variant = Variant {
    id: "jpd",
    name: "Ji Ping Dian Go",
    native_name: "計枰點圍棋",
    colours: [StoneColour::Black, StoneColour::White],
    rule_sets: RULE_SETS,
    options: OPTIONS,
    source_options: &[],
    offers: OfferRule::Free,
    pass: Some(go::PASS),
    act_kind: go::act_kind,
    conduct: &go::CONDUCT,
    record_extension: "sgf",
    record_rules: sgf::RULES,
    start: |rule_set| Ok(Box::new(JpdGame::new(rule_set)?)),
    position: |rule_set, text| Ok(Box::new(JpdGame::from_text(rule_set, text)?)),
    parse_record: |text| sgf::parse(text.as_bytes()),
    print_record: sgf::print,
};
