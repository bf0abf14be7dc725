//! Formats of their own by short scripts: a ladder, a MacMahon, an arena of two teams. What comes of each is worked out by
//! hand from the rules (competition rules, 1.2).

use api::{
    error::reason,
    federation::v1::{self as pb, event_format::Format, membership_service_client::MembershipServiceClient},
};
use tests::{
    Platform, bots, call, change,
    held::{Federation, Held, Person, events},
    shapes,
};

use super::{
    swiss::{lay, settings, verified_alone},
    teams::{NAMES, enter_team},
    terminal::Terminal,
};

fn of(format: Format) -> pb::EventSettings {
    let format = Some(pb::EventFormat { format: Some(format) });
    pb::EventSettings { format, late_until_round: 0, ..settings(1, 16) }
}

/// Has somebody win a board, by the resignation of the other.
async fn wins(held: &Held, board: &pb::Pairing, winner: u32) {
    assert!([board.first, board.second].contains(&winner), "{winner}: {board:?}");
    held.begin(board).await;
    held.resign(board, if board.first == winner { board.second } else { board.first }).await;
}

/// The board of a round at which somebody sits.
async fn board_of(held: &Held, round: u32, number: u32) -> pb::Pairing {
    let boards = held.round(round).await.pairings;
    let board = boards.into_iter().find(|it| [it.first, it.second].contains(&number));
    board.unwrap_or_else(|| panic!("{number} has no board in round {round}"))
}

async fn challenge(held: &Held, number: u32, holder: u32) -> Result<pb::Event, tonic::Status> {
    change!(held, held.players[&number], challenge(ChallengeRequest { holder }))
}

/// Challenges, and the other accepts.
async fn meets(held: &Held, number: u32, holder: u32) {
    challenge(held, number, holder).await.expect("it is within reach");
    let (challenger, answer) = (number, pb::ChallengeAnswer::Accepted.into());
    let player = &held.players[&holder];
    change!(held, player, answer_challenge(AnswerChallengeRequest { challenger, answer })).expect("he plays");
}

async fn ladder(held: &Held) -> Vec<u32> {
    held.table(&[]).await.lines.iter().map(|line| line.number).collect()
}

/// Asks for a round, which there is none of any more.
async fn has_no_round(held: &Held, round: u32) {
    let request = pb::PairRoundRequest {
        event_id: held.id.clone(),
        request_id: held.chief.player.new_id(),
        round,
        ..Default::default()
    };
    let mut answers = match events(&held.chief.player).pair_round(request).await {
        Ok(answers) => answers.into_inner(),
        Err(refused) => return assert_eq!(reason(&refused), "NO_MORE_ROUNDS"),
    };
    loop {
        match answers.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("round {round} is paired"),
            Err(refused) => return assert_eq!(reason(&refused), "NO_MORE_ROUNDS"),
        }
    }
}

