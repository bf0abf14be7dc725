//! A Swiss of seven rounds with 24 players and a late one, in one federation of two.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use api::{
    federation::v1::{
        self as pb,
        event_format::{Format, Swiss},
        event_service_client::EventServiceClient,
    },
    game::v1::{ListGamesRequest, game_service_client::GameServiceClient, ruling},
};
use chassis::Env;
use rand::{SeedableRng as _, rngs::StdRng};
use serde_json::Value;
use tests::{
    Bot, Platform, RETRY, Shape, ask, bots, call, change, command,
    held::{self, Federation, Held, events, name, until},
    opposite_shapes,
};

use super::{
    appeal,
    script::{End, LATE, LEAVES, LEAVES_HIS_GAME, Play, RESTS, ROUNDS, plays},
    table::{HIGHEST, TABLE},
};

/// In this round a process dies.
const ROUND_OF_THE_CRASH: u32 = 3;
/// How everybody's name begins, in both scripts; his number comes after it.
const NAMED: (&str, &str) = ("棋手", "Qishou");

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_is_held_through_a_crash_and_its_table_is_what_the_rules_say() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let federation = Federation::new(&transport, "吉日格协会", "Jirige Association").await;
        let other = Federation::new(&transport, "བོད་མིག་མངས", "Tibetan Jiu").await;
        let mut held = Held::new(&federation, settings(7, 25)).await;
        let mut players: Vec<Bot> = bots(&transport, LATE as usize).await.expect("all sign in");
        for (at, player) in players.iter().enumerate() {
            federation
                .enrol(player, &format!("{}{}", NAMED.0, at + 1), &format!("{} {}", NAMED.1, at + 1))
                .await;
        }
        let late = players.pop().expect("somebody is last");
        for player in players {
            held.enter(player).await;
        }
        held.run().await;
        let mut met = BTreeSet::new();
        let mut adjourned = None;
        for round in 1..=7 {
            let draft = held.pair(round).await;
            assert_pairing_keeps_the_rules(&draft, &met, &held);
            stranger_sees_no_draft(&other, &held, round).await;
            let wanted: Vec<[u32; 2]> = plays(round).iter().map(|it| [it.first, it.second]).collect();
            lay(&held, &draft, &wanted).await;
            let public = held.start(round).await;
            if round == appeal::ROUND + 1 {
                appeal::granted(&held, &public).await;
            }
            let games = games_of(&public, round);
            met.extend(public.pairings.iter().map(|it| (it.first.min(it.second), it.first.max(it.second))));
            for (at, (pairing, play)) in games.iter().enumerate() {
                if round == ROUND_OF_THE_CRASH && at == games.len() / 2 {
                    crash(&mut platform, shape, &held, &games[at..]).await;
                    break;
                }
                play_at(&held, pairing, play).await;
            }
            if let Some((pairing, play)) = adjourned.take() {
                go_on(&held, &pairing, &play).await;
                held.complete(round - 1).await;
            }
            adjourned = games.into_iter().find(|(_, play)| play.end == End::Adjourned);
            if adjourned.is_none() {
                held.complete(round).await;
            } else {
                held.told_of_all(round).await;
            }
            between(&mut held, round, &late).await;
        }
        assert_table(&held).await;
        held.end().await;
        every_board_has_its_game(&held).await;
        no_name_is_in_the_log(&held).await;
        verified(&platform, &held).await;
        own_event_of_the_other_federation(&platform, &other, &held).await;
    }
}

/// A Swiss of Go on a small board, with an hour for each, whose games may be adjourned.
pub(super) fn settings(rounds: u32, entries_max: u32) -> pb::EventSettings {
    let plain = held::settings(Format::Swiss(Swiss { rounds }), entries_max);
    let options = [("size".to_owned(), "9".to_owned())].into();
    let game = plain.game.map(|game| pb::EventGame { options, adjournable: true, ..game });
    pb::EventSettings { game, late_until_round: 3, ..plain }
}

