use core::time::Duration;

use super::{conduct::CONDUCT, game, options::OPTIONS, parse_record, print_record};
use crate::{
    ActKind, Axes, LocalName, MarkInfo, OfferRule, RatedRule, RuleSetInfo, Side, StoneColour, Variant,
};

/// Jirige for the frame: dark is the first side and places first, light moves first.
pub static VARIANT: Variant = Variant {
    id: "jirige",
    names: &[
        LocalName { language: "en", name: "Jirige" },
        LocalName { language: "zh-Hans", name: "吉日格棋" },
    ],
    colours: [StoneColour::Black, StoneColour::White],
    places_first: Some(Side::First),
    moves_first: Some(Side::Second),
    lines: 9..=9,
    axes: Axes::Across,
    marks: &[
        MarkInfo { kind: "last", description: "where the stone came to rest" },
        MarkInfo { kind: "square", description: "a stone of a square that was just completed" },
        MarkInfo { kind: "spear", description: "a stone of a spear that was just completed" },
    ],
    reasons: &[],
    rule_sets: &[RuleSetInfo::new("2020", &[])
        .described("the competition rules of 12 January 2020, with the draws the source leaves open")],
    options: OPTIONS,
    source_options: &[],
    // A fixed time of 60, 50 or 40 minutes by level of event, and never under 30 (competition.md 1.8, article 4).
    time_controls: &["30m", "40m", "50m", "1h", "1d/move", "3d/move"],
    main_time_min: Some(Duration::from_mins(30)),
    rated: RatedRule { options: &[], apart: None, time_min: RatedRule::TIME_MIN },
    short_games: &[&[]],
    offers: OfferRule::Alternate,
    pass: None,
    agreement: None,
    act_kind: ActKind::by_point,
    conduct: &CONDUCT,
    record_extensions: &["jirige"],
    record_names_it: |_| false,
    record_halves: None,
    gtp: None,
    start: game::start,
    position: game::position,
    parse_record,
    print_record,
};
