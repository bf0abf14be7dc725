use super::{
    GoGame,
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{
    GtpInfo, LocalName, RatedRule, Variant,
    goban::{
        QuarterZi,
        sgf::{RULES, stated_rules},
        variant::{BOARDS, BY_BOARD, Own, PLAYED_ON, variant},
    },
    prelude::*,
};

/// Go as the frame knows it.
pub static VARIANT: Variant = Variant {
    source_options: &[("illegal_move", "void_pass")],
    rated: RatedRule {
        // With the komi of the printed rules of 1988 and 2002, in zi.
        options: &[("size", BOARDS), ("komi", &["2.75", "3.75"])],
        apart: BY_BOARD,
        time_min: RatedRule::TIME_MIN,
    },
    gtp: Some(GtpInfo {
        options: PLAYED_ON,
        // The rules that the KGS Go Server calls Chinese are nearest to the later text.
        rule_sets: &[("chinese", "cn2002")],
        komi: |points| Vec::from([format!("{points}pt"), String::from(points)]),
        points: |komi| QuarterZi::parse(komi).map_or_else(|| komi.to_owned(), QuarterZi::points),
    }),
    ..variant(&Own {
        id: "go",
        names: &[
            LocalName { language: "en", name: "Go" },
            LocalName { language: "zh-Hans", name: "围棋" },
            LocalName { language: "zh-Hant", name: "圍棋" },
        ],
        rule_sets: RULE_SETS,
        options: OPTIONS,
        short_games: &[&[("size", "5")], &[("size", "9")]],
        record_names_it: |text| stated_rules(text) == Some(RULES.into()),
        start: |rule_set| Ok(Box::new(GoGame::new(rule_set)?)),
        position: |rule_set, text| Ok(Box::new(GoGame::from_text(rule_set, text)?)),
        parse_record: |text| sgf::parse(text.as_bytes()),
        print_record: sgf::print,
    })
};
