//! Players of teams that change while their event runs.

use std::collections::BTreeSet;

use super::*;
use crate::core::event::team::{RosterChange, RosterSettings};

/// Two teams that meet twice, and whose players may change.
fn changing(law: LineupLaw) -> Settings {
    let mut settings = of_teams(robin(Cycles::Double), 3, law);
    settings.teams.as_mut().expect("teams").roster =
        Some(RosterSettings { until_round: 0, changes_max: 20, transfer_games_max: 0 });
    settings
}

/// A team with these, of whom the first fill its boards.
fn with(book: &Book, team: u32, people: &[u32]) -> NewRoster {
    let boards = book.event.settings.teams.expect("teams").boards as usize;
    let (players, reserves) = people.split_at(boards.min(people.len()));
    let entrants = |of: &[u32]| of.iter().map(|it| player(*it)).collect();
    let (players, reserves) = (entrants(players), entrants(reserves));
    let (team, accepts) = (Number(team), book.event.version);
    NewRoster { team, players, reserves, accepts, by_official: false, reason: None }
}

fn change(book: &mut Book, roster: &NewRoster) -> Result<(), Refusal> {
    let facts = book.event.change_roster(roster)?;
    book.write(facts);
    Ok(())
}

/// Who sits for a team in the last round, board 1 first.
fn seated(book: &Book, team: u32) -> Vec<u32> {
    let matches = book.event.matches(book.event.rounds.last().expect("a round"));
    let of = matches.iter().find(|it| it.teams.contains(&Number(team))).expect("its match");
    let side = usize::from(of.teams[1] == Number(team));
    of.boards.iter().map(|it| it.players[side].0).collect()
}

fn begin(book: &mut Book) -> u16 {
    let round = publish(book).expect("paired");
    start(book, round, &[]);
    round
}

