//! Teams through the formats that have them, and what is lost in the others.

use exchange::{ForfeitedMatch, Format, MatchForfeit, Team, TeamBye, Tournament};
use pairing::{Number, ResultCode};

use crate::events::event;

/// Four teams of two boards and a reserve each; the first round as chance had it, in the second no team met another.
fn teams() -> Tournament {
    let mut event = event(5, 12, 2, 1);
    event.header.white_boards = vec![true, false];
    let number = |it: u32| Number(it);
    for team in 1..=4 {
        let players = (3 * team - 2..=3 * team).map(number).collect();
        event.teams.push(Team { number: team, name: format!("Team {team}"), players });
    }
    event.prohibitions.clear();
    let last = &mut event.rounds[1];
    (last.byes, last.games) = (Vec::new(), Vec::new());
    last.forfeited.push(ForfeitedMatch { white: 3, black: 1, won: MatchForfeit::Black });
    last.team_byes.push(TeamBye { team: 2, code: ResultCode::Pab });
    last.team_byes.push(TeamBye { team: 4, code: ResultCode::ByeZero });
    event
}

#[test]
fn reports_carry_teams_with_their_byes_and_forfeits() {
    let event = teams();
    let (bytes, _) = Format::Trf26.write(&event).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    for record in ["310   1 Team 1", "320", "330 -+ 002 003 001", "352 WB", "240 Z 002    4"] {
        assert!(text.lines().any(|it| it.starts_with(record)), "{record} in {text}");
    }
    let (read, _) = Format::Trf26.read(&bytes).unwrap();
    assert_eq!((&read.teams, &read.header.white_boards), (&event.teams, &event.header.white_boards));
    assert_eq!(read.rounds[1].forfeited, event.rounds[1].forfeited);
    assert_eq!(read.rounds[1].team_byes, event.rounds[1].team_byes);
}

#[test]
fn what_a_format_has_no_teams_for_is_told() {
    let event = teams();
    for format in [Format::H9, Format::Csv] {
        let (_, losses) = format.write(&event).unwrap();
        let of = |name: &str| losses.iter().find(|it| it.what.name() == name).map(|it| it.count);
        assert_eq!(
            (of("team"), of("team_round"), of("boards")),
            (Some(4), Some(1), Some(1)),
            "{}",
            format.name()
        );
    }
    let (_, losses) = Format::OpenGotha.write(&event).unwrap();
    let told: Vec<String> = losses.iter().map(ToString::to_string).collect();
    // Reserves who never sat down are not known to OpenGotha.
    assert!(told.iter().any(|it| it.starts_with("a team, or a part of it: team 1")), "{told:?}");
}

#[test]
fn a_format_refuses_what_it_has_no_room_for() {
    let long = event(1, 4, 21, 0);
    let refused = Format::OpenGotha.write(&long).unwrap_err();
    assert_eq!((refused.refusal.name(), refused.what.as_str()), ("too_many_rounds", "21"));
    assert_eq!(Format::Csv.write(&Tournament::default()).unwrap_err().refusal.name(), "no_players");
    let mut wide = event(1, 4, 2, 0);
    wide.players[3].number = Number(10_000);
    wide.prohibitions.clear();
    for round in &mut wide.rounds {
        round.byes.clear();
    }
    assert_eq!(Format::Trf26.write(&wide).unwrap_err().refusal.name(), "too_wide");
    assert!(Format::OpenGotha.write(&wide).is_ok());
}

#[test]
fn every_name_is_there_once() {
    fn once<T>(names: impl Iterator<Item = T>) -> bool
    where
        T: Ord,
    {
        let mut names: Vec<T> = names.collect();
        let all = names.len();
        names.sort();
        names.dedup();
        names.len() == all
    }
    assert!(once(exchange::Fault::ALL.iter().map(|it| it.name())));
    assert!(once(exchange::DoubtKind::ALL.iter().map(|it| it.name())));
    assert!(once(exchange::Lost::ALL.iter().map(|it| it.name())));
    assert!(once(exchange::Refusal::ALL.iter().map(|it| it.name())));
    assert!(Format::ALL.iter().all(|it| Format::named(it.name()) == Some(*it)));
}
