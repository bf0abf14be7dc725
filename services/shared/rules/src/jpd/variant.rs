use super::{
    JpdGame,
    options::{OPTIONS, RULE_SETS},
    sgf,
};
use crate::{
    GtpInfo, LocalName, Variant,
    goban::{
        sgf::stated_rules,
        variant::{Own, PLAYED_ON, variant},
    },
    prelude::*,
};

/// Ji Ping Dian Go as the frame knows it.
pub static VARIANT: Variant = Variant {
    gtp: Some(GtpInfo {
        options: PLAYED_ON,
        rule_sets: &[],
        komi: |points| Vec::from([String::from(points)]),
        points: |komi| String::from(komi),
    }),
    ..variant(&Own {
        id: "jpd",
        names: &[
            LocalName { language: "en", name: "Ji Ping Dian Go" },
            LocalName { language: "zh-Hant", name: "計枰點圍棋" },
            LocalName { language: "zh-Hans", name: "计枰点围棋" },
        ],
        rule_sets: RULE_SETS,
        options: OPTIONS,
        short_games: &[&[("size", "5")]],
        record_names_it: |text| stated_rules(text) == Some(sgf::JPD.rules.into()),
        start: |rule_set| Ok(Box::new(JpdGame::new(rule_set)?)),
        position: |rule_set, text| Ok(Box::new(JpdGame::from_text(rule_set, text)?)),
        parse_record: |text| sgf::parse(text.as_bytes()),
        print_record: sgf::print,
    })
};