#[test]
fn who_leaves_has_played_what_was_laid_and_who_is_new_sits_from_then_on() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    begin(&mut book);
    assert_eq!(seated(&book, 1), [1, 2, 3]);
    let laid = book.event.rounds.clone();
    let new = with(&book, 1, &[100, 102, 103, 104, 150]);
    change(&mut book, &new).expect("102 moves up, and 150 is new");
    assert_eq!(book.event.rounds, laid, "what is laid stays");
    assert_eq!(change(&mut book, &new), Ok(()), "the same again changes nothing");
    let team = book.event.team(Number(1)).expect("a team").clone();
    assert_eq!(
        (team.entrant.players, team.entrant.reserves),
        ([1, 3, 4].map(Number).to_vec(), [5, 11].map(Number).to_vec())
    );
    let gone = book.event.participant(Number(2)).expect("he has played");
    assert_eq!(gone.statuses.last(), Some(&Status::Withdrawn { after_round: 1 }));
    let new = book.event.participant(Number(11)).expect("he is new");
    assert_eq!((new.entrant.member, new.team, new.entrant.from_round), (member(150), Some(Number(1)), 2));
    book.play(by_number);
    let board = book.event.find_board(BoardId { round: 1, table: 2 }).expect("a board");
    assert_eq!(board.2.result.as_ref().map(|it| it.reason), Some(Reason::Normal), "he has played it out");
    let table = book.event.table(1);
    let back = book.change(2, Status::Active { from_round: 2 });
    assert!(matches!(back, Err(Refusal::Status(_))), "{back:?}");
    begin(&mut book);
    assert_eq!(seated(&book, 1), [1, 3, 4]);
    let again = with(&book, 1, &[100, 102, 103, 150, 101]);
    change(&mut book, &again).expect("104 leaves, and 101 is back behind the others");
    assert_eq!(book.event.table(1), table, "nothing is reckoned anew");
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn who_was_in_the_team_comes_back_under_his_number() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    begin(&mut book);
    let without = with(&book, 1, &[100, 101, 102, 103]);
    change(&mut book, &without).expect("104 leaves");
    let back = with(&book, 1, &[100, 101, 102, 103, 104]);
    change(&mut book, &back).expect("and is back");
    let statuses = &book.event.participant(Number(5)).expect("he").statuses;
    let (first, gone) = (Status::Active { from_round: 1 }, Status::Withdrawn { after_round: 1 });
    assert_eq!(statuses[..], [first, gone, Status::Active { from_round: 2 }]);
    assert_eq!(book.event.participants.len(), 10, "nobody is new");
    assert_eq!(book.event.team(Number(1)).expect("a team").former(), BTreeSet::new());
    // Who was sent away does not come back by the door of his team.
    book.change(5, Status::Expelled { after_round: 1 }).expect("sent away");
    assert_eq!(change(&mut book, &without), Ok(()), "he is taken out");
    let sent = BadRoster::Left(Number(5));
    assert_eq!(change(&mut book, &back), Err(sent.into()));
    book.change(4, Status::Withdrawn { after_round: 1 }).expect("he leaves the event by himself");
    let kept = with(&book, 1, &[100, 101, 102, 103, 150]);
    assert_eq!(change(&mut book, &kept), Err(BadRoster::Left(Number(4)).into()));
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_team_that_could_not_be_is_refused() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    begin(&mut book);
    let before = book.event.clone();
    let refused = |people: &[u32]| book.event.change_roster(&with(&book, 1, people)).expect_err("refused");
    let line_up = |error: LineupError| Refusal::from(error);
    assert_eq!(refused(&[100, 101]), line_up(LineupError::Boards { boards: 3 }));
    assert_eq!(refused(&[100, 101, 102, 103, 104, 150]), line_up(LineupError::Reserves));
    assert_eq!(refused(&[100, 101, 102, 103, 103]), line_up(LineupError::Twice(Number(4))));
    assert_eq!(refused(&[100, 101, 102, 150, 150]), line_up(LineupError::Twice(Number(12))));
    assert_eq!(
        refused(&[100, 101, 103, 102]),
        line_up(LineupError::Order(Number(3))),
        "an order of strength"
    );
    assert_eq!(refused(&[100, 101, 102, 150, 103]), line_up(LineupError::Order(Number(4))), "new ones last");
    assert_eq!(refused(&[100, 101, 102, 103, 201]), Refusal::Entered(Number(7)));
    assert!(matches!(refused(&[100, 101, 102, 103, 200]), Refusal::Captain(_)), "he leads the other team");
    let mut old = with(&book, 1, &[100, 101, 102]);
    old.accepts = 9;
    assert_eq!(book.event.change_roster(&old), Err(Refusal::OldSupplement(1)));
    let nobody = NewRoster { team: Number(3), ..with(&book, 1, &[100, 101, 102]) };
    assert_eq!(book.event.change_roster(&nobody), Err(Refusal::UnknownNumber(Number(3))));
    assert_eq!(book.event, before, "a refused change changes nothing");
    // Too few others are left: who is new sits on the last boards.
    let needed = with(&book, 1, &[100, 104, 150]);
    change(&mut book, &needed).expect("nobody else is there");
    book.play(by_number);
    begin(&mut book);
    assert_eq!(seated(&book, 1), [1, 5, 11]);
    let leave =
        TeamStatusChange { team: Number(1), status: Status::Withdrawn { after_round: 2 }, reason: None };
    book.write(book.event.change_team_status(leave).expect("it leaves"));
    let late = with(&book, 1, &[100, 104, 150, 151]);
    assert!(matches!(change(&mut book, &late), Err(Refusal::Status(_))), "the team has left");
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn settings_say_whether_and_how_often_and_until_when_players_change() {
    for law in [LineupLaw::FixedBoards, LineupLaw::WholeTeam, LineupLaw::SumOfMembers] {
        let settings = changing(law);
        let bad = settings.check(Book::open(of_teams(robin(Cycles::Single), 3, law)).now);
        assert_eq!(bad.map_err(|it| it.field), Err("teams.roster"), "{law:?}");
    }
    let mut book = running(of_teams(robin(Cycles::Double), 3, LineupLaw::DeclaredBoards), 2);
    let fewer = with(&book, 1, &[100, 101, 102]);
    assert_eq!(change(&mut book, &fewer), Err(BadRoster::Fixed.into()));
    let mut settings = changing(LineupLaw::DeclaredBoards);
    settings.teams.as_mut().expect("teams").roster =
        Some(RosterSettings { until_round: 2, changes_max: 2, transfer_games_max: 0 });
    let mut book = running(settings, 2);
    begin(&mut book);
    change(&mut book, &fewer).expect("once");
    let reordered = with(&book, 1, &[102, 100, 101]);
    change(&mut book, &reordered).expect("twice: where line-ups are declared no order holds");
    let third = with(&book, 1, &[102, 100, 101, 150]);
    assert_eq!(change(&mut book, &third), Err(BadRoster::TooOften(2).into()));
    // An official is bound by neither, and says why.
    let unsaid = NewRoster { by_official: true, ..third.clone() };
    assert_eq!(change(&mut book, &unsaid), Err(BadRoster::NoReason.into()));
    let said = NewRoster { by_official: true, reason: Some(Sealed([7; 32])), ..third };
    change(&mut book, &said).expect("an official may");
    assert_eq!(book.event.team(Number(1)).expect("a team").own_changes(), 2);
    book.play(by_number);
    begin(&mut book);
    let theirs = with(&book, 2, &[200, 201, 202]);
    assert_eq!(change(&mut book, &theirs), Err(BadRoster::Late(2).into()));
    assert_eq!(book.verified().findings, vec![]);
}

