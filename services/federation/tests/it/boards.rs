//! Watching all boards of a round.

use std::{collections::BTreeMap, time::Duration};

use api::{federation::v1 as pb, game::v1::GameGlimpse};
use tonic::{Status, Streaming};

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, get_round, held, play, publish, run, settings},
};

/// What somebody has been told of the boards of a round.
struct Screen {
    stream: Streaming<pb::WatchBoardsResponse>,
    boards: BTreeMap<u32, pb::BoardGlimpse>,
    cursor: String,
    unheard: bool,
    /// How often it began anew.
    begun: usize,
}

impl Screen {
    async fn open(person: &Person, held: &Held, cursor: &str) -> Result<Screen, Status> {
        let request =
            pb::WatchBoardsRequest { event_id: held.id.clone(), round: 0, cursor: cursor.to_owned() };
        let stream = person.events.clone().watch_boards(request).await?.into_inner();
        Ok(Screen { stream, boards: BTreeMap::new(), cursor: String::new(), unheard: false, begun: 0 })
    }

    /// Reads the next answer; whether there was one.
    async fn read(&mut self) -> Result<bool, Status> {
        let Some(answer) = self.stream.message().await? else { return Ok(false) };
        assert_eq!(answer.round, 1);
        if answer.anew {
            self.boards.clear();
            self.begun += 1;
        }
        self.boards.extend(answer.boards.into_iter().map(|board| (board.table, board)));
        (self.cursor, self.unheard) = (answer.cursor, answer.unheard_since_time.is_some());
        Ok(true)
    }

    /// Reads until it shows what is expected; meanwhile time goes by.
    async fn shows(&mut self, fixture: &Fixture, what: impl Fn(&Screen) -> bool) {
        for _ in 0..2000 {
            if what(self) {
                return;
            }
            fixture.time.advance(Duration::from_millis(20));
            let read = tokio::time::timeout(Duration::from_millis(10), self.read()).await;
            if let Ok(read) = read {
                assert!(read.expect("it goes on"), "it has ended: {:?}", self.boards);
            }
        }
        panic!("{}: {:?}", fixture.kind, self.boards)
    }

    /// The ply of the game of a table; none while nothing is known of it.
    fn ply(&self, table: u32) -> Option<u32> {
        Some(self.boards.get(&table)?.game.as_ref()?.ply)
    }

    fn has_result(&self, table: u32) -> bool {
        self.boards.get(&table).is_some_and(|board| board.result.is_some())
    }
}

fn glimpse(fixture: &Fixture, ply: u32) -> GameGlimpse {
    let time = Some(api::time::timestamp(fixture.env.now()));
    GameGlimpse {
        sequence: u64::from(ply) + 1,
        time,
        ply,
        position_hash: Some(ply.into()),
        ..GameGlimpse::default()
    }
}

/// An event of so many players whose first round is played.
async fn playing(fixture: &Fixture, settings: pb::EventSettings, players: usize) -> (Held, Vec<Person>) {
    let held = held(fixture, settings).await;
    let people = enter(fixture, &held, players).await;
    run(&held).await;
    begin(&held, 1).await;
    (held, people)
}

async fn games(held: &Held) -> Vec<String> {
    let round = get_round(&held.chief, held, 1).await.expect("public");
    round.pairings.into_iter().map(|pairing| pairing.game_id).collect()
}

