//! Tie-breaks: an event worked out by hand, and those of the shared reports worked out once more from the records themselves.

use std::collections::BTreeMap;

use pairing::{
    ColourLaw, Fraction, Number, Player, StandingsSettings, fraction_text,
    standings::{Line, Sheet, TieBreak, individual},
    trf::{Event, PlayerRecord, Report, Slot},
    whole,
};

use crate::shared;

/// Ten players with ratings and five rounds: the report `fide_official__bbp_10p5r_s42` of the shared material.
const EVENT: &str = "\
2568     6 b =     4 w 0    10 b 1     8 w 1     2 b 0
2542     7 w 1     5 b 0     3 w 0     9 b 1     1 w 1
2527     8 b =     6 w 1     2 b 1     4 w =     5 b 1
2507     9 w 1     1 b 1     5 w =     3 b =     6 w 1
2371    10 b 1     2 w 1     4 b =     6 w =     3 w 0
2344     1 w =     3 b 0     7 w 1     5 b =     4 b 0
2320     2 b 0     8 w =     6 b 0    10 w 1     9 b 1
2183     3 w =     7 b =     9 w =     1 b 0    10 w 0
2070     4 b 0    10 w =     8 b =     2 w 0     7 w 0
2046     5 w 0     9 b =     1 w 0     7 b 0     8 b 1
";

fn by_hand() -> Vec<Player> {
    let record = |(number, line): (u32, &str)| {
        let (rating, rounds) = line.split_at(4);
        let head = format!("001 {number:4}      Player {number}");
        format!("{:<91}{}\n", format!("{head:<48}{rating}"), &rounds[2..])
    };
    let text: String = (1..).zip(EVENT.lines()).map(record).collect();
    let report = Report::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    Event::of(&report, ColourLaw::Balance).expect("an event").players
}

fn table(players: &[Player], rounds: u16) -> Vec<Line> {
    let settings = StandingsSettings { tie_breaks: TieBreak::ALL.to_vec(), ..StandingsSettings::default() };
    individual::swiss(&Sheet { players, rounds, settings: &settings, seed: [0; 32] })
}

fn values(table: &[Line], number: u32) -> BTreeMap<&'static str, Fraction> {
    let line = table.iter().find(|line| line.number == Number(number)).expect("he is there");
    line.criteria.iter().map(|it| (it.name, it.value)).collect()
}

/// Points, 2 for a win: 5, 6, 8, 8, 6, 4, 5, 3, 2, 3.
#[test]
fn an_event_of_ten_comes_out_as_by_hand() {
    let table = table(&by_hand(), 5);
    let shown = |number: u32| {
        let values = values(&table, number);
        TieBreak::ALL.iter().map(|it| fraction_text(&values[it.name()])).collect::<Vec<_>>().join(" ")
    };
    let names: Vec<&str> = TieBreak::ALL.iter().map(|it| it.name()).collect();
    let expected = [
        "sos",
        "sosos",
        "sodos",
        "buchholz_cut_1",
        "buchholz_median",
        "dummy_buchholz",
        "direct_encounter",
        "wins",
        "koya",
        "performance",
    ];
    assert_eq!(names, expected);
    // 3 drew with 8 and 4, and beat 6, 2 and 5: opponents with 3, 8, 4, 6 and 6, 27 in all, and their own opponents with 23,
    // 25, 32, 26 and 29. Beaten 4 + 6 + 6, drawn (3 + 8)/2. Without the 3 it is 24, without the 8, too, 16. 4 has as many
    // points, and they drew. Against 2, 4 and 5, who have five points or more: 2 + 1 + 2. Eight of ten points against
    // 2389 on the average: 240 more.
    assert_eq!(shown(3), "27 135 43/2 24 16 27 1 3 5 2629");
    // 5 beat 10 and 2, drew with 4 and 6, and lost to 3: opponents with 3, 6, 8, 4 and 8; theirs have 21, 26, 25, 32 and 27.
    // Of 2, who has as many points, he has won. Six of ten against 2393 (11966 : 5 = 2393.2): 72 more.
    assert_eq!(shown(5), "29 131 15 26 18 29 2 2 3 2465");
}

/// Of three with equal points nothing follows from their games until all of them have met.
#[test]
fn direct_encounters_decide_once_all_have_met() {
    let event = |third: &str| {
        let line =
            |number: u32, rounds: &str| format!("{:<91}{rounds}\n", format!("001 {number:4}      P{number}"));
        let text = line(1, &format!("   2 w 1     3 b 0     4 w 1     {third}"))
            + &line(2, "   1 b 0     4 w 1     3 b 1")
            + &line(3, "   4 w 1     1 w 1     2 w 0")
            + &line(4, "   3 b 0     2 b 0     1 b 0");
        let report = Report::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        table(&Event::of(&report, ColourLaw::Balance).expect("an event").players, 3)
    };
    // Each of 1, 2 and 3 has beaten one of the others and 4.
    let all = event("");
    assert_eq!([1, 2, 3].map(|it| values(&all, it)["direct_encounter"]), [whole(2); 3]);
    assert_eq!(values(&all, 4)["direct_encounter"], whole(0), "alone with his points");
}

