use alloc::boxed::Box;

use super::{
    GoGame,
    act::{PASS, act_kind},
    conduct::CONDUCT,
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{OfferRule, StoneColour, Variant};

/// Go as the frame knows it. The first side has Black; records are SGF.
///
/// ```
/// use rules::{RuleSet, Side, go};
/// let mut game = (go::VARIANT.start)(&RuleSet::named("cn2002").with("size", "13"))?;
/// assert_eq!(game.play(Side::First, "k10").unwrap().text, "K10");
/// assert_eq!((go::VARIANT.letter(Side::First), go::VARIANT.record_extension), ('B', "sgf"));
/// # Ok::<(), rules::OptionError>(())
/// ```
pub static VARIANT: Variant = Variant {
    id: "go",
    name: "Go",
    native_name: "围棋",
    colours: [StoneColour::Black, StoneColour::White],
    rule_sets: RULE_SETS,
    options: OPTIONS,
    source_options: &[("illegal_move", "void_pass")],
    offers: OfferRule::Free,
    pass: Some(PASS),
    act_kind: act_kind,
    conduct: &CONDUCT,
    record_extension: "sgf",
    record_rules: sgf::RULES,
    start: |rule_set| Ok(Box::new(GoGame::new(rule_set)?)),
    position: |rule_set, text| Ok(Box::new(GoGame::from_text(rule_set, text)?)),
    parse_record: |text| sgf::parse(text.as_bytes()),
    print_record: sgf::print,
};
