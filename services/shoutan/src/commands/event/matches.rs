//! Matches of teams, with their line-ups and boards.

use anyhow::Context as _;
use api::federation::v1::{
    GetTeamMatchRequest, LineUp, ListTeamMatchesRequest, Pairing, ResultCode, TeamMatch, line_up,
};
use serde_json::{Value, json};

use super::{
    change::event,
    people::People,
    print,
    rounds::{self, result_text},
    session::{Session, all, ask},
    shown, words,
};
use crate::commands::{render::sanitize, terminal::say};

/// What is looked at of matches.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Lists the matches of a round of teams, with their line-ups and results.
    Matches {
        /// The event's id.
        event: String,
        /// The round; the last public one when it is not said.
        #[arg(default_value_t = 0, hide_default_value = true)]
        round: u32,
    },
    /// Shows a match of two teams: line-ups, boards, games and results. A line-up that is not public yet is seen by its own
    /// captain alone.
    Match {
        /// The event's id.
        event: String,
        /// The round.
        round: u32,
        /// The number of the match.
        number: u32,
    },
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Matches { event: event_id, round } => {
            let people = People::of(session, &event(session, &event_id).await?).await?;
            let request = ListTeamMatchesRequest { event_id, round, ..Default::default() };
            let found: Vec<TeamMatch> = all!(session.events(), list_team_matches, request, matches);
            if session.json {
                let records: Vec<_> = found.iter().map(|it| for_scripts(it, &people)).collect();
                return print::list(true, &records);
            }
            let records: Vec<_> = found.iter().map(|it| row(it, &people)).collect();
            print::list(false, &records)
        }
        Command::Match { event: event_id, round, number } => {
            let people = People::of(session, &event(session, &event_id).await?).await?;
            let request = GetTeamMatchRequest { event_id: event_id.clone(), round, r#match: number };
            let found = ask!(session.events(), get_team_match, request)?.r#match;
            let found = found.context("the server's answer lacks the match")?;
            // Which of the two is the first at a table, and how far its result holds, is known of its round.
            let tables = rounds::round(session, &event_id, round).await?.pairings;
            show(session.json, &found, &tables, &people)
        }
    }
}

fn show(json: bool, it: &TeamMatch, tables: &[Pairing], people: &People) -> anyhow::Result<()> {
    if json {
        return print::one(true, &for_scripts(it, people));
    }
    let mut record = row(it, people);
    record.insert(0, ("round", json!(it.round)));
    print::one(false, &record)?;
    for line_up in [&it.first_line_up, &it.second_line_up].into_iter().flatten() {
        say(line_up_text(line_up, people))?;
    }
    board_lines(it, tables, people).into_iter().try_for_each(say)
}

/// The boards, in columns that are named after the teams; a result is that of the round, which goes by the first at its table.
fn board_lines(it: &TeamMatch, tables: &[Pairing], people: &People) -> Vec<String> {
    if it.boards.is_empty() {
        return Vec::new();
    }
    let heading = ["BOARD".to_owned(), "TABLE".to_owned()]
        .into_iter()
        .chain([it.first, it.second].map(|team| sanitize(&people.team(team))))
        .chain(["RESULT".to_owned(), "GAME".to_owned()])
        .collect::<Vec<_>>();
    let rows = it.boards.iter().map(|board| {
        let seat = tables.iter().find(|seat| seat.table == board.table);
        let player = |number: u32| {
            let mark = if seat.is_some_and(|seat| seat.first == number) { " (first)" } else { "" };
            sanitize(&people.player(number)) + mark
        };
        let result = seat.and_then(|seat| seat.result.as_ref()).map(result_text).unwrap_or_default();
        let numbers = [board.board, board.table].map(|number| number.to_string());
        let players = [board.first, board.second].map(player);
        numbers
            .into_iter()
            .chain(players)
            .chain([result, people.game([board.first, board.second], &board.game_id).to_owned()])
            .collect()
    });
    let mut lines = print::columns(&heading, &rows.collect::<Vec<_>>());
    lines.push("(first): who has the 2 in 2–0, and whom `result … first-wins` means".to_owned());
    lines
}