/// What is paired by the platform meets nobody twice, pairs nobody who is away, and gives nobody the bye a second time.
fn assert_pairing_keeps_the_rules(draft: &pb::Round, met: &BTreeSet<(u32, u32)>, held: &Held) {
    let mut seen = BTreeSet::new();
    for pairing in &draft.pairings {
        let pair = (pairing.first.min(pairing.second), pairing.first.max(pairing.second));
        assert!(!met.contains(&pair), "round {}: {pair:?} meet again", draft.number);
        assert!(seen.insert(pair.0) && seen.insert(pair.1), "round {}: {pair:?}", draft.number);
    }
    let gone = |number: &u32| {
        (*number == LEAVES && draft.number > 3)
            || (*number == LEAVES_HIS_GAME && draft.number > 5)
            || (*number == RESTS && draft.number == 6)
    };
    let there: BTreeSet<u32> = held.players.keys().copied().filter(|number| !gone(number)).collect();
    let byes: Vec<u32> =
        draft.out.iter().filter(|it| it.code() == pb::ResultCode::Pab).map(|it| it.number).collect();
    seen.extend(&byes);
    assert_eq!(seen, there, "round {}", draft.number);
    let had_one = |number: &u32| {
        (*number == LATE && draft.number > 2) || (*number == LEAVES_HIS_GAME && draft.number > 3)
    };
    assert!(byes.len() <= 1 && !byes.iter().any(had_one), "round {}: {byes:?}", draft.number);
}

/// Has the chief arbiter change the draft until it is the round of the script.
pub(super) async fn lay(held: &Held, draft: &pb::Round, wanted: &[[u32; 2]]) {
    use pb::pairing_edit::{Edit, Swap, Turn};
    let mut boards: Vec<[u32; 2]> = draft.pairings.iter().map(|it| [it.first, it.second]).collect();
    let mut edits = Vec::new();
    let round = draft.number;
    assert_eq!(boards.len(), wanted.len(), "round {round}");
    for (at, pair) in wanted.iter().enumerate() {
        for number in *pair {
            if boards[at].contains(&number) {
                continue;
            }
            let side = boards[at].iter().position(|it| !pair.contains(it));
            let side = side.expect("one of the two is somebody else");
            let leaves = std::mem::replace(&mut boards[at][side], number);
            for board in boards.iter_mut().skip(at + 1).flatten().filter(|it| **it == number) {
                *board = leaves;
            }
            edits.push(Edit::Swap(Swap { one: leaves, other: number }));
        }
        if boards[at][0] != pair[0] {
            edits.push(Edit::Turn(Turn { table: draft.pairings[at].table }));
        }
    }
    if edits.is_empty() {
        return;
    }
    let edits = edits.into_iter().map(|edit| pb::PairingEdit { edit: Some(edit) }).collect();
    let reason = "as it was drawn in the hall".to_owned();
    change!(held, held.chief.player, edit_pairings(EditPairingsRequest { round, edits, reason }))
        .expect("the draft is changed");
}

/// The boards of a round with what is played at them.
fn games_of(public: &pb::Round, round: u32) -> Vec<(pb::Pairing, Play)> {
    let games: Vec<(pb::Pairing, Play)> = public.pairings.iter().cloned().zip(plays(round)).collect();
    for (pairing, play) in &games {
        assert_eq!((pairing.first, pairing.second), (play.first, play.second), "round {round}");
    }
    games
}

