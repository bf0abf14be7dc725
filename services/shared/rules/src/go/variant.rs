use alloc::boxed::Box;

use super::{
    CONDUCT, GoGame,
    act::{PASS, act_kind},
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{Axes, LocalName, MarkInfo, OfferRule, RatedRule, Side, StoneColour, Variant};

/// The time controls of the games that are played on a Go board. A competition keeps the last minutes of the main time,
/// one at grass-roots and five at national events (competition.md 1.8, go.md 1.5).
const TIME_CONTROLS: &[&str] = &[
    "3m+2s",
    "5m+3s",
    "10m+5s",
    "10m+3x30s",
    "20m+5x30s",
    "30m-keep1m",
    "1h-keep5m",
    "2h-keep5m",
    "1d/move",
    "3d/move",
];

/// What may be marked on a Go board.
const MARKS: &[MarkInfo] = &[
    MarkInfo { kind: "last", describes: "the stone just placed" },
    MarkInfo { kind: "long-cycle", describes: "the stone just placed, where it may begin a long cycle" },
    MarkInfo { kind: "ko", describes: "where the stone just taken may not be taken back at once" },
    MarkInfo { kind: "dead", describes: "a stone that is proposed or agreed on as dead" },
    MarkInfo { kind: "territory-first", describes: "a point of the first side" },
    MarkInfo { kind: "territory-second", describes: "a point of the second side" },
    MarkInfo { kind: "shared", describes: "a point that both sides share" },
];

/// The boards on which people play each other all over the world.
pub(crate) const BOARDS: &[&str] = &["9", "13", "19"];

/// Go as the frame knows it. The first side has Black; records are SGF.
pub static VARIANT: Variant = FAMILY;

/// What the games of the family have in common with Go, and what they replace.
pub(crate) const FAMILY: Variant = Variant {
    id: "go",
    names: &[
        LocalName { language: "en", name: "Go" },
        LocalName { language: "zh-Hans", name: "围棋" },
        LocalName { language: "zh-Hant", name: "圍棋" },
    ],
    colours: [StoneColour::Black, StoneColour::White],
    places_first: Some(Side::First),
    moves_first: Some(Side::First),
    lines: super::Size::MIN.get()..=super::Size::MAX.get(),
    axes: Axes::AcrossWithoutI,
    marks: MARKS,
    reasons: &[],
    rule_sets: RULE_SETS,
    options: OPTIONS,
    source_options: &[("illegal_move", "void_pass")],
    time_controls: TIME_CONTROLS,
    main_time_min: None,
    rated: RatedRule {
        // With the komi of the printed rules of 1988 and 2002, in zi.
        options: &[("size", BOARDS), ("komi", &["2.75", "3.75"])],
        time_min: RatedRule::TIME_MIN,
    },
    short_games: &[&[("size", "5")], &[("size", "9")]],
    offers: OfferRule::Free,
    pass: Some(PASS),
    act_kind,
    conduct: &CONDUCT,
    record_extensions: &["sgf"],
    record_names_it: |text| sgf::stated_rules(text.as_bytes()).as_deref() == Some(sgf::RULES),
    record_halves: None,
    start: |rule_set| Ok(Box::new(GoGame::new(rule_set)?)),
    position: |rule_set, text| Ok(Box::new(GoGame::from_text(rule_set, text)?)),
    parse_record: |text| sgf::parse(text.as_bytes()),
    print_record: sgf::print,
};
