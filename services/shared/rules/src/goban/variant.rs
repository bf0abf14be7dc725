use super::{
    CONDUCT, Size,
    act::{AGREEMENT, PASS, act_kind},
};
use crate::{
    Axes, Game, LocalName, MarkInfo, OfferRule, OptionError, OptionInfo, RatedRule, Record, RecordError,
    RuleSet, RuleSetInfo, Side, StartFrom, StoneColour, Variant, prelude::*,
};

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
    MarkInfo { kind: "last", description: "the stone just placed" },
    MarkInfo { kind: "long-cycle", description: "the stone just placed, where it may begin a long cycle" },
    MarkInfo { kind: "ko", description: "where the stone just taken may not be taken back at once" },
    MarkInfo { kind: "dead", description: "a stone that is proposed or agreed on as dead" },
    MarkInfo { kind: "territory-first", description: "a point of the first side" },
    MarkInfo { kind: "territory-second", description: "a point of the second side" },
    MarkInfo { kind: "shared", description: "a point that both sides share" },
];

/// The boards on which people play each other all over the world.
pub(crate) const BOARDS: &[&str] = &["9", "13", "19"];

/// Ratings are kept apart by the board.
pub(crate) const BY_BOARD: Option<(&str, &str)> = Some(("size", "19"));

/// Controllers play on after two passes as often as they like.
pub(crate) const PLAYED_ON: &[(&str, &str)] = &[("disputes", "9")];

/// What each game on a Go board says for itself; the fields of [`Variant`] of these names.
pub(crate) struct Own {
    pub id: &'static str,
    pub names: &'static [LocalName],
    pub rule_sets: &'static [RuleSetInfo],
    pub options: &'static [OptionInfo],
    pub short_games: &'static [&'static [(&'static str, &'static str)]],
    pub record_names_it: fn(&str) -> bool,
    pub start: fn(&RuleSet) -> Result<Box<dyn Game>, OptionError>,
    pub position: StartFrom,
    pub parse_record: fn(&str) -> Result<Record, RecordError>,
    pub print_record: fn(&Record) -> String,
}

/// A game on a Go board as the frame knows it. The first side has Black; records are SGF.
pub(crate) const fn variant(own: &Own) -> Variant {
    Variant {
        id: own.id,
        names: own.names,
        colours: [StoneColour::Black, StoneColour::White],
        places_first: Some(Side::First),
        moves_first: Some(Side::First),
        lines: Size::MIN.get()..=Size::MAX.get(),
        axes: Axes::AcrossWithoutI,
        marks: MARKS,
        reasons: &[],
        rule_sets: own.rule_sets,
        options: own.options,
        source_options: &[],
        time_controls: TIME_CONTROLS,
        main_time_min: None,
        rated: RatedRule { options: &[("size", BOARDS)], apart: BY_BOARD, time_min: RatedRule::TIME_MIN },
        short_games: own.short_games,
        offers: OfferRule::Free,
        pass: Some(PASS),
        agreement: Some(AGREEMENT),
        act_kind,
        conduct: &CONDUCT,
        record_extensions: &["sgf"],
        record_names_it: own.record_names_it,
        record_halves: None,
        gtp: None,
        start: own.start,
        position: own.position,
        parse_record: own.parse_record,
        print_record: own.print_record,
    }
}