/// Whoever wins against somebody above takes his place, and those between move down by one. 3 has no device: his son acts
/// for him, and their game is played in a hall.
#[tokio::test(flavor = "multi_thread")]
async fn a_ladder_is_climbed_by_challenges() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "围棋协会", "Go Association").await;
    let rungs = Format::Ladder(pb::LadderFormat { rounds: 2, reach: 3, answer_duration: None });
    let mut held = Held::new(&federation, of(rungs)).await;
    let son = Person::new(&transport).await;
    for (at, player) in (1..).zip(bots(&transport, 5).await.expect("all sign in")) {
        if at == 3 {
            let elder = federation.enrol_account("", "爷爷", "Yeye").await;
            given_to(&federation, &elder, &son).await;
            held.enter_member(&elder, None, None).await;
        } else {
            federation.enrol(&player, &format!("棋手{at}"), &format!("Qishou {at}")).await;
            held.enter(player).await;
        }
    }
    held.run().await;
    assert_eq!(reason(&challenge(&held, 5, 1).await.expect_err("that is four places")), "BAD_CHALLENGE");
    meets(&held, 5, 2).await;
    meets(&held, 4, 1).await;
    held.pair(1).await;
    held.start(1).await;
    // 5 wins against 2 and takes the second place: 1, 5, 2, 3, 4. 4 loses against 1, and nothing moves.
    wins(&held, &board_of(&held, 1, 5).await, 5).await;
    wins(&held, &board_of(&held, 1, 4).await, 1).await;
    held.complete(1).await;
    assert_eq!(ladder(&held).await, [1, 5, 2, 3, 4]);

    let at = Terminal::new(&platform);
    let done = at.well(&son, &["challenge", &held.id, "2", "--for", "3"]).await;
    assert!(done.contains("done as a proxy, for 爷爷 (Yeye)"), "{done}");
    let log = at.say(None, &["log", &held.id]).await.1;
    assert!(log.contains("player for 爷爷 (Yeye): 3 爷爷 (Yeye) challenges 2 棋手2 (Qishou 2)"), "{log}");
    at.well(&son, &["answer", &held.id, "3", "withdrawn", "--for", "3"]).await;
    at.well(&son, &["challenge", &held.id, "2", "--for", "3"]).await;
    let shown = at.say(None, &["show", &held.id]).await.1;
    assert!(shown.contains("answer_until"), "{shown}");
    at.well(&held.chief, &["answer", &held.id, "3", "accepted"]).await;
    let log = at.say(None, &["log", &held.id]).await.1;
    assert!(log.contains("2 棋手2 (Qishou 2) accepts the challenge of 3 爷爷 (Yeye)"), "{log}");
    meets(&held, 5, 1).await;
    held.pair(2).await;
    held.start(2).await;
    // 3 wins against 2, who is one place above: 1, 5, 3, 2, 4. Then 5 against 1: 5, 1, 3, 2, 4.
    let board = board_of(&held, 2, 3).await;
    let decided = if board.first == 3 { "first-wins" } else { "second-wins" };
    let table = board.table.to_string();
    at.well(&held.chief, &["result", &held.id, "2", &table, decided, "--decision"]).await;
    wins(&held, &board_of(&held, 2, 5).await, 5).await;
    held.complete(2).await;
    assert_eq!(ladder(&held).await, [5, 1, 3, 2, 4]);
    has_no_round(&held, 3).await;
    held.end().await;
    verified_alone(&platform, &held).await;
}

/// Has somebody act for a member who has signed that on paper.
async fn given_to(federation: &Federation, member: &pb::Member, proxy: &Person) {
    let founder = &federation.founder.player;
    let request = pb::GiveProxyRequest {
        member_id: member.member_id.clone(),
        account_id: proxy.id(),
        reason: "signed on paper".to_owned(),
        request_id: founder.new_id(),
        validate_only: false,
    };
    call!(MembershipServiceClient::new(founder.transport()), give_proxy, request).expect("he acts for him");
}

/// The grades of the MacMahon's players: 4 dan, 3 dan, 1 dan twice, and 10 kyu. The bar is at 3 dan and the floor at 3 kyu,
/// which is −2, so that they begin with 10, 10, 6, 6 and 0: two points a grade above the floor.
const GRADES: [i32; 5] = [4, 3, 1, 1, -9];

/// What the MacMahon comes to: number, points, MacMahon score, and the sum of the opponents' scores.
#[rustfmt::skip]
const MACMAHON: [(u32, u32, i64, i64); 5] = [
    // 10 + 2 + 0; against 2 and 3: 12 + 10
    (1, 2, 12, 22),
    // 10 + 0 + 2; against 1 and 5: 12 + 2
    (2, 2, 12, 14),
    // 6 + 2 + 2; against 4 and 1: 8 + 12
    (3, 4, 10, 20),
    // 6 + 0 + 2, the bye; against 3: 10, and his own first score for the round without an opponent: 6
    (4, 2, 8, 16),
    // 0 + 2 + 0, the bye first; his own first score 0, and against 2: 12
    (5, 2, 2, 12),
];