/// Kills a process with SIGKILL and goes on playing: what it does not hear now it hears when it is there again.
async fn crash(platform: &mut Platform, shape: Shape, held: &Held, games: &[(pb::Pairing, Play)]) {
    let process = if shape == Shape::One { "platform" } else { "federation" };
    // While the federation service alone is dead nobody has games made; while all of it is, nobody plays.
    for (pairing, _) in games.iter().filter(|_| shape == Shape::Six) {
        held.come(pairing).await;
    }
    let [(pairing, play), ..] = games else { panic!("there are games left to play") };
    assert_eq!(play.end, End::Won, "a plain game is interrupted");
    held.begin(pairing).await;
    platform.kill(process).await.expect("it can be killed");
    if shape == Shape::One {
        platform.restart(process).await.expect("it comes up again");
    }
    for (at, (pairing, play)) in games.iter().enumerate() {
        if at == 0 {
            held.resign(pairing, play.loser).await;
        } else {
            play_at(held, pairing, play).await;
        }
    }
    if shape == Shape::Six {
        platform.restart(process).await.expect("it comes up again");
    }
}

/// What happens after a round.
async fn between(held: &mut Held, round: u32, late: &Bot) {
    let leave = |round| Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round });
    match round {
        1 => held.enter(late.clone()).await,
        3 => {
            let status = leave(3);
            change!(held, held.players[&LEAVES], change_entry(ChangeEntryRequest { status }))
                .expect("he leaves");
        }
        5 => {
            let status = Some(pb::EntrantStatus { state: pb::EntrantState::ByeHalf.into(), round: 6 });
            change!(held, held.players[&RESTS], change_entry(ChangeEntryRequest { status }))
                .expect("he rests");
        }
        appeal::ROUND => appeal::ruled_and_appealed_against(held).await,
        _ => {}
    }
}

/// Plays a game of the script.
async fn play_at(held: &Held, pairing: &pb::Pairing, play: &Play) {
    if play.end == End::Left {
        let status = pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 5 };
        let status = Some(status);
        change!(held, held.players[&play.loser], change_entry(ChangeEntryRequest { status }))
            .expect("he leaves");
        return;
    }
    held.begin(pairing).await;
    if play.warning {
        held.warn(pairing, play.second).await;
    }
    match play.end {
        End::Won => held.resign(pairing, play.loser).await,
        End::Drawn => held.draw(pairing).await,
        End::Warned => {
            held.warn(pairing, play.loser).await;
            held.warn(pairing, play.loser).await;
            held.confirm(pairing).await;
        }
        End::Adjourned => adjourn(held, pairing).await,
        End::Left => {}
    }
}

/// Has a game adjourned, whose second player seals his move.
async fn adjourn(held: &Held, pairing: &pb::Pairing) {
    held.rule(pairing, ruling::Act::BeginSealing(ruling::BeginSealing {})).await;
    let mut rng = StdRng::from_seed(Env::system().bytes());
    let sealer = &held.players[&pairing.second];
    sealer.seal_move(&pairing.game_id, "G7", 1, &mut rng, RETRY).await.expect("sealed");
    until("the event knows of the adjournment", async || {
        let round = held.round(4).await;
        let board = round.pairings.into_iter().find(|it| it.game_id == pairing.game_id)?;
        (board.result?.first() == pb::ResultCode::Adjourned).then_some(())
    })
    .await;
}

/// Lets an adjourned game go on, with the sealed move, to its end.
async fn go_on(held: &Held, pairing: &pb::Pairing, play: &Play) {
    let resumption_time = Some(api::time::timestamp(Env::system().now()));
    let set = ruling::SetResumption { resumption_time };
    held.rule(pairing, ruling::Act::SetResumption(set)).await;
    until("the sealed move is played", async || {
        let game = ask(&held.players[&pairing.first].transport(), &pairing.game_id).await.ok()?;
        game.acts.last().filter(|act| act.text == "G7").map(|_| ())
    })
    .await;
    held.resign(pairing, play.loser).await;
}