/// A match in one line of a table.
fn row(it: &TeamMatch, people: &People) -> print::Record {
    let state = |line_up: Option<&LineUp>| json!(line_up.map(|it| words::line_up(it.state)));
    vec![
        ("match", json!(it.r#match)),
        ("first", json!(people.team(it.first))),
        ("first_line_up", state(it.first_line_up.as_ref())),
        ("second", json!(people.team(it.second))),
        ("second_line_up", state(it.second_line_up.as_ref())),
        ("points", json!(points(it))),
        ("result", json!(outcome(it.first_result(), it.second_result()))),
    ]
}

/// Game points so far, as `5:3`; nothing before the boards are laid.
fn points(it: &TeamMatch) -> String {
    if it.boards.is_empty() { String::new() } else { format!("{}:{}", it.first_points, it.second_points) }
}

/// What came of a match on the scale of two points; nothing while it is played.
fn outcome(first: ResultCode, second: ResultCode) -> String {
    let word = |code: ResultCode| words::code(code.into());
    match (first, second) {
        (ResultCode::Unspecified, _) => String::new(),
        (ResultCode::Win, ResultCode::Loss) => "2–0".to_owned(),
        (ResultCode::Loss, ResultCode::Win) => "0–2".to_owned(),
        (ResultCode::Draw, ResultCode::Draw) => "1–1".to_owned(),
        (first, second) if first == second => word(first),
        (first, second) => format!("{}, {}", word(first), word(second)),
    }
}

/// `2 Snow Lions, declared`; with the players where they may be seen.
fn line_up_text(it: &LineUp, people: &People) -> String {
    let state = words::line_up(it.state);
    let head = format!("line-up of {}: {state}", people.team(it.team));
    if it.players.is_empty() {
        return head;
    }
    let players: Vec<String> = it.players.iter().map(|number| people.player(*number)).collect();
    let unseen = if it.state() == line_up::State::Public { "" } else { ", seen by its captain alone" };
    format!("{head}{unseen}: {}", players.join(", "))
}

fn for_scripts(it: &TeamMatch, people: &People) -> print::Record {
    let line_up = |it: Option<&LineUp>| {
        it.map(|it| {
            json!({
                "team": it.team,
                "state": words::line_up(it.state),
                "commitment": shown::hex(&it.commitment),
                "players": it.players,
            })
        })
    };
    let boards = it.boards.iter().map(|board| {
        json!({
            "board": board.board,
            "table": board.table,
            "first": board.first,
            "second": board.second,
            "first_moves_first": board.first_moves_first,
            "game": people.game([board.first, board.second], &board.game_id),
            "first_code": words::code(board.first_code),
            "second_code": words::code(board.second_code),
        })
    });
    vec![
        ("round", json!(it.round)),
        ("match", json!(it.r#match)),
        ("first", json!(it.first)),
        ("first_name", json!(people.team_name(it.first))),
        ("second", json!(it.second)),
        ("second_name", json!(people.team_name(it.second))),
        ("first_line_up", json!(line_up(it.first_line_up.as_ref()))),
        ("second_line_up", json!(line_up(it.second_line_up.as_ref()))),
        ("first_points", json!(it.first_points)),
        ("second_points", json!(it.second_points)),
        ("first_result", json!(words::code(it.first_result))),
        ("second_result", json!(words::code(it.second_result))),
        ("boards", Value::Array(boards.collect())),
    ]
}

#[cfg(test)]
mod tests {
    use api::federation::v1::{BoardResult, MatchBoard};

    use super::*;

    #[test]
    fn boards_stand_under_their_teams_and_say_who_is_the_first_at_his_table() {
        let [first, second] = [ResultCode::Win, ResultCode::Loss].map(Into::into);
        let seat =
            |table, first, second, result| Pairing { table, first, second, result, ..Pairing::default() };
        let won = Some(BoardResult { first, second, ..BoardResult::default() });
        let tables = [seat(1, 1, 3, None), seat(2, 4, 2, won)];
        let board =
            |board, first, second| MatchBoard { board, table: board, first, second, ..MatchBoard::default() };
        let of_teams = TeamMatch {
            first: 7,
            second: 8,
            boards: vec![board(1, 1, 3), board(2, 2, 4)],
            ..TeamMatch::default()
        };
        let lines = board_lines(&of_teams, &tables, &People::default());
        assert_eq!(
            lines[..3],
            [
                "BOARD  TABLE  7          8          RESULT",
                "1      1      1 (first)  3",
                "2      2      2          4 (first)  2–0"
            ]
        );
    }

    #[test]
    fn what_is_decided_is_told_and_what_is_open_is_not() {
        use ResultCode::{DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Unspecified, Win};
        for (codes, text) in [
            ([Unspecified; 2], ""),
            ([Win, Loss], "2–0"),
            ([Loss, Win], "0–2"),
            ([Draw; 2], "1–1"),
            ([DoubleForfeit; 2], "double-forfeit"),
            ([ForfeitWin, ForfeitLoss], "forfeit-win, forfeit-loss"),
            ([Loss; 2], "loss"),
        ] {
            assert_eq!(outcome(codes[0], codes[1]), text);
        }
    }

    #[test]
    fn a_line_up_is_told_as_far_as_it_may_be_seen() {
        let told = |state: line_up::State, players: &[u32]| {
            let it = LineUp { team: 2, state: state.into(), players: players.to_vec(), ..LineUp::default() };
            line_up_text(&it, &People::default())
        };
        assert_eq!(told(line_up::State::Declared, &[]), "line-up of 2: declared");
        assert_eq!(told(line_up::State::Public, &[4, 3]), "line-up of 2: public: 4, 3");
        assert!(told(line_up::State::HandedIn, &[4, 3]).contains("seen by its captain alone: 4, 3"));
    }
}