/// The rules: score = starting score + wins, and a round without an opponent adds the player's own starting score.
#[tokio::test(flavor = "multi_thread")]
async fn a_macmahon_begins_from_the_grades() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "围棋协会", "Go Association").await;
    let format = pb::event_format::MacMahon { rounds: 2, bar: 3, floor: -2, ..Default::default() };
    let mut held = Held::new(&federation, of(Format::MacMahon(format))).await;
    for (at, player) in bots(&transport, GRADES.len()).await.expect("all sign in").into_iter().enumerate() {
        let member =
            federation.enrol(&player, &format!("棋手{}", at + 1), &format!("Qishou {}", at + 1)).await;
        held.enter_member(&member, Some(GRADES[at]), Some(player)).await;
    }
    held.run().await;
    let rounds: [(u32, [[u32; 2]; 2], [u32; 2]); 2] =
        [(5, [[1, 2], [3, 4]], [1, 3]), (4, [[1, 3], [2, 5]], [3, 2])];
    for (round, (bye, pairs, winners)) in (1..).zip(rounds) {
        let draft = held.pair(round).await;
        let out: Vec<_> = draft.out.iter().map(|it| (it.number, it.code())).collect();
        assert_eq!(out, [(bye, pb::ResultCode::Pab)], "the lowest score that had no bye");
        if round == 1 {
            let mut paired: Vec<[u32; 2]> =
                draft.pairings.iter().map(|it| [it.first.min(it.second), it.first.max(it.second)]).collect();
            paired.sort_unstable();
            assert_eq!(paired, pairs, "equal scores meet");
        }
        lay(&held, &draft, &pairs).await;
        for (board, winner) in held.start(round).await.pairings.iter().zip(winners) {
            wins(&held, board, winner).await;
        }
        held.complete(round).await;
    }
    let lines = held.table(&[]).await.lines;
    let order: Vec<u32> = lines.iter().map(|line| line.place).collect();
    assert_eq!(order, [1, 2, 3, 4, 5]);
    for (line, (number, points, score, sos)) in lines.iter().zip(MACMAHON) {
        assert_eq!((line.number, line.points), (number, points), "{line:?}");
        let criteria: Vec<(&str, i64, i64)> =
            line.criteria.iter().map(|it| (it.name.as_str(), it.numerator, it.denominator)).collect();
        assert_eq!(criteria[..2], [("mms", score, 1), ("sos", sos, 1)], "{number}");
    }
    held.end().await;
    verified_alone(&platform, &held).await;
}

/// The arena: who meets, and who wins; nobody where they draw. Of team 1 play 1, 2 and 3, of team 2 play 4, 5 and 6.
const ARENA: [([u32; 2], Option<u32>); 5] = [
    ([1, 4], Some(1)),
    // The winner stays, and the next of team 2 comes.
    ([1, 5], Some(5)),
    ([2, 5], None),
    // A draw is played again once with the colours reversed; the second removes both.
    ([2, 5], None),
    // Team 1 has nobody left after it.
    ([3, 6], Some(6)),
];

#[tokio::test(flavor = "multi_thread")]
async fn in_an_arena_the_winner_stays() {
    let (shape, store) = shapes().remove(0);
    let platform = Platform::start(shape, store).await.expect("the platform starts");
    let transport = platform.transport();
    let federation = Federation::new(&transport, "围棋协会", "Go Association").await;
    let teams =
        pb::TeamSettings { boards: 3, line_up: pb::LineUpLaw::FixedBoards.into(), ..Default::default() };
    let settings =
        pb::EventSettings { teams: Some(teams), entries_max: 2, ..of(Format::Arena(pb::ArenaFormat {})) };
    let mut held = Held::new(&federation, settings).await;
    let mut players = bots(&transport, 6).await.expect("all sign in");
    for named in &NAMES[..2] {
        let own = players.drain(..3).collect();
        enter_team(&mut held, &federation, *named, own, 3).await;
    }
    held.run().await;
    // Who moved first, game by game.
    let mut moved_first = Vec::new();
    for (round, (pair, winner)) in (1..).zip(ARENA) {
        held.pair(round).await;
        held.publish(round).await;
        let board = held.begin_round(round).await.pairings.remove(0);
        assert_eq!([board.first.min(board.second), board.first.max(board.second)], pair, "game {round}");
        moved_first.push(board.first);
        if let Some(winner) = winner {
            wins(&held, &board, winner).await;
        } else {
            held.begin(&board).await;
            held.draw(&board).await;
        }
        held.complete(round).await;
    }
    let had_first = |round: usize, number: u32| moved_first[round - 1] == number;
    assert_ne!(had_first(1, 1), had_first(2, 1), "1 stays, with the colour that he had less");
    assert_ne!(had_first(2, 5), had_first(3, 5), "5 stays, with the colour that he had less");
    assert_ne!(had_first(3, 5), had_first(4, 5), "the colours are reversed");
    has_no_round(&held, 6).await;
    // Team 1 has 2 + 0 + 1 + 1 + 0 = 4 at its boards, team 2 has 0 + 2 + 1 + 1 + 2 = 6.
    let lines = held.table(&[]).await.lines;
    let told: Vec<_> =
        lines.iter().map(|it| (it.place, it.number, it.points, it.criteria[0].numerator)).collect();
    assert_eq!(told, [(1, 2, 2, 6), (2, 1, 0, 4)]);
    held.end().await;
    verified_alone(&platform, &held).await;
}
