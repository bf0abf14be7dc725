//! The supplement: the same log is the same text.

use api::federation::v1 as pb;
use time::macros::datetime;

use super::*;

fn timed() -> Settings {
    let mut it = settings("go", Format::Swiss { rounds: 2 });
    it.schedule.rounds = vec![datetime!(2026-11-21 01:00 UTC), datetime!(2026-11-22 01:00 UTC)];
    it.entries.until = Some(datetime!(2026-11-20 16:00 UTC));
    it
}

fn text(settings: &Settings) -> String {
    let name = Name { native: "藏棋公开赛".to_owned(), latin: "Jiu Open".to_owned() };
    crate::core::event::supplement::text(&name, 1, settings)
}

/// As the log has it and as it comes back from there.
fn logged(settings: &Settings) -> Settings {
    pb::EventSettings::from(settings).try_into().expect("settings")
}

#[test]
fn times_are_told_in_the_zone_of_the_event_by_what_the_log_says_of_it() {
    let told = timed().in_zone();
    for line in [
        "Entries close at 2026-11-21T00:00:00+08:00",
        "  round 1: 2026-11-21T09:00:00+08:00",
        "  round 2: 2026-11-22T09:00:00+08:00",
    ] {
        assert!(text(&told).lines().any(|it| it == line), "{line}: {}", text(&told));
    }
    assert_eq!(text(&logged(&told)), text(&told));
    // What the log says holds, whatever the zone is by now.
    let mut elsewhere = logged(&told);
    elsewhere.schedule.rounds = vec![datetime!(2026-11-21 01:00 UTC).to_offset(time::macros::offset!(+7))];
    assert!(text(&logged(&elsewhere)).contains("round 1: 2026-11-21T08:00:00+07:00"));
    let mut wire = pb::EventSettings::from(&told);
    wire.schedule.as_mut().expect("a schedule").round_offsets_minutes = vec![26 * 60];
    assert!(Settings::try_from(wire).is_err(), "no clock shows that");
}

#[test]
fn logs_without_offsets_are_told_in_universal_time_as_they_were() {
    let before = text(&timed());
    assert!(before.contains("round 1: 2026-11-21T01:00:00Z"), "{before}");
    assert!(before.contains("Entries close at 2026-11-20T16:00:00Z"), "{before}");
    let wire = pb::EventSettings::from(&timed());
    let schedule = wire.schedule.clone().expect("a schedule");
    assert_eq!((schedule.round_offsets_minutes, schedule.entries_until_offset_minutes), (vec![], 0));
    assert_eq!(text(&logged(&timed())), before);
    let mut universal = timed();
    "UTC".clone_into(&mut universal.schedule.zone);
    assert!(text(&universal.in_zone()).contains("round 1: 2026-11-21T01:00:00Z"));
}

#[test]
fn a_ladder_says_how_long_an_answer_takes_where_challenges_are_answered() {
    let ladder = |answer_within| text(&settings("go", Format::Ladder { rounds: 9, reach: 3, answer_within }));
    let line = "Format: ladder, 9 rounds, challenges of at most 3 places upwards";
    assert!(ladder(None).lines().any(|it| it == line));
    let answered = ladder(Some(settings::ANSWER));
    assert!(
        answered.contains(&format!("{line}, to be answered within 168 h; whoever refuses")),
        "{answered}"
    );
}
