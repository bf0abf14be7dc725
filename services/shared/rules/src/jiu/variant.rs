use super::{conduct::CONDUCT, game, options::OPTIONS, parse_record, print_record};
use crate::{ActKind, OfferRule, RuleSetInfo, StoneColour, Variant};

/// Jiu for the frame: White is the first side and places first, Black moves first.
///
/// ```
/// use rules::{RuleSet, Side, StoneColour, jiu};
///
/// assert_eq!(jiu::VARIANT.side_of(StoneColour::White), Side::First);
/// let game = (jiu::VARIANT.start)(&RuleSet::named("aba-competitive"))?;
/// assert_eq!(game.rule_set().options["competitive"], "true");
/// # Ok::<(), rules::OptionError>(())
/// ```
pub static VARIANT: Variant = Variant {
    id: "jiu",
    name: "Tibetan Jiu",
    native_name: "久棋",
    colours: [StoneColour::White, StoneColour::Black],
    rule_sets: &[
        RuleSetInfo {
            id: "aba",
            describes: "The rules collected by the Aba Tibetan-chess association, with two draws that end every game",
            sets: &[],
        },
        RuleSetInfo {
            id: "aba-competitive",
            describes: "The Aba rules with the competitive additions",
            sets: &[("competitive", "true")],
        },
    ],
    options: OPTIONS,
    source_options: &[],
    offers: OfferRule::Free,
    pass: None,
    act_kind: ActKind::by_point,
    conduct: &CONDUCT,
    record_extension: "jiu",
    record_rules: "",
    start: game::start,
    position: game::position,
    parse_record,
    print_record,
};
