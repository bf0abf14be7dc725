use alloc::boxed::Box;

use super::{
    TianyiGame,
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{OfferRule, StoneColour, Variant, go};

/// Tianyi Go as the frame knows it. Which side has which colour is bid for; until it is settled, the stones
/// are shown in the colours given here. Records are SGF.
///
/// ```
/// use rules::{RuleSet, tianyi::VARIANT};
/// let game = (VARIANT.start)(&RuleSet::named("eight"))?;
/// assert_eq!((game.variant().id, game.phase()), ("tianyi", "placement"));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub static VARIANT: Variant = Variant {
    id: "tianyi",
    name: "Tianyi Go",
    native_name: "天弈围棋",
    colours: [StoneColour::Black, StoneColour::White],
    rule_sets: RULE_SETS,
    options: OPTIONS,
    source_options: &[("illegal_move", "void_pass")],
    offers: OfferRule::Free,
    pass: Some(go::PASS),
    act_kind: go::act_kind,
    conduct: &go::CONDUCT,
    record_extension: "sgf",
    record_rules: sgf::RULES,
    start: |rule_set| Ok(Box::new(TianyiGame::new(rule_set)?)),
    position: |rule_set, text| Ok(Box::new(TianyiGame::from_text(rule_set, text)?)),
    parse_record: |text| sgf::parse(text.as_bytes()),
    print_record: sgf::print,
};
