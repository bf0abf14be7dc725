//! Games in which the house has a part, players bid under seal, and colours are decided on the way.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{ExportRecordRequest, Game, ListCountsRequest, OfferDrawRequest},
    time_control::{Control, TimeControl},
};
use rules::Opening;

use super::fixture::{Fixture, Replica, refused};

async fn new_game(replica: &Replica, fixture: &Fixture, variant: &str, options: &[(&str, &str)]) -> String {
    let request = fixture.commission(variant, options, true);
    let id = request.game_id.clone();
    replica.internal().create_game(request).await.expect("the game is made");
    id
}

/// Plays an act at the ply the game is at.
async fn act(replica: &Replica, fixture: &Fixture, id: &str, who: usize, text: &str) -> Game {
    let ply = replica.look(id).await.state.expect("a state").ply;
    let played = replica.play(fixture, id, who, text, ply, &fixture.id()).await;
    played.unwrap_or_else(|status| panic!("{text}: {status}"));
    replica.look(id).await
}

fn acts(game: &Game) -> Vec<&str> {
    game.acts.iter().map(|act| act.text.as_str()).collect()
}

fn phase(game: &Game) -> &str {
    &game.state.as_ref().expect("a state").phase
}

/// The time the rules give.
const EXPIRY: Duration = Duration::from_mins(3);

#[tokio::test]
async fn a_draw_and_its_bids_survive_a_restart() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = new_game(&replica, &fixture, "tianyi", &[]).await;
        let game = replica.look(&id).await;
        assert!(matches!(acts(&game).as_slice(), [only] if only.starts_with("commit ")), "{:?}", game.acts);
        assert_eq!(game.acts[0].side(), Side::Unspecified, "the house has committed");
        let parts = [Opening::new([1; 32], [2; 32]), Opening::new([3; 32], [4; 32])];
        for (who, part) in parts.iter().enumerate() {
            act(&replica, &fixture, &id, who, &format!("commit {}", part.commitment())).await;
        }
        act(&replica, &fixture, &id, 0, &format!("reveal {}", parts[0].text())).await;
        let replica = fixture.replica().await;
        let game = act(&replica, &fixture, &id, 1, &format!("reveal {}", parts[1].text())).await;
        assert!(acts(&game)[0].starts_with("seed "), "the house's part is open after the last step");
        assert_eq!(phase(&game), "bidding");
        let (bidding, ply) = (fixture.id(), game.state.as_ref().expect("a state").ply);
        let bid = replica.play(&fixture, &id, 0, "bid 7.5", ply, &bidding).await.expect("bid");
        assert_eq!(replica.play(&fixture, &id, 0, "bid 7.5", ply, &bidding).await.expect("the same"), bid);
        let other = replica.play(&fixture, &id, 0, "bid 8.5", ply, &bidding).await;
        assert_eq!(refused(other), "REQUEST_ID_REUSED", "nobody is told that another bid was taken");
        let replica = fixture.replica().await;
        let sealed = replica.look(&id).await;
        assert_eq!(acts(&sealed).last(), Some(&"bid"));
        let record = ExportRecordRequest { game_id: id.clone() };
        let record = replica.anybody().export_record(record).await.expect("a record").into_inner().text;
        assert!(!record.contains("7.5"), "{record}");
        let game = act(&replica, &fixture, &id, 1, "bid -3").await;
        assert_eq!(acts(&game)[acts(&game).len() - 2..], ["bid 7.5", "bid -3"]);
        let state = game.state.expect("a state");
        assert_eq!((state.first_colour.as_str(), state.second_colour.as_str()), ("White", "Black"));
        assert_eq!((state.phase.as_str(), state.actors().collect::<Vec<_>>()), ("play", vec![Side::First]));
        let clock = state.clock.expect("the clock is started by the first turn that has one");
        assert_eq!(clock.running(), Side::First);
    }
}