/// What was declared is only a hash: it can be declared anew. What is handed in stands, and nobody leaves from under it;
/// whether somebody is in it that would tell, so it is asked of nobody.
#[test]
fn nobody_leaves_while_a_line_up_is_handed_in() {
    let mut book = running(changing(LineupLaw::DeclaredBoards), 2);
    let round = publish(&mut book).expect("paired");
    let one = Number(1);
    let (first, hash) = sealed(1, &[2, 1, 3].map(Number));
    book.write(book.event.declare_line_up((round, one), hash, book.now).expect("declared"));
    let without = with(&book, 1, &[100, 102, 103, 104]);
    change(&mut book, &without).expect("101 leaves, who is number 2");
    let refused = book.event.hand_in((round, one), &first, &[]);
    assert_eq!(refused, Err(LineupError::Stranger(Number(2)).into()));
    let (second, hash) = sealed(2, &[4, 1, 3].map(Number));
    book.write(book.event.declare_line_up((round, one), hash, book.now).expect("declared anew"));
    book.write(book.event.hand_in((round, one), &second, &[]).expect("handed in"));
    for gone in [&[100, 102, 103][..], &[100, 102, 104]] {
        let less = with(&book, 1, gone);
        assert_eq!(change(&mut book, &less), Err(BadRoster::Sealed.into()), "in it or not: {gone:?}");
    }
    let more = with(&book, 1, &[100, 102, 103, 104, 150]);
    change(&mut book, &more).expect("who comes takes nobody's place");
    start(&mut book, round, &[(one, second)]);
    assert_eq!(seated(&book, 1), [4, 1, 3]);
    let less = with(&book, 1, &[100, 102, 104, 150]);
    change(&mut book, &less).expect("the boards are laid");
    book.play(by_number);
    begin(&mut book);
    assert_eq!(seated(&book, 1), [1, 3, 5]);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn who_has_played_for_one_team_plays_for_another_only_as_the_settings_allow() {
    let transfer = |most: u32| {
        let mut settings = changing(LineupLaw::FixedBoardsSubs);
        settings.teams.as_mut().expect("teams").roster.as_mut().expect("changes").transfer_games_max = most;
        let mut book = running(settings, 2);
        begin(&mut book);
        let without = with(&book, 1, &[100, 102, 103]);
        change(&mut book, &without).expect("101 and 104 leave");
        book
    };
    let mut book = transfer(0);
    let reserve = with(&book, 2, &[200, 201, 202, 203, 104]);
    change(&mut book, &reserve).expect("104 has not played");
    assert_eq!(book.event.of_account(account(104)).map(Participant::number), Some(Number(11)));
    let both = with(&book, 1, &[100, 102, 103, 104]);
    assert_eq!(change(&mut book, &both), Err(Refusal::Entered(Number(11))), "he is in the other team now");
    let player = with(&book, 2, &[200, 201, 202, 203, 101]);
    assert_eq!(change(&mut book, &player), Err(BadRoster::Unfinished(Number(2)).into()));
    book.play(by_number);
    let one_game = BadRoster::Played { number: Number(2), games: 1, most: 0 };
    assert_eq!(change(&mut book, &player), Err(one_game.into()));
    assert_eq!(book.verified().findings, vec![]);
    let mut book = transfer(1);
    book.play(by_number);
    let player = with(&book, 2, &[200, 202, 101]);
    change(&mut book, &player).expect("one game is allowed");
    begin(&mut book);
    assert_eq!((seated(&book, 1), seated(&book, 2)), (vec![1, 3, 4], vec![6, 8, 11]));
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
    let games = book.event.games();
    assert_eq!((games[&Number(2)], games[&Number(11)]), (1, 1), "each team has what he has played for it");
}

#[test]
fn a_team_that_leaves_loses_what_its_former_players_have_not_finished() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    begin(&mut book);
    let without = with(&book, 1, &[100, 102, 103]);
    change(&mut book, &without).expect("101 leaves, and plays on");
    let leave =
        TeamStatusChange { team: Number(1), status: Status::Withdrawn { after_round: 1 }, reason: None };
    book.write(book.event.change_team_status(leave).expect("it leaves"));
    assert!(book.event.all_boards().all(|(.., state)| state.is_settled()), "all three are lost");
    // Who has left it has a part in its matches all the same.
    assert!(book.event.not_own_entry(&[Number(6)], &official(101)).is_err());
}

