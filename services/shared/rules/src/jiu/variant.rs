use super::{
    conduct::CONDUCT, game, join_placement, lacks_placement, options::OPTIONS, parse_record, print_record,
};
use crate::{
    ActKind, Axes, LocalName, MarkInfo, OfferRule, RatedRule, RecordHalves, RuleSetInfo, Side, StoneColour,
    Variant,
};

/// Jiu for the frame: White is the first side and places first, Black moves first.
pub static VARIANT: Variant = Variant {
    id: "jiu",
    names: &[
        LocalName { language: "en", name: "Tibetan Jiu" },
        LocalName { language: "zh-Hans", name: "久棋" },
    ],
    colours: [StoneColour::White, StoneColour::Black],
    places_first: Some(Side::First),
    moves_first: Some(Side::Second),
    lines: 14..=14,
    axes: Axes::Down,
    marks: &[
        MarkInfo { kind: "last", description: "where stones came to rest, or one was lifted" },
        MarkInfo { kind: "gate", description: "a stone of a square that was just completed" },
        MarkInfo { kind: "line", description: "a stone of a line that was just completed" },
        MarkInfo { kind: "dalian", description: "the stone that goes to and fro in a dalian" },
        MarkInfo { kind: "double-dalian", description: "the stone that goes to and fro between two squares" },
        MarkInfo { kind: "dalian-gap", description: "the empty point of a dalian" },
    ],
    reasons: &[],
    rule_sets: &[
        RuleSetInfo::new("aba", &[]).described(
            "The rules collected by the Aba Tibetan-chess association, with two draws that end \
             every game",
        ),
        RuleSetInfo::new("aba-competitive", &[("competitive", "true")])
            .described("The Aba rules with the competitive additions"),
    ],
    options: OPTIONS,
    source_options: &[],
    time_controls: &[
        // The rules set no times: an even spread.
        "3m+2s",
        "5m+3s",
        "10m",
        "10m+5s",
        "10m+3x30s",
        "30m",
        "20m+5x30s",
        "1h",
        "55m+5x1m",
        "1d/move",
        "3d/move",
    ],
    main_time_min: None,
    rated: RatedRule { options: &[], apart: None, time_min: RatedRule::TIME_MIN },
    short_games: &[&[]],
    offers: OfferRule::Free,
    pass: None,
    agreement: None,
    act_kind: ActKind::by_point,
    conduct: &CONDUCT,
    // Printed records are plain text.
    record_extensions: &["jiu", "txt"],
    record_names_it: |_| false,
    record_halves: Some(RecordHalves { lacks_opening: lacks_placement, join: join_placement }),
    gtp: None,
    start: game::start,
    position: game::position,
    parse_record,
    print_record,
};