#[tokio::test]
async fn every_board_is_told_at_first_and_then_what_has_changed() {
    for fixture in fixtures().await {
        let (held, _) = playing(&fixture, settings(2), 4).await;
        let games = games(&held).await;
        fixture.games.stand(&games[0], glimpse(&fixture, 3));
        let anybody = fixture.person("anybody");
        let mut screen = Screen::open(&anybody, &held, "").await.expect("watched");
        screen.shows(&fixture, |it| it.ply(1) == Some(3) && it.boards.len() == 2).await;
        fixture.games.stand(&games[1], glimpse(&fixture, 1));
        fixture.games.stand(&games[0], glimpse(&fixture, 2));
        screen.shows(&fixture, |it| it.ply(2) == Some(1)).await;
        assert_eq!((screen.ply(1), screen.begun), (Some(3), 1), "what is older changes nothing");

        let text = "he has left his board".to_owned();
        let report = change!(
            held,
            held.chief,
            report_incident,
            ReportIncidentRequest {
                kind: api::game::v1::IncidentKind::TakeBack.into(),
                round: 1,
                table: 2,
                text
            }
        );
        report.expect("reported");
        screen.shows(&fixture, |it| it.boards[&2].open_incidents == 1).await;
        assert_eq!(fixture.games.listeners(), 1, "{}: one stream for all", fixture.kind);

        // Whoever comes back is told what has happened meanwhile; a cursor of another picture is worth nothing.
        let cursor = screen.cursor.clone();
        drop(screen);
        fixture.games.stand(&games[1], glimpse(&fixture, 2));
        let mut screen = Screen::open(&anybody, &held, &cursor).await.expect("watched");
        screen.shows(&fixture, |it| it.ply(2) == Some(2)).await;
        assert_eq!((screen.begun, screen.boards.len()), (0, 1));
        let mut other = Screen::open(&anybody, &held, "now-1-1").await.expect("watched");
        other.shows(&fixture, |it| it.begun == 1 && it.boards.len() == 2).await;
        assert_eq!(fixture.games.listeners(), 1, "{}: one stream for all", fixture.kind);

        // Nobody is told what may be old as if it were not.
        fixture.games.be_deaf(true);
        screen.shows(&fixture, |it| it.unheard).await;
        fixture.games.be_deaf(false);
        fixture.games.stand(&games[0], glimpse(&fixture, 9));
        screen.shows(&fixture, |it| !it.unheard && it.ply(1) == Some(9)).await;

        play(&fixture, &held, 1).await;
        screen.shows(&fixture, |it| it.has_result(1) && it.has_result(2)).await;
        let ended = async { while screen.read().await.expect("well") {} };
        tokio::time::timeout(Duration::from_secs(10), ended).await.expect("the round is over");
    }
}

#[tokio::test]
async fn most_people_see_boards_as_late_as_they_are_broadcast() {
    for fixture in fixtures().await {
        let broadcast_delay_duration = Some(prost_types::Duration { seconds: 600, nanos: 0 });
        let (held, _) =
            playing(&fixture, pb::EventSettings { broadcast_delay_duration, ..settings(2) }, 4).await;
        let games = games(&held).await;
        fixture.games.stand(&games[0], glimpse(&fixture, 1));
        let mut late = Screen::open(&fixture.person("anybody"), &held, "").await.expect("watched");
        let mut early = Screen::open(&held.chief, &held, "").await.expect("watched");
        early.shows(&fixture, |it| it.ply(1) == Some(1)).await;
        late.shows(&fixture, |it| it.boards.len() == 2).await;
        assert_eq!(late.ply(1), None);
        play(&fixture, &held, 1).await;
        early.shows(&fixture, |it| it.has_result(1) && it.has_result(2)).await;

        // Who begins to watch afterwards, and elsewhere, learns no more.
        let mut later = Screen::open(&fixture.person("somebody"), &held, "").await.expect("watched");
        later.shows(&fixture, |it| it.boards.len() == 2).await;
        for screen in [&mut late, &mut later] {
            let more = tokio::time::timeout(Duration::from_millis(300), screen.read()).await;
            assert!(more.is_err(), "{}: {:?}", fixture.kind, screen.boards);
            assert!(!screen.has_result(1) && screen.ply(1).is_none(), "{}", fixture.kind);
        }
        fixture.time.advance(Duration::from_mins(11));
        for screen in [&mut late, &mut later] {
            screen.shows(&fixture, |it| it.has_result(1) && it.has_result(2) && it.ply(1) == Some(1)).await;
        }
    }
}