/// A round that is taken back is laid anew by the teams as they are then.
#[test]
fn who_came_after_a_round_was_laid_plays_it_once_it_is_laid_anew() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    let round = begin(&mut book);
    let new = with(&book, 1, &[102, 104, 150]);
    change(&mut book, &new).expect("only two stay");
    book.write(book.event.retract_round(round, "the wrong colours".to_owned(), false).expect("taken back"));
    begin(&mut book);
    assert_eq!(seated(&book, 1), [3, 5, 11]);
    assert!(book.event.all_boards().all(|(.., state)| state.result.is_none()), "nobody is away");
    book.play(by_number);
    assert_eq!(book.verified().findings, vec![]);
}

#[test]
fn a_log_with_players_who_may_not_be_there_is_found_out() {
    let mut book = running(changing(LineupLaw::FixedBoardsSubs), 2);
    begin(&mut book);
    let new = with(&book, 1, &[100, 101, 102, 103, 150]);
    change(&mut book, &new).expect("150 is new");
    book.play(by_number);
    let forged = |forge: &dyn Fn(&mut RosterChange)| {
        let mut log = book.log.clone();
        for entry in &mut log {
            if let Fact::Team(TeamFact::RosterChanged(change)) = &mut entry.fact {
                forge(change);
            }
        }
        verify::verify(book.id, &log)
    };
    let found = |forge: &dyn Fn(&mut RosterChange)| forged(forge).expect("it can be read").findings.len();
    assert_eq!(found(&|_| ()), 0);
    assert_eq!(found(&|it| it.players.swap(0, 1)), 1, "another order");
    assert_eq!(found(&|it| it.entrants[0].member = member(201)), 1, "who is in the other team");
    assert_eq!(found(&|it| it.from_round = 1), 1, "a round that is laid");
    assert!(forged(&|it| it.reserves = vec![Number(7)]).is_err(), "another team's player");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever captains want, and whenever: at each board sits somebody who was in the team as it was laid, nobody sits for
    /// two teams in a round or plays for a second one after more games than he may, and what is laid stays.
    #[test]
    fn each_board_is_by_somebody_of_the_team_as_it_was_then(
        declared: bool,
        most in 0u32..3,
        wishes in prop::collection::vec((1u32..5, 0u8..4, 0usize..40, 0usize..8), 40),
        outcomes: [u8; 16],
    ) {
        let law = if declared { LineupLaw::DeclaredBoards } else { LineupLaw::FixedBoardsSubs };
        let mut settings = of_teams(Format::Swiss { rounds: 3 }, 2, law);
        settings.teams.as_mut().expect("teams").roster =
            Some(RosterSettings { until_round: 0, changes_max: 20, transfer_games_max: most });
        let mut book = running(settings, 4);
        let mut rosters: BTreeMap<u32, Vec<u32>> =
            (1..=4).map(|team| (team, (0..4).map(|it| team * 100 + it).collect())).collect();
        let mut wishes = wishes.into_iter();
        let mut accepted = 0;
        for number in 0..3usize {
            for (team, what, who, at) in wishes.by_ref().take(12) {
                let own = wished(&rosters, team, (what, who, at));
                if own.len() < 2 {
                    continue;
                }
                let before = (book.event.rounds.clone(), book.event.table(book.event.next_round() - 1).lines);
                let wanted = with(&book, team, &own);
                if change(&mut book, &wanted).is_ok() {
                    accepted += usize::from(rosters[&team] != own);
                    rosters.insert(team, own);
                }
                let after = (book.event.rounds.clone(), book.event.table(book.event.next_round() - 1).lines);
                prop_assert_eq!(before, after, "nothing of before changes");
            }
            begin(&mut book);
            let mut there = BTreeSet::new();
            let round = book.event.rounds.last().expect("a round").clone();
            for (_, board, _) in round.laid() {
                for seat in board.players {
                    let it = book.event.participant(seat).expect("he has entered");
                    let team = it.team.expect("of a team").0;
                    let who = (team * 100..team * 100 + 4).chain(0..1000).find(|who| member(*who) == it.entrant.member);
                    prop_assert!(rosters[&team].contains(&who.expect("somebody known")));
                    prop_assert!(there.insert(it.entrant.member), "he sits twice");
                }
            }
            book.play(|table, _| results(outcomes[(number * 5 + table as usize) % 16]));
        }
        prop_assert!(accepted > 0 || rosters.values().flatten().all(|who| who % 100 < 4));
        prop_assert_eq!(book.verified().findings, vec![]);
        for who in 0..1000 {
            let own: Vec<&Participant> =
                book.event.participants.iter().filter(|it| it.entrant.member == member(who)).collect();
            let games = book.event.games();
            let played: Vec<u32> =
                own.iter().filter_map(|it| games.get(&it.number())).copied().filter(|it| *it > 0).collect();
            prop_assert!(played.len() < 2 || played[..played.len() - 1].iter().sum::<u32>() <= most);
        }
    }
}

/// What a captain may want of his team: somebody less, somebody new or of another team, or another order.
fn wished(rosters: &BTreeMap<u32, Vec<u32>>, team: u32, (what, who, at): (u8, usize, usize)) -> Vec<u32> {
    let mut own = rosters[&team].clone();
    let at = at % own.len();
    match what {
        0 => drop(own.remove(at)),
        1 => own.push(900 + u32::try_from(who).expect("few")),
        2 => {
            let all: Vec<u32> = (1..5).flat_map(|it| (0..4).map(move |at| it * 100 + at)).collect();
            own.remove(at);
            own.push(all[who % all.len()]);
        }
        _ => own.rotate_left(at),
    }
    own
}