#[tokio::test]
async fn the_house_acts_for_those_who_let_the_time_pass() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = new_game(&replica, &fixture, "tianyi", &[]).await;
        let part = Opening::new([1; 32], [2; 32]);
        act(&replica, &fixture, &id, 0, &format!("commit {}", part.commitment())).await;
        let due = replica.look(&id).await.state.and_then(|state| state.expire_time).expect("a time");
        let due = api::time::moment(&due).expect("in range");
        assert_eq!(due, fixture.env.now() + EXPIRY, "an act of another does not put it off");
        // An outage does.
        fixture.clock.set_down(true);
        fixture.time.advance(Duration::from_secs(10));
        fixture.clock.set_down(false);
        act(&replica, &fixture, &id, 1, &format!("commit {}", part.commitment())).await;
        let game = replica.look(&id).await;
        let due = game.state.and_then(|state| state.expire_time).expect("a time");
        let due = api::time::moment(&due).expect("in range");
        assert!(due > fixture.env.now() + EXPIRY - Duration::from_secs(1));
        replica.pass_time(&fixture, EXPIRY + Duration::from_secs(1)).await;
        let late = replica.play(&fixture, &id, 0, &format!("reveal {}", part.text()), 3, &fixture.id()).await;
        assert_eq!(refused(late), "STALE_PLY", "the house has acted first");
        let game = replica.look(&id).await;
        assert_eq!(acts(&game).last(), Some(&"expire"));
        assert_eq!(phase(&game), "bidding", "the draw is made without those who did not reveal");
    }
}

#[tokio::test]
async fn the_house_needs_no_call() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = new_game(&replica, &fixture, "tianyi", &[]).await;
        replica.pass_time(&fixture, EXPIRY + Duration::from_secs(1)).await;
        let expired = async {
            loop {
                let game = replica.look(&id).await;
                if acts(&game).last() == Some(&"expire") {
                    return game;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let game = tokio::time::timeout(Duration::from_secs(30), expired).await.expect("the house acts");
        assert!(phase(&game) == "bidding", "{:?}", game.acts);
    }
}

#[tokio::test]
async fn a_refused_offer_may_not_be_repeated_in_jirige() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut short = fixture.commission("jirige", &[], true);
        assert_eq!(refused(replica.internal().create_game(short.clone()).await), "BAD_TIME_CONTROL");
        let half_an_hour = TimeControl::same(Control::Absolute { main: Duration::from_mins(30) });
        short.time_control = Some(half_an_hour.into());
        let id = short.game_id.clone();
        replica.internal().create_game(short).await.expect("the game is made");
        let offer = || OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        let [first, second] = [0, 1].map(|who| replica.caller(&fixture.players[who]));
        assert_eq!(refused(second.clone().offer_draw(offer()).await), "NOT_YOUR_TURN");
        first.clone().offer_draw(offer()).await.expect("offered");
        act(&replica, &fixture, &id, 0, "D4").await;
        act(&replica, &fixture, &id, 1, "E6").await;
        let replica = fixture.replica().await;
        let first = replica.caller(&fixture.players[0]);
        assert_eq!(refused(first.clone().offer_draw(offer()).await), "OFFER_REPEATED");
    }
}

/// Article three of Tianyi Go: a draw in a final is White's win, whose side the bids decide, also where both agree on it.
#[tokio::test]
async fn a_draw_agreed_in_a_final_of_tianyi_is_won_by_white() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let mut request = fixture.commission("tianyi", &[("size", "5"), ("stage", "final")], false);
        "design".clone_into(&mut request.rule_set);
        let id = request.game_id.clone();
        replica.internal().create_game(request).await.expect("the game is made");
        for (who, text) in [(0, "propose B B5 W C5"), (1, "accept"), (0, "bid 0"), (1, "bid 1")] {
            act(&replica, &fixture, &id, who, text).await;
        }
        for caller in &fixture.players {
            let offer = OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
            replica.caller(caller).offer_draw(offer).await.expect("two offers are an agreement");
        }
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Agreement));
    }
}

#[tokio::test]
async fn finished_games_are_counted_step_by_step() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = new_game(&replica, &fixture, "jpd", &[("size", "7")]).await;
        let counts = async || {
            let request = ListCountsRequest { game_id: id.clone() };
            replica.anybody().list_counts(request).await.expect("counted").into_inner().counts
        };
        assert!(counts().await.is_empty(), "nothing to count yet");
        for (who, text) in [(0, "D4"), (1, "pass"), (0, "pass"), (1, "dead -"), (0, "accept")] {
            act(&replica, &fixture, &id, who, text).await;
        }
        let counts = counts().await;
        assert_eq!(counts.len(), 5, "five methods");
        let results: Vec<_> = counts.iter().map(|count| count.result.as_ref()).collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{results:?}");
        assert!(counts.iter().all(|count| count.steps.iter().any(|step| step.board.is_some())));
    }
}