async fn assert_table(held: &Held) {
    let table = held.table(&[]).await;
    assert_eq!((table.round, table.delayed, table.lines.len()), (7, false, TABLE.len()));
    for (line, row) in table.lines.iter().zip(&TABLE) {
        let number = row.number;
        assert_eq!(
            (line.place, line.number, line.points),
            (row.place, number, row.points),
            "{number}: {line:?}"
        );
        let [total, _, warnings] = line.criteria.as_slice() else { panic!("{line:?}") };
        assert_eq!((total.numerator, total.denominator), row.total, "{number}: {}", total.working);
        let opponents = match row.opponents {
            (whole, 1) => whole.to_string(),
            (numerator, denominator) => format!("{numerator}/{denominator}"),
        };
        let begin = format!("P {}, ΣO {opponents}, M {HIGHEST}, R {}: ", row.points, row.rounds);
        assert!(total.working.starts_with(&begin), "{number}: {}", total.working);
        assert_eq!(-warnings.numerator, row.warnings, "{number}");
        assert!(!line.provisional, "{number}");
    }
    // Were the highest score the one possible, 14, the bonus of 1 would be 63/7 − 7 = 2; and were R all rounds, 25 would
    // have 8 + 36/6 − 7 = 7.
    let theoretical = held.table(&[("m_basis", "theoretical")]).await;
    let first = theoretical.lines.iter().find(|line| line.number == 1).expect("he is in it");
    assert_eq!((first.criteria[0].numerator, first.criteria[0].denominator), (14, 1));
    let literal = held.table(&[("r_basis", "literal")]).await;
    let late = literal.lines.iter().find(|line| line.number == LATE).expect("he is in it");
    assert_eq!((late.criteria[0].numerator, late.criteria[0].denominator), (7, 1));
}

/// Every board has a game, which exists, and nobody has a game that is none of a board's.
async fn every_board_has_its_game(held: &Held) {
    let mut boards: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for round in 1..=7 {
        for pairing in held.round(round).await.pairings {
            for number in [pairing.first, pairing.second] {
                boards.entry(number).or_default().insert(pairing.game_id.clone());
            }
        }
    }
    let count: usize = ROUNDS.iter().map(|round| round.split(' ').count()).sum();
    assert_eq!(boards.values().flatten().collect::<BTreeSet<_>>().len(), count);
    for (number, player) in &held.players {
        let request = ListGamesRequest { account_id: player.account().id.clone(), ..Default::default() };
        let games = call!(GameServiceClient::new(player.transport()), list_games, request).expect("a list");
        let games = games.games.into_iter().filter_map(|game| Some(game.info?.id)).collect();
        assert_eq!(boards[number], games, "{number}");
    }
}

/// The log names people by id alone: whoever reads all of it, also as an official, finds the name of the event in it, and
/// nobody's.
async fn no_name_is_in_the_log(held: &Held) {
    let log = held.log(&held.chief.player).await;
    let says = |words: &str| {
        let words = words.as_bytes();
        log.iter().filter(|entry| entry.body.windows(words.len()).any(|it| it == words)).count()
    };
    assert!(says("阿坝公开赛") > 0 && says("Aba Open") > 0, "what is in it is found");
    for id in [&held.players[&1].account().id, &held.players[&LATE].account().id] {
        assert!(says(id) > 0, "{id} has entered");
    }
    assert_eq!((says(NAMED.0), says(NAMED.1)), (0, 0));
}

/// The log proves itself, from the server and from a file; a file that somebody has touched does not.
async fn verified(platform: &Platform, held: &Held) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log").display().to_string();
    let run = async |words: &[&str]| {
        let output = command([&["event", "--server", &platform.url], words].concat()).await.expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, told) = run(&["verify", &held.id]).await;
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("rounds   7"), "{told}");
    let (code, told) = run(&["log", &held.id, "--output", &file]).await;
    assert_eq!(code, Some(0), "{told}");
    let (code, told) = run(&["verify", "--file", &file, "--json"]).await;
    assert_eq!(code, Some(0), "{told}");
    let told: Value = serde_json::from_str(&told).expect("it is JSON");
    let told = told["table"].as_array().expect("a table").iter();
    let lines: Vec<_> =
        told.map(|it| [&it["place"], &it["number"], &it["points"]].map(Value::as_u64)).collect();
    let rows = TABLE.iter().map(|row| [row.place, row.number, row.points].map(|it| Some(u64::from(it))));
    assert_eq!(lines, rows.collect::<Vec<_>>(), "whoever has the file alone has the table");
    let text = fs::read_to_string(&file).expect("a file");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(lines.len() / 2);
    fs::write(&file, lines.join("\n")).expect("it is written");
    assert_eq!(run(&["verify", "--file", &file]).await.0, Some(2), "an entry is missing");
}