/// What a report says of a player, and nothing else: his opponents, and what he has of each in points of 2, 1 and 0.
struct Told<'a> {
    games: Vec<(Number, u32)>,
    record: &'a PlayerRecord,
    points: u32,
}

fn told<'a>(report: &Report, record: &'a PlayerRecord, paired: usize) -> Told<'a> {
    // The corpora know 1, ½ and 0 alone.
    let worth = |slot: &Slot| u32::try_from(report.scoring().points(*slot).0 / 5).expect("not negative");
    let game = |slot: &Slot| match slot {
        Slot::Game { opponent, result: Some(_), .. } => Some((*opponent, worth(slot))),
        _ => None,
    };
    let rounds = || record.rounds.iter().take(paired);
    Told { games: rounds().filter_map(game).collect(), record, points: rounds().map(worth).sum() }
}

/// The tie-breaks of a player by their definitions, one after the other.
fn worked_out(
    everybody: &BTreeMap<Number, Told<'_>>,
    of: &Told<'_>,
    rounds: u32,
) -> BTreeMap<&'static str, Fraction> {
    let points = |number: &Number| everybody[number].points;
    let sos = |it: &Told<'_>| it.games.iter().map(|(other, _)| points(other)).sum::<u32>();
    let mut opponents: Vec<u32> = of.games.iter().map(|(other, _)| points(other)).collect();
    opponents.sort_unstable();
    let sum = |of: &[u32]| of.iter().sum::<u32>();
    let last = opponents.len().saturating_sub(1);
    let equals: Vec<Number> =
        everybody.iter().filter(|(_, it)| it.points == of.points).map(|(number, _)| *number).collect();
    let has_met = |one: &Number, other: &Number| everybody[one].games.iter().any(|(it, _)| it == other);
    let all_met = equals.iter().all(|one| equals.iter().all(|other| one == other || has_met(one, other)));
    let against = |counts: &dyn Fn(&Number) -> bool| {
        of.games.iter().filter(|(other, _)| counts(other)).map(|(_, made)| *made).sum::<u32>()
    };
    let missing = rounds.saturating_sub(u32::try_from(of.games.len()).expect("few"));
    let twice_sodos: u32 = of.games.iter().map(|(other, made)| points(other) * made).sum();
    BTreeMap::from([
        ("sos", whole(sos(of))),
        ("sosos", whole(of.games.iter().map(|(other, _)| sos(&everybody[other])).sum::<u32>())),
        // A win counts the points once, a draw half.
        ("sodos", Fraction::new(twice_sodos.into(), 2)),
        ("buchholz_cut_1", whole(sum(opponents.get(1..).unwrap_or(&[])))),
        ("buchholz_median", whole(sum(opponents.get(1..last).unwrap_or(&[])))),
        ("dummy_buchholz", whole(sos(of) + missing * of.points)),
        ("direct_encounter", whole(if all_met { against(&|it| equals.contains(it)) } else { 0 })),
        ("wins", whole(u32::try_from(of.games.iter().filter(|(_, made)| *made == 2).count()).expect("few"))),
        ("koya", whole(against(&|it| points(it) >= rounds))),
    ])
}

#[test]
fn tie_breaks_of_the_shared_reports_are_what_their_records_say() {
    let Some(files) = shared::reports() else { return };
    let mut compared = 0;
    for (name, bytes) in &files {
        let Ok(report) = Report::read(bytes) else { continue };
        let Ok(event) = Event::of(&report, ColourLaw::Balance) else { continue };
        let is_open = |it: &&Slot| matches!(it, Slot::Game { result: None, .. });
        let only_met = report.players.iter().flat_map(|it| &it.rounds).find(is_open).is_none();
        // An opponent who was not paired was not met, which records alone do not tell.
        if !only_met
            || event
                .players
                .iter()
                .flat_map(|it| &it.history)
                .any(|it| it.opponent.is_none() && it.code.is_decided_game())
        {
            continue;
        }
        let everybody: BTreeMap<Number, Told<'_>> = report
            .players
            .iter()
            .map(|it| (it.number, told(&report, it, usize::from(event.paired))))
            .collect();
        let table = table(&event.players, event.paired);
        for told in everybody.values() {
            let number = told.record.number;
            let ours = values(&table, number.0);
            for (tie_break, value) in worked_out(&everybody, told, event.paired.into()) {
                assert_eq!(ours[tie_break], value, "{name}: {tie_break} of {number}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000, "only {compared} numbers");
}
