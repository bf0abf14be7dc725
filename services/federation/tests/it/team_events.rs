//! Events of teams through their API, from the draft to the table.

use api::{
    board::v1::{Reason, Verdict},
    federation::v1 as pb,
};
use futures::StreamExt as _;
use pairing::{Number, lineup::commitment};
use prost::Message as _;
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, name, reason},
    held::{Held, change, held, pair, play, run, sequence, settings},
    teams::{form, team},
};

/// Settings of an event in which teams meet.
pub(crate) fn of_teams(
    boards: u32,
    line_up: pb::LineUpLaw,
    format: pb::event_format::Format,
) -> pb::EventSettings {
    let changes = matches!(line_up, pb::LineUpLaw::FixedBoardsSubs | pb::LineUpLaw::DeclaredBoards);
    let teams = pb::TeamSettings {
        boards,
        line_up: line_up.into(),
        reserves_max: if changes { 2 } else { 0 },
        ..Default::default()
    };
    let format = Some(pb::EventFormat { format: Some(format) });
    pb::EventSettings { teams: Some(teams), format, ..settings(1) }
}

pub(crate) fn robin() -> pb::event_format::Format {
    pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: false })
}

fn swiss(rounds: u32) -> pb::event_format::Format {
    pb::event_format::Format::Swiss(pb::event_format::Swiss { rounds })
}

/// A team of the federation whose players have accounts, the captain the first.
pub(crate) struct Entered {
    pub(crate) team: pb::Team,
    pub(crate) players: Vec<Person>,
}

impl Entered {
    pub(crate) fn captain(&self) -> &Person {
        &self.players[0]
    }
}

