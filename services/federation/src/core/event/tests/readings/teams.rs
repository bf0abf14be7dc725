//! Readings that change tables of teams.

use pairing::{
    Number, ResultCode, Status,
    lineup::LineupLaw,
    standings::{
        Cycles, Line,
        team::{self, Team, TeamMatch, TeamSheet},
    },
};

use super::{Case, Readings};
use crate::core::event::{
    Format,
    tests::{
        by_number,
        teams::{of_teams, running},
    },
};

pub(super) const CASES: &[Case] = &[
    Case {
        reading: "team_pab_game_points",
        // Four boards.
        play: |readings| {
            let bye = Some(ResultCode::Pab);
            let free = TeamMatch { round: 1, opponent: None, boards: Vec::new(), bye };
            let table = swiss(&[entered(1, vec![free])], 1, 4, readings);
            let points = table[0].criteria.iter().find(|it| it.name == "game_points").expect("they count");
            format!("{} game points", points.value)
        },
    },
    Case {
        reading: "team_leaves",
        // Team 1 has won two matches and left. By 29.2 two of five rounds are fewer than half, and void; else they stand, and
        // team 5, which it did not meet, has two points of it. By 29.3 it counts in a Swiss for team 2 as 4 + 1 · 3, else
        // as the 4 it has; M is 4, R is 1, and 2 has nothing of its own.
        play: a_team_leaves,
    },
    Case {
        reading: "sum_of",
        // After one round all totals are 1: 2 + 0 − 1 of who has won, 0 + 2 − 1 of who has lost. The two players of team 1
        // have won.
        play: sums,
    },
];

fn entered(number: u32, matches: Vec<TeamMatch>) -> Team {
    Team { number: Number(number), states: vec![Status::Active { from_round: 1 }], matches }
}

fn swiss(teams: &[Team], rounds: u16, boards: u32, readings: &Readings) -> Vec<Line> {
    team::swiss(&TeamSheet {
        teams,
        rounds,
        boards,
        games: 1,
        settings: &readings.standings(),
        seed: [0; 32],
    })
}

fn a_team_leaves(readings: &Readings) -> String {
    let mut teams: Vec<Team> = (1..=5).map(|number| entered(number, Vec::new())).collect();
    for (round, loser) in [(1, 2), (2, 3)] {
        let won = |opponent: u32, code| TeamMatch {
            round,
            opponent: Some(Number(opponent)),
            boards: vec![code; 2],
            bye: None,
        };
        teams[0].matches.push(won(loser, ResultCode::Win));
        teams[loser as usize - 1].matches.push(won(1, ResultCode::Loss));
    }
    teams[0].states.push(Status::Withdrawn { after_round: 2 });
    let settings = readings.standings();
    let sheet =
        TeamSheet { teams: &teams, rounds: 5, boards: 2, games: 1, settings: &settings, seed: [0; 32] };
    let robin = team::round_robin(&sheet, Cycles::Single);
    let of = |table: &[Line], number: u32| {
        table.iter().find(|it| it.number == Number(number)).cloned().expect("its line")
    };
    let stands = if of(&robin, 1).place.is_some() { "stands" } else { "void" };
    let total = of(&swiss(&teams, 5, 2, readings), 2).criteria[0].explain();
    format!("{stands}, 5 has {}; {total}", of(&robin, 5).points)
}

fn sums(readings: &Readings) -> String {
    let mut settings = of_teams(Format::Swiss { rounds: 1 }, 2, LineupLaw::SumOfMembers);
    settings.readings = readings.clone();
    settings.readings.set("first_round", "fold").expect("it may be chosen");
    let mut book = running(settings, 2);
    book.begin_round().expect("paired");
    book.play(by_number);
    let mut lines = book.event.table(1).lines;
    lines.sort_by_key(|line| line.number);
    let shown = lines.iter().map(|line| {
        format!("{}: place {}, {}", line.number, line.place.unwrap_or(0), line.criteria[0].value)
    });
    shown.collect::<Vec<_>>().join("; ")
}
