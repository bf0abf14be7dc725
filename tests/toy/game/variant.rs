use super::{conduct::CONDUCT, game, point::LINES, record};
use crate::{
    ActKind, Axes, LocalName, MarkInfo, OfferRule, RatedRule, RuleSetInfo, Side, StoneColour, Variant,
};

/// Three in a Row as the frame knows it.
pub static VARIANT: Variant = Variant {
    id: "toy",
    names: &[
        LocalName { language: "en", name: "Three in a Row" },
        LocalName { language: "zh-Hans", name: "井字棋" },
    ],
    colours: [StoneColour::Black, StoneColour::White],
    places_first: Some(Side::First),
    moves_first: Some(Side::First),
    lines: LINES..=LINES,
    axes: Axes::Across,
    marks: &[MarkInfo { kind: "last", description: "the stone just placed" }],
    reasons: &["three"],
    rule_sets: &[RuleSetInfo::new("usual", &[]).described("the rules that every child knows")],
    options: &[],
    source_options: &[],
    time_controls: &["1m", "3m"],
    main_time_min: None,
    rated: RatedRule { options: &[], apart: None, time_min: RatedRule::TIME_MIN },
    short_games: &[&[]],
    offers: OfferRule::Free,
    pass: None,
    agreement: None,
    act_kind: ActKind::by_point,
    conduct: &CONDUCT,
    record_extensions: &["toy"],
    record_names_it: |_| false,
    record_halves: None,
    gtp: None,
    start: game::start,
    position: game::position,
    parse_record: record::parse,
    print_record: record::print,
};