async fn team_of(fixture: &Fixture, held: &Held, named: &str, members: usize, substitutes: usize) -> Entered {
    let founder = &held.federation.founder;
    let mut players = Vec::new();
    let mut ids = Vec::new();
    for number in 1..=members + substitutes {
        let player = fixture.person(&format!("{named}{number}"));
        let member = founder.member(&held.federation.id, &format!("{named} {number}")).await;
        founder.bind(&member.member_id, &player.id()).await.expect("bound");
        ids.push(member.member_id);
        players.push(player);
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut made = team(&held.federation.id, named, ids[0], &ids);
    for member in made.members.iter_mut().skip(members) {
        member.part = pb::TeamPart::Substitute.into();
    }
    Entered { team: form(founder, made).await.expect("a team"), players }
}

async fn enter(held: &Held, person: &Person, team: &Entered) -> Result<pb::Event, Status> {
    let team_id = team.team.team_id.clone();
    change!(held, person, enter_team, EnterTeamRequest { team_id, supplement_version: 1 })
}

/// Teams that have entered by their captains, in an event that runs.
pub(crate) async fn running(
    fixture: &Fixture,
    settings: pb::EventSettings,
    names: &[&str],
    (members, substitutes): (usize, usize),
) -> (Held, Vec<Entered>) {
    let held = held(fixture, settings).await;
    let mut teams = Vec::new();
    for named in names {
        let entered = team_of(fixture, &held, named, members, substitutes).await;
        enter(&held, entered.captain(), &entered).await.expect("entered");
        teams.push(entered);
    }
    run(&held).await;
    (held, teams)
}

/// Two teams of two, of which the first round is public and has not begun.
pub(crate) async fn two_teams_paired(fixture: &Fixture) -> Held {
    let settings = of_teams(2, pb::LineUpLaw::FixedBoards, robin());
    let (held, _) = running(fixture, settings, &["Lions", "Tigers"], (2, 0)).await;
    publish(&held, 1).await;
    held
}

async fn publish(held: &Held, round: u32) {
    pair(held, round).await.expect("paired");
    change!(held, held.chief, publish_round, PublishRoundRequest { round }).expect("published");
}

async fn start(held: &Held, round: u32) -> Result<pb::Event, Status> {
    change!(held, held.chief, start_round, StartRoundRequest { round })
}

pub(crate) async fn matches(person: &Person, held: &Held, round: u32) -> Vec<pb::TeamMatch> {
    let request = pb::ListTeamMatchesRequest { event_id: held.id.clone(), round, ..Default::default() };
    person.events.clone().list_team_matches(request).await.expect("matches").into_inner().matches
}

/// Who meets whom in a match, the lower number first.
fn seats(of: &pb::TeamMatch) -> Vec<[u32; 2]> {
    of.boards.iter().map(|it| [it.first.min(it.second), it.first.max(it.second)]).collect()
}

async fn table(person: &Person, held: &Held) -> pb::GetStandingsResponse {
    let request = pb::GetStandingsRequest { event_id: held.id.clone(), ..Default::default() };
    person.events.clone().get_standings(request).await.expect("a table").into_inner()
}

async fn log(person: &Person, held: &Held) -> Vec<pb::EventLogEntry> {
    let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
    person.events.clone().list_log(request).await.expect("a log").into_inner().entries
}

pub(crate) async fn nothing_is_found(person: &Person, held: &Held) {
    let found = federation::audit::log(&held.id, &log(person, held).await).expect("it can be read");
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[tokio::test]
async fn teams_go_from_their_entry_to_their_table() {
    for fixture in fixtures().await {
        let settings = of_teams(2, pb::LineUpLaw::FixedBoards, robin());
        let (held, _) = running(&fixture, settings, &["Lions", "Tigers", "Cranes"], (2, 0)).await;
        let stranger = fixture.person("stranger");
        let request =
            pb::ListEventTeamsRequest { event_id: held.id.clone(), page_size: 2, ..Default::default() };
        let page =
            stranger.events.clone().list_event_teams(request.clone()).await.expect("teams").into_inner();
        assert_eq!(page.teams.iter().map(|team| team.players.clone()).collect::<Vec<_>>(), [[1, 2], [3, 4]]);
        let rest = pb::ListEventTeamsRequest { page_token: page.next_page_token, ..request };
        let rest = stranger.events.clone().list_event_teams(rest).await.expect("teams").into_inner();
        assert_eq!((rest.teams.len(), rest.next_page_token.as_str()), (1, ""), "{}", fixture.kind);
        for round in 1..=3 {
            publish(&held, round).await;
            let before = matches(&stranger, &held, round).await;
            assert_eq!(before.len(), 1);
            assert!(before[0].boards.is_empty(), "boards are laid when the round begins");
            start(&held, round).await.expect("started");
            let of = matches(&stranger, &held, round).await.remove(0);
            assert_eq!(of.boards.iter().map(|it| it.table).collect::<Vec<_>>(), [1, 2]);
            assert_eq!(of.boards.iter().map(|it| it.first_moves_first).collect::<Vec<_>>(), [true, false]);
            let games = fixture.games.wait_for(2 * round as usize, &fixture.time).await;
            assert!(of.boards.iter().all(|board| games.iter().any(|game| game.game_id == board.game_id)));
            // The first to move wins at every board, so that each team wins one.
            play(&fixture, &held, round).await;
            let request = pb::GetTeamMatchRequest { event_id: held.id.clone(), round, r#match: 1 };
            let after = stranger.events.clone().get_team_match(request).await.expect("a match").into_inner();
            let after = after.r#match.expect("present");
            assert_eq!((after.first_points, after.second_points), (2, 2));
            assert_eq!(after.first_result(), pb::ResultCode::Draw);
        }
        assert_eq!(reason(pair(&held, 4).await), "NO_MORE_ROUNDS");
        let table = table(&stranger, &held).await;
        assert_eq!(table.lines.iter().map(|line| (line.place, line.points)).collect::<Vec<_>>(), [(1, 2); 3]);
        assert_eq!(table.lines[0].criteria[1].name, "game_points");
        assert_eq!(table.players.len(), 6);
        nothing_is_found(&stranger, &held).await;
    }
}

/// What opens a line-up, and its hash.
fn sealed(players: &[u32]) -> (Vec<u8>, Vec<u8>) {
    let salt = [0x5a; 32];
    let numbers: Vec<Number> = players.iter().copied().map(Number).collect();
    (salt.to_vec(), commitment(&salt, &numbers).to_vec())
}

async fn declare(held: &Held, captain: &Person, team: u32, players: &[u32]) -> Result<pb::Event, Status> {
    let commitment = sealed(players).1;
    change!(held, captain, declare_line_up, DeclareLineUpRequest { round: 1, team, commitment })
}

async fn reveal(held: &Held, captain: &Person, team: u32, players: &[u32]) -> Result<pb::Event, Status> {
    let (salt, players) = (sealed(players).0, players.to_vec());
    change!(held, captain, reveal_line_up, RevealLineUpRequest { round: 1, team, salt, players })
}

/// Whether a message has these players in their order somewhere: as a list of numbers is encoded.
fn has_line_up(bytes: &[u8], players: &[u32]) -> bool {
    let packed: Vec<u8> = players.iter().map(|it| u8::try_from(*it).expect("a small number")).collect();
    bytes.windows(packed.len()).any(|window| window == packed)
}

/// Nobody learns a line-up before both are in: not by the log, not by its stream, not by matches, rounds or the event.
#[tokio::test]
async fn a_line_up_is_a_secret_until_both_are_in() {
    for fixture in fixtures().await {
        let settings = of_teams(5, pb::LineUpLaw::DeclaredBoards, robin());
        let (held, teams) = running(&fixture, settings, &["Lions", "Tigers"], (5, 2)).await;
        publish(&held, 1).await;
        let (ours, theirs) = ([7, 1, 4, 3, 6], [14, 9, 8, 13, 10]);
        let (lion, tiger) = (teams[0].captain(), teams[1].captain());
        let stranger = fixture.person("stranger");
        let watchers = [&stranger, &teams[0].players[1], tiger, &held.chief];
        let mut streams = Vec::new();
        for watcher in watchers {
            let watch = pb::WatchEventRequest { event_id: held.id.clone(), after_sequence: 0 };
            streams.push(watcher.events.clone().watch_event(watch).await.expect("a stream").into_inner());
        }
        declare(&held, lion, 1, &ours).await.expect("declared");
        let shown = matches(&stranger, &held, 1).await.remove(0);
        let states = |of: &pb::TeamMatch| {
            let mut both =
                [of.first_line_up.clone(), of.second_line_up.clone()].map(|it| it.expect("present"));
            both.sort_by_key(|it| it.team);
            both
        };
        assert_eq!(
            states(&shown).map(|it| it.state()),
            [pb::line_up::State::Declared, pb::line_up::State::Open]
        );
        reveal(&held, lion, 1, &ours).await.expect("handed in");
        for (watcher, stream) in watchers.into_iter().zip(&mut streams) {
            let entries = log(watcher, &held).await;
            for entry in &entries {
                let told = stream.next().await.expect("more").expect("an entry").entry.expect("present");
                assert_eq!(&told, entry);
                assert!(!has_line_up(&entry.body, &ours), "{}: entry {}", fixture.kind, entry.sequence);
            }
            let of = matches(watcher, &held, 1).await.remove(0);
            assert!(!has_line_up(&of.encode_to_vec(), &ours), "{}", fixture.kind);
            assert_eq!(states(&of)[0].state(), pb::line_up::State::HandedIn);
            let round = pb::GetRoundRequest { event_id: held.id.clone(), round: 1, as_of_sequence: 0 };
            let round = watcher.events.clone().get_round(round).await.expect("a round").into_inner();
            assert!(round.round.expect("present").pairings.is_empty(), "no board is laid");
        }
        assert!(has_line_up(&matches(lion, &held, 1).await.remove(0).encode_to_vec(), &ours), "his own");
        declare(&held, tiger, 2, &theirs).await.expect("declared");
        let before = log(&stranger, &held).await.len();
        reveal(&held, tiger, 2, &theirs).await.expect("handed in");
        let after = log(&stranger, &held).await;
        assert_eq!(after.len(), before + 3, "both become public at once");
        assert!(after.iter().any(|entry| has_line_up(&entry.body, &ours)));
        let public = states(&matches(&stranger, &held, 1).await.remove(0));
        assert_eq!(public.map(|it| it.players), [ours.to_vec(), theirs.to_vec()]);
        start(&held, 1).await.expect("started");
        let of = matches(&stranger, &held, 1).await.remove(0);
        assert_eq!(seats(&of), [[7, 14], [1, 9], [4, 8], [3, 13], [6, 10]]);
        play(&fixture, &held, 1).await;
        nothing_is_found(&stranger, &held).await;
    }
}

#[tokio::test]
async fn a_line_up_that_may_not_be_is_refused_and_tells_nothing() {
    for fixture in fixtures().await {
        let settings = of_teams(2, pb::LineUpLaw::FixedBoardsSubs, robin());
        let (held, teams) = running(&fixture, settings, &["Lions", "Tigers"], (2, 1)).await;
        let (lion, tiger) = (teams[0].captain(), teams[1].captain());
        assert_eq!(reason(declare(&held, lion, 1, &[1, 3]).await), "UNKNOWN_MATCH", "{}", fixture.kind);
        publish(&held, 1).await;
        assert_eq!(reason(declare(&held, tiger, 1, &[1, 3]).await), "NOT_THE_CAPTAIN");
        assert_eq!(reason(declare(&held, lion, 7, &[1, 3]).await), "UNKNOWN_ENTRANT");
        assert_eq!(reason(declare(&held, &teams[0].players[1], 1, &[1, 3]).await), "EVENT_ROLE_MISSING");
        assert_eq!(reason(declare(&held, &held.chief, 1, &[1, 3]).await), "EVENT_ROLE_MISSING");
        assert_eq!(reason(reveal(&held, lion, 1, &[1, 3]).await), "BAD_LINE_UP", "nothing was declared");
        for wrong in [&[1, 4][..], &[1, 1], &[3, 1], &[1, 2, 3], &[]] {
            declare(&held, lion, 1, wrong).await.expect("nobody knows what it is");
            assert_eq!(reason(reveal(&held, lion, 1, wrong).await), "BAD_LINE_UP", "{wrong:?}");
        }
        declare(&held, lion, 1, &[1, 99]).await.expect("nobody knows what it is");
        let before = sequence(&held).await;
        let status = reveal(&held, lion, 1, &[1, 99]).await.expect_err("a substitute who is not registered");
        let details = tonic_types::StatusExt::get_details_error_info(&status).expect("details");
        assert_eq!((&*details.reason, &*details.metadata["what"]), ("BAD_LINE_UP", "stranger"));
        assert_eq!(sequence(&held).await, before, "nothing is written");
        declare(&held, lion, 1, &[1, 3]).await.expect("declared");
        assert_eq!(reason(reveal(&held, lion, 1, &[2, 3]).await), "BAD_LINE_UP", "not what was declared");
        assert_eq!(reason(reveal(&held, tiger, 1, &[1, 3]).await), "NOT_THE_CAPTAIN");
        let short = change!(
            held,
            lion,
            declare_line_up,
            DeclareLineUpRequest { round: 1, team: 1, commitment: vec![1] }
        );
        assert_eq!(reason(short), "UNKNOWN_VALUE");
        // The other declares and hands nothing in: when the round begins his line-up does not hold, and ours does.
        declare(&held, tiger, 2, &[4, 6]).await.expect("declared");
        reveal(&held, lion, 1, &[1, 3]).await.expect("handed in");
        assert_eq!(reason(declare(&held, lion, 1, &[1, 2]).await), "LINE_UP_CLOSED");
        start(&held, 1).await.expect("started");
        let of = matches(lion, &held, 1).await.remove(0);
        assert_eq!(seats(&of), [[1, 4], [3, 5]]);
        assert_eq!(reason(reveal(&held, tiger, 2, &[4, 6]).await), "LINE_UP_CLOSED");
        nothing_is_found(lion, &held).await;
    }
}

/// Whoever is faster, nothing is lost: what was acknowledged before the round began is opened, and the rest is refused.
#[tokio::test]
async fn captains_hand_in_at_once_and_as_the_round_begins() {
    for fixture in fixtures().await {
        let settings = of_teams(2, pb::LineUpLaw::DeclaredBoards, robin());
        let names = ["Lions", "Tigers", "Cranes", "Bears"];
        let (held, teams) = running(&fixture, settings, &names, (2, 0)).await;
        publish(&held, 1).await;
        let line_up = |team: u32| [team * 2, team * 2 - 1];
        for (number, team) in (1..).zip(&teams) {
            declare(&held, team.captain(), number, &line_up(number)).await.expect("declared");
        }
        let of = matches(&held.chief, &held, 1).await;
        let captain = |team: u32| teams[team as usize - 1].captain();
        let hand_in = async |team: u32| reveal(&held, captain(team), team, &line_up(team)).await;
        let (one, other) = tokio::join!(hand_in(of[0].first), hand_in(of[0].second));
        assert!(one.is_ok() && other.is_ok(), "{}: {one:?} {other:?}", fixture.kind);
        let both = matches(&held.chief, &held, 1).await.remove(0);
        for line_up in [both.first_line_up, both.second_line_up].map(|it| it.expect("present")) {
            assert_eq!(line_up.state(), pb::line_up::State::Public, "{}", fixture.kind);
        }
        let (one, started, other) =
            tokio::join!(hand_in(of[1].first), start(&held, 1), hand_in(of[1].second));
        started.expect("started");
        let laid = matches(&held.chief, &held, 1).await.remove(1);
        for (handed_in, line_up) in [(one, laid.first_line_up), (other, laid.second_line_up)] {
            let is_public = line_up.expect("present").state() == pb::line_up::State::Public;
            match handed_in {
                Ok(_) => assert!(is_public, "{}: acknowledged and lost", fixture.kind),
                Err(refused) => {
                    assert!(!is_public);
                    assert_eq!(api::error::reason(&refused), "LINE_UP_CLOSED", "{}", fixture.kind);
                }
            }
        }
        nothing_is_found(&held.chief, &held).await;
    }
}

#[tokio::test]
async fn a_team_enters_by_its_captain_and_leaves_with_him() {
    for fixture in fixtures().await {
        let held = held(&fixture, of_teams(2, pb::LineUpLaw::FixedBoards, swiss(2))).await;
        let lions = team_of(&fixture, &held, "Lions", 2, 0).await;
        let tigers = team_of(&fixture, &held, "Tigers", 2, 1).await;
        let cranes = team_of(&fixture, &held, "Cranes", 3, 0).await;
        assert_eq!(
            reason(enter(&held, tigers.captain(), &lions).await),
            "NOT_THE_CAPTAIN",
            "{}",
            fixture.kind
        );
        assert_eq!(reason(enter(&held, tigers.captain(), &tigers).await), "BAD_LINE_UP", "no reserves here");
        assert_eq!(reason(enter(&held, cranes.captain(), &cranes).await), "BAD_LINE_UP", "three players");
        let alone = change!(held, lions.players[1], enter_event, EnterEventRequest { supplement_version: 1 });
        assert_eq!(reason(alone), "NOT_OF_TEAMS");
        let named = async |person: &Person, of: &Entered, ids: Vec<String>| {
            let team_id = of.team.team_id.clone();
            change!(
                held,
                person,
                enter_team,
                EnterTeamRequest { team_id, player_ids: ids, supplement_version: 1 }
            )
        };
        let ids = |of: &Entered| of.team.members.iter().map(|it| it.member_id.clone()).collect::<Vec<_>>();
        let foreign = vec![ids(&tigers)[0].clone(), ids(&lions)[0].clone()];
        assert_eq!(reason(named(tigers.captain(), &tigers, foreign).await), "BAD_LINE_UP", "a stranger");
        enter(&held, lions.captain(), &lions).await.expect("entered");
        assert_eq!(reason(enter(&held, lions.captain(), &lions).await), "ALREADY_ENTERED");
        named(tigers.captain(), &tigers, ids(&tigers)[..2].to_vec()).await.expect("entered");
        // An official enters the third, of whose players he names two.
        named(&held.chief, &cranes, ids(&cranes)[1..].to_vec()).await.expect("entered");
        run(&held).await;
        publish(&held, 1).await;
        start(&held, 1).await.expect("started");
        let first = matches(&held.chief, &held, 1).await.remove(0);
        let status = Some(pb::EntrantStatus { state: pb::EntrantState::Withdrawn.into(), round: 1 });
        let (gone, stays) = (first.first, first.second);
        let teams = [&lions, &tigers, &cranes];
        let (gone_captain, other_captain) =
            (teams[gone as usize - 1].captain(), teams[stays as usize - 1].captain());
        let leave = async |person: &Person| {
            change!(
                held,
                person,
                change_team_entry,
                ChangeTeamEntryRequest { team: gone, status, reason: "ill".to_owned() }
            )
        };
        assert_eq!(reason(leave(other_captain).await), "EVENT_ROLE_MISSING");
        leave(gone_captain).await.expect("it leaves");
        let lost = matches(&held.chief, &held, 1).await.remove(0);
        assert_eq!(lost.second_result(), pb::ResultCode::ForfeitWin);
        publish(&held, 2).await;
        let second = matches(&held.chief, &held, 2).await;
        assert_eq!(second.len(), 1);
        assert!(second[0].first != gone && second[0].second != gone, "it is not paired again");
        start(&held, 2).await.expect("started");
        // A board of a team is a board as any other: its result is entered, and its game is told of once.
        let board = &second[0];
        let laid = matches(&held.chief, &held, 2).await.remove(0);
        assert_eq!((laid.first, laid.second), (board.first, board.second));
        let report = pb::RecordGameRequest {
            event_id: held.id.clone(),
            game_id: laid.boards[1].game_id.clone(),
            sequence: 3,
            state: pb::GameReportState::Final.into(),
            verdict: Verdict::Draw.into(),
            reason: Reason::Agreement.into(),
            ..Default::default()
        };
        fixture.internal.clone().record_game(report).await.expect("recorded");
        let drawn = matches(&held.chief, &held, 2).await.remove(0);
        assert_eq!((drawn.first_points, drawn.boards[1].first_code()), (1, pb::ResultCode::Draw));
        assert_eq!(drawn.first_result(), pb::ResultCode::Unspecified, "a board is open");
        play(&fixture, &held, 2).await;
        let table = table(&held.chief, &held).await;
        assert_eq!(table.lines.len(), 3);
        assert!(table.lines[0].criteria[0].working.starts_with("P "), "28.2.2: {:?}", table.lines[0]);
        nothing_is_found(&held.chief, &held).await;
    }
}

#[tokio::test]
async fn captains_and_players_have_a_board_of_their_match_played_later() {
    for fixture in fixtures().await {
        let settings = of_teams(3, pb::LineUpLaw::FixedBoards, robin());
        let (held, teams) = running(&fixture, settings, &["Lions", "Tigers"], (3, 0)).await;
        publish(&held, 1).await;
        let until = fixture.env.now() + std::time::Duration::from_hours(48);
        let start_time = Some(api::time::timestamp(until));
        let postpone = async |who: &Person| {
            change!(held, who, postpone_board, PostponeBoardRequest { round: 1, table: 2, start_time })
        };
        assert_eq!(reason(postpone(&teams[0].players[2]).await), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        postpone(teams[0].captain()).await.expect("the captain asks for his player");
        assert_eq!(reason(postpone(&held.chief).await), "BAD_POSTPONEMENT", "the other has not asked");
        postpone(&teams[1].players[1]).await.expect("the other player agrees");
        postpone(&held.chief).await.expect("consented");
        start(&held, 1).await.expect("started");
        let of = matches(&held.chief, &held, 1).await.remove(0);
        let games = fixture.games.wait_for(2, &fixture.time).await;
        assert!(games.iter().all(|game| game.game_id != of.boards[1].game_id), "it is not made yet");
        assert_eq!(of.boards[1].first_code(), pb::ResultCode::Adjourned);
        fixture.time.advance(std::time::Duration::from_hours(48));
        let games = fixture.games.wait_for(3, &fixture.time).await;
        assert!(games.iter().any(|game| game.game_id == of.boards[1].game_id));
        play(&fixture, &held, 1).await;
        let of = matches(&held.chief, &held, 1).await.remove(0);
        assert_ne!(of.first_result(), pb::ResultCode::Unspecified, "the match is complete");
        nothing_is_found(&held.chief, &held).await;
    }
}

#[tokio::test]
async fn settings_of_teams_that_make_no_sense_are_refused() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let founder = &federation.founder;
        let sound = of_teams(3, pb::LineUpLaw::FixedBoards, robin());
        let with = |change: &dyn Fn(&mut pb::TeamSettings)| {
            let mut settings = sound.clone();
            change(settings.teams.as_mut().expect("present"));
            settings
        };
        let arena = pb::event_format::Format::Arena(pb::ArenaFormat {});
        for bad in [
            with(&|teams| teams.boards = 0),
            with(&|teams| teams.boards = 21),
            with(&|teams| teams.line_up = 0),
            with(&|teams| teams.line_up = 99),
            with(&|teams| teams.reserves_max = 1),
            with(&|teams| teams.best = 4),
            of_teams(3, pb::LineUpLaw::WholeTeam, swiss(3)),
            of_teams(3, pb::LineUpLaw::FixedBoardsSubs, arena),
            pb::EventSettings { entries_max: 3, ..of_teams(3, pb::LineUpLaw::FixedBoards, arena) },
            pb::EventSettings {
                teams: None,
                entries_max: 2,
                ..of_teams(3, pb::LineUpLaw::FixedBoards, arena)
            },
        ] {
            let request = pb::CreateEventRequest {
                event_id: founder.request(),
                federation_id: federation.id.clone(),
                name: name("团体赛", "Teams"),
                settings: Some(bad.clone()),
                validate_only: true,
            };
            let refused = founder.events.clone().create_event(request).await;
            assert_eq!(reason(refused), "BAD_EVENT_SETTINGS", "{}: {bad:?}", fixture.kind);
        }
    }
}

#[tokio::test]
async fn a_new_captain_declares_and_the_one_before_him_is_refused_at_once() {
    for fixture in fixtures().await {
        let settings = of_teams(2, pb::LineUpLaw::DeclaredBoards, robin());
        let (held, teams) = running(&fixture, settings, &["Lions", "Tigers"], (2, 0)).await;
        publish(&held, 1).await;
        let [old, new] = [0, 1].map(|at| &teams[0].players[at]);
        declare(&held, old, 1, &[1, 2]).await.expect("he is captain");
        let member = |team: usize, at: usize| teams[team].team.members[at].member_id.clone();
        let ill = || "ill".to_owned();
        let change = async |person: &Person, member_id: String| {
            change!(held, person, change_captain, ChangeCaptainRequest { team: 1, member_id, reason: ill() })
        };
        assert_eq!(reason(change(old, member(0, 1)).await), "EVENT_ROLE_MISSING", "{}", fixture.kind);
        assert_eq!(reason(change(&held.chief, member(1, 0)).await), "BAD_CAPTAIN", "he leads the other team");
        let founder = &held.federation.founder;
        let hall = founder.member(&held.federation.id, "Nobody").await.member_id;
        assert_eq!(reason(change(&held.chief, hall).await), "BAD_CAPTAIN", "he has no account");
        let before = change(&held.chief, member(0, 1)).await.expect("another captain").sequence;
        let again = change(&held.chief, member(0, 1)).await.expect("the same");
        assert_eq!(again.sequence, before, "he is captain already");
        assert_eq!(reason(reveal(&held, old, 1, &[1, 2]).await), "EVENT_ROLE_MISSING");
        declare(&held, new, 1, &[2, 1]).await.expect("he is captain now");
        reveal(&held, new, 1, &[2, 1]).await.expect("what he has declared");
        assert_eq!(reason(change(&held.chief, member(0, 0)).await), "BAD_CAPTAIN", "his line-up is sealed");
        let notes = pb::ListNotesRequest { event_id: held.id.clone(), ..Default::default() };
        let notes = held.chief.events.clone().list_notes(notes).await.expect("notes").into_inner().notes;
        assert!(notes.iter().any(|note| note.text == "ill"), "why is kept beside the log");
        nothing_is_found(&held.chief, &held).await;
    }
}