/// Whoever runs another federation sees no draft of this one's rounds, and does nothing in its events.
async fn stranger_sees_no_draft(other: &Federation, held: &Held, round: u32) {
    let stranger = &other.founder.player;
    let request = pb::GetRoundRequest { event_id: held.id.clone(), round, as_of_sequence: 0 };
    let seen = call!(events(stranger), get_round, request);
    assert_eq!(api::error::reason(&seen.expect_err("it is a draft")), "UNKNOWN_ROUND");
    let published = change!(held, stranger, publish_round(PublishRoundRequest { round }));
    assert_eq!(api::error::reason(&published.expect_err("it is none of his")), "EVENT_ROLE_MISSING");
}

/// The other federation has an event of its own: four who all meet, the lower number of two wins. Its chief arbiter has
/// nothing to do by hand, and its draft is nobody else's to see.
async fn own_event_of_the_other_federation(platform: &Platform, other: &Federation, first: &Held) {
    let transport = platform.transport();
    let request = pb::CreateEventRequest {
        event_id: other.founder.player.new_id(),
        federation_id: other.id.clone(),
        name: Some(name("草稿", "Draft")),
        settings: Some(settings(3, 4)),
        validate_only: false,
    };
    let draft = call!(events(&other.founder.player), create_event, request).expect("an event").event;
    let look = pb::GetEventRequest { event_id: draft.expect("it is told").id, ..Default::default() };
    let hidden = call!(events(&first.chief.player), get_event, look).expect_err("it is a draft");
    assert_eq!(api::error::reason(&hidden), "UNKNOWN_EVENT");

    let mut held = Held::new(other, settings(3, 4)).await;
    for (at, player) in bots(&transport, 4).await.expect("all sign in").into_iter().enumerate() {
        other.enrol(&player, &format!("བཀྲ་ཤིས་{}", at + 1), &format!("Tashi {}", at + 1)).await;
        held.enter(player).await;
    }
    held.run().await;
    for round in 1..=3 {
        held.pair(round).await;
        for pairing in held.start(round).await.pairings {
            held.begin(&pairing).await;
            held.resign(&pairing, pairing.first.max(pairing.second)).await;
        }
        held.complete(round).await;
    }
    // 6, 4, 2 and 0 points; everybody's opponents have 12 less his own, and M is 6: T = P + (12 − P)/3 − 3.
    let totals = [(1, 6, (5, 1)), (2, 4, (11, 3)), (3, 2, (7, 3)), (4, 0, (1, 1))];
    for (line, (number, points, total)) in held.table(&[]).await.lines.iter().zip(totals) {
        assert_eq!((line.number, line.points), (number, points));
        assert_eq!((line.criteria[0].numerator, line.criteria[0].denominator), total, "{number}");
    }
    held.end().await;
    verified_alone(platform, &held).await;
    let public = EventServiceClient::new(transport);
    let request = pb::ListEventsRequest { federation_id: other.id.clone(), ..Default::default() };
    let listed = call!(public, list_events, request).expect("a list").events;
    assert_eq!(listed.iter().map(|event| &event.id).collect::<Vec<_>>(), [&held.id], "its own, and no draft");
}

pub(super) async fn verified_alone(platform: &Platform, held: &Held) {
    let output = command(["event", "--server", &platform.url, "verify", &held.id]).await.expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