#[tokio::test]
async fn boards_are_shown_late_from_when_an_event_is_broadcast_late_on() {
    for fixture in fixtures().await {
        let (held, _) = playing(&fixture, settings(2), 4).await;
        let games = games(&held).await;
        let anybody = fixture.person("anybody");
        let mut before = Screen::open(&anybody, &held, "").await.expect("watched");
        before.shows(&fixture, |it| it.boards.len() == 2).await;
        let broadcast_delay_duration = Some(prost_types::Duration { seconds: 600, nanos: 0 });
        let late = Some(pb::EventSettings { broadcast_delay_duration, ..settings(2) });
        let update_mask = Some(prost_types::FieldMask { paths: vec!["broadcast_delay_duration".to_owned()] });
        let why = "somebody is told what to play".to_owned();
        change!(
            held,
            held.chief,
            update_event,
            UpdateEventRequest { settings: late, reason: why, update_mask }
        )
        .expect("it is late from now on");
        // Who has watched begins anew, wherever he was.
        let ended = async {
            while before.read().await? {}
            Ok::<_, Status>(())
        };
        let ended = tokio::time::timeout(Duration::from_secs(10), ended).await.expect("it ends");
        assert_eq!(reason(ended), "STOPPING", "{}", fixture.kind);
        let mut after = Screen::open(&anybody, &held, &before.cursor).await.expect("watched");
        let mut early = Screen::open(&held.chief, &held, "").await.expect("watched");
        after.shows(&fixture, |it| it.boards.len() == 2).await;
        fixture.games.stand(&games[0], glimpse(&fixture, 1));
        play(&fixture, &held, 1).await;
        early.shows(&fixture, |it| it.has_result(1) && it.has_result(2)).await;
        let more = tokio::time::timeout(Duration::from_millis(300), after.read()).await;
        assert!(more.is_err() && !after.has_result(1) && after.ply(1).is_none(), "{}", fixture.kind);
        fixture.time.advance(Duration::from_mins(11));
        after.shows(&fixture, |it| it.has_result(1) && it.has_result(2)).await;
    }
}

#[tokio::test]
async fn who_plays_watches_nobody_until_his_own_game_is_over() {
    for fixture in fixtures().await {
        let (held, players) = playing(&fixture, settings(2), 4).await;
        for player in &players {
            assert_eq!(reason(Screen::open(player, &held, "").await.map(drop)), "PLAYS_IN_EVENT");
        }
        play(&fixture, &held, 1).await;
        Screen::open(&players[0], &held, "").await.expect("his own is over");
        let open = pb::EventSettings { watch_while_playing: true, ..settings(2) };
        let (held, players) = playing(&fixture, open, 2).await;
        Screen::open(&players[0], &held, "").await.expect("this event allows it");
    }
}

#[tokio::test]
async fn who_begins_to_play_is_shown_no_more() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        publish(&held, 1).await;
        let mut screen = Screen::open(&players[0], &held, "").await.expect("nobody plays yet");
        screen.shows(&fixture, |it| it.boards.len() == 2).await;
        change!(held, held.chief, start_round, StartRoundRequest { round: 1 }).expect("started");
        let refused = async {
            loop {
                if let Err(status) = screen.read().await {
                    return reason(Err::<(), _>(status));
                }
            }
        };
        let refused = tokio::time::timeout(Duration::from_secs(10), refused).await.expect("he is told");
        assert_eq!(refused, "PLAYS_IN_EVENT", "{}", fixture.kind);
    }
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_and_a_round_that_is_taken_back_ends() {
    for fixture in fixtures().await {
        let (held, _) = playing(&fixture, settings(2), 4).await;
        let anybody = fixture.person("anybody");
        let watch = async |event_id: &str, round: u32, cursor: &str| {
            let request =
                pb::WatchBoardsRequest { event_id: event_id.to_owned(), round, cursor: cursor.to_owned() };
            reason(anybody.events.clone().watch_boards(request).await)
        };
        assert_eq!(watch("x", 1, "").await, "BAD_ID");
        assert_eq!(watch(&fixture.env.uuid().to_string(), 1, "").await, "UNKNOWN_EVENT");
        assert_eq!(watch(&held.id, 2, "").await, "UNKNOWN_ROUND");
        assert_eq!(watch(&held.id, 1, "yesterday").await, "BAD_CURSOR");
        let mut screen = Screen::open(&anybody, &held, "").await.expect("watched");
        screen.shows(&fixture, |it| it.boards.len() == 2).await;
        let back = "the wrong list".to_owned();
        change!(held, held.chief, retract_round, RetractRoundRequest { round: 1, reason: back })
            .expect("nobody has moved");
        let ended = async { while screen.read().await.expect("well") {} };
        tokio::time::timeout(Duration::from_secs(10), ended).await.expect("there is no such round any more");
    }
}
