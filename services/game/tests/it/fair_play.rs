//! Who plays in an event watches none of its other games while his own runs (Art. 15.4).

use api::game::v1::{Confirmation, GetGameRequest, Regulations, ResignRequest, WatchRequest};
use chassis::auth::Caller;
use tonic::Status;

use super::{
    fixture::{Fixture, Replica, refused},
    officials::{GO, Officials, Terms},
};

/// A game of the event between two others.
async fn elsewhere(fixture: &Fixture, replica: &Replica, event: String, watch_while_playing: bool) -> String {
    let mut request = fixture.commission("go", &[("size", "9")], false);
    for seat in [&mut request.first, &mut request.second] {
        seat.as_mut().expect("a seat").account_id = fixture.id();
    }
    request.regulations =
        Some(Regulations { event_id: event, watch_while_playing, ..Regulations::default() });
    let id = request.game_id.clone();
    replica.internal().create_game(request).await.expect("made");
    id
}

async fn looks(replica: &Replica, who: Option<&Caller>, id: &str) -> Result<(), Status> {
    let request = GetGameRequest { game_id: id.to_owned() };
    replica.games(who).get_game(request).await.map(drop)
}

async fn watches(replica: &Replica, who: Option<&Caller>, id: &str) -> Result<(), Status> {
    let request = WatchRequest { game_id: id.to_owned(), ..WatchRequest::default() };
    replica.games(who).watch(request).await.map(drop)
}

#[tokio::test]
async fn who_plays_in_an_event_watches_no_other_game_of_it() {
    for fixture in Fixture::all().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let terms = Terms { confirmation: Confirmation::Nobody, ..GO };
        let own = officials.game(&fixture, &replica, &terms).await;
        let other = elsewhere(&fixture, &replica, officials.event.to_string(), false).await;
        let open = elsewhere(&fixture, &replica, officials.event.to_string(), true).await;
        let stranger = chassis::testing::player(&fixture.env, "stranger");
        let player = &fixture.players[0];
        assert_eq!(refused(looks(&replica, Some(player), &other).await), "PLAYS_IN_EVENT");
        assert_eq!(refused(watches(&replica, Some(player), &other).await), "PLAYS_IN_EVENT");
        for (who, id) in [
            (Some(player), &own),
            (Some(player), &open),
            (Some(&stranger), &other),
            (Some(&officials.arbiter), &other),
            (None, &other),
        ] {
            looks(&replica, who, id).await.expect("nothing is against it");
            watches(&replica, who, id).await.expect("nothing is against it");
        }
        let resign = ResignRequest { game_id: own, request_id: fixture.id() };
        replica.caller(player).resign(resign).await.expect("resigned");
        looks(&replica, Some(player), &other).await.expect("his own game is over");
        watches(&replica, Some(player), &other).await.expect("his own game is over");
    }
}
