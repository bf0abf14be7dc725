//! Fallen flags and running clocks, as the clock service uses them.

use api::{
    board::v1::{Reason, Side},
    game::v1::{CallFlagRequest, ListRunningClocksRequest},
};

use super::fixture::{Fixture, Replica, refused};

async fn flag(replica: &Replica, id: &str) -> CallFlagRequest {
    let clock = replica.look(id).await.state.and_then(|state| state.clock).expect("a clock");
    CallFlagRequest {
        game_id: id.to_owned(),
        revision: clock.revision,
        side: clock.running,
        fall_time: clock.flag_time,
        reading: Some(api::clock::v1::ClockReading {
            running: Side::Unspecified as i32,
            running_since_time: None,
            flag_time: None,
            revision: clock.revision + 1,
            ..clock
        }),
    }
}

#[tokio::test]
async fn a_flag_ends_the_game_once_and_only_by_the_last_reading() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let stale = flag(&one, &id).await;
        one.play_all(&fixture, &id, &["C3"]).await;
        let answer = one.internal().call_flag(stale).await.expect("answered").into_inner();
        assert!(!answer.ended, "the clock has been pressed since");
        let fallen = flag(&one, &id).await;
        let before =
            CallFlagRequest { fall_time: Some(api::time::timestamp(fixture.env.now())), ..fallen.clone() };
        let too_early = one.internal().call_flag(before).await.expect("answered").into_inner();
        assert!(!too_early.ended, "the flag of the clock in the log falls later");
        assert_eq!(answer.clock.map(|clock| clock.revision), Some(fallen.revision));
        let (a, b) = (one.internal().call_flag(fallen.clone()).await, two.internal().call_flag(fallen).await);
        assert!(a.expect("answered").into_inner().ended && b.expect("answered").into_inner().ended);
        let game = fixture.replica().await.look(&id).await;
        let last = game.state.expect("a state");
        let outcome = last.outcome.expect("it is over");
        assert_eq!((outcome.reason(), outcome.short.as_str()), (Reason::Time, "B+T"));
        assert_eq!(last.sequence, 3, "creation, one act, one fallen flag");
    }
}

#[tokio::test]
async fn an_act_after_the_flag_ends_the_game() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        fixture.clock.drop_flag();
        assert_eq!(refused(replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await), "GAME_OVER");
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.reason(), outcome.short.as_str()), (Reason::Time, "W+T"));
    }
}

#[tokio::test]
async fn running_clocks_are_listed_page_by_page() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut expected = Vec::new();
        for _ in 0..5 {
            fixture.time.advance(std::time::Duration::from_millis(5));
            expected.push(replica.new_game(&fixture).await);
        }
        let over = replica.new_game(&fixture).await;
        let request = api::game::v1::ResignRequest { game_id: over, request_id: fixture.id() };
        replica.caller(&fixture.players[0]).resign(request).await.expect("resigned");
        let (mut listed, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListRunningClocksRequest { page_size: 2, page_token };
            let page = replica.internal().list_running_clocks(request).await.expect("a page").into_inner();
            listed.extend(page.clocks.into_iter().map(|clock| clock.game_id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(listed, expected);
    }
}
