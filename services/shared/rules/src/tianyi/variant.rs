use super::{
    TianyiGame,
    options::{OPTIONS, RULE_SETS},
    sgf, sgf_write,
};
use crate::{
    LocalName, MarkInfo, Variant,
    goban::{
        sgf::stated_rules,
        variant::{Own, variant},
    },
    prelude::*,
};

/// Tianyi Go as the frame knows it. Which side has which colour is bid for; until it is settled, the stones
/// are shown in the colours given here. Records are SGF.
pub static VARIANT: Variant = Variant {
    places_first: None,
    moves_first: None,
    marks: &[
        MarkInfo { kind: "last", description: "the stone just placed" },
        MarkInfo {
            kind: "long-cycle",
            description: "the stone just placed, where it may begin a long cycle",
        },
        MarkInfo { kind: "ko", description: "where the stone just taken may not be taken back at once" },
        MarkInfo { kind: "dead", description: "a stone that is proposed as dead" },
        MarkInfo { kind: "seki", description: "a stone that is proposed as alive in seki" },
        MarkInfo { kind: "fill", description: "a point that is proposed to be filled" },
        MarkInfo { kind: "territory-first", description: "a point of the first side" },
        MarkInfo { kind: "territory-second", description: "a point of the second side" },
        MarkInfo { kind: "shared", description: "a point that both sides share" },
    ],
    source_options: &[("illegal_move", "void_pass")],
    ..variant(&Own {
        id: "tianyi",
        names: &[
            LocalName { language: "en", name: "Tianyi Go" },
            LocalName { language: "zh-Hans", name: "天弈围棋" },
            LocalName { language: "zh-Hant", name: "天弈圍棋" },
        ],
        rule_sets: RULE_SETS,
        options: OPTIONS,
        short_games: &[&[("size", "7")]],
        record_names_it: |text| stated_rules(text) == Some(sgf_write::RULES.into()),
        start: |rule_set| Ok(Box::new(TianyiGame::new(rule_set)?)),
        position: |rule_set, text| Ok(Box::new(TianyiGame::from_text(rule_set, text)?)),
        parse_record: |text| sgf::parse(text.as_bytes()),
        print_record: sgf::print,
    })
};
