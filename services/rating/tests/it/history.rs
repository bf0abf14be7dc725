//! Paging through how a rating moved.

use api::{
    board::v1::{Side, Verdict},
    clock::v1::SpeedClass,
    rating::v1::{ListHistoryRequest, ListHistoryResponse, RatingChange},
};
use uuid::Uuid;

use crate::fixture::{Fixture, fixtures};

async fn page(fixture: &Fixture, account: Uuid, page_token: String) -> ListHistoryResponse {
    let request = ListHistoryRequest {
        account_id: account.to_string(),
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        page_size: 4,
        page_token,
    };
    fixture.replica.public.clone().list_history(request).await.expect("listed").into_inner()
}

#[tokio::test]
async fn pages_hold_still_while_games_are_rated() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.series(one, two, 10).await;
        fixture.replica.apply(fixture.game(one, two, Verdict::Void)).await.expect("applied");

        let mut changes: Vec<RatingChange> = Vec::new();
        let mut sizes = Vec::new();
        let mut token = String::new();
        loop {
            let answer = page(&fixture, one, token).await;
            sizes.push(answer.changes.len());
            changes.extend(answer.changes);
            token = answer.next_page_token;
            if token.is_empty() {
                break;
            }
            fixture.series(one, two, 1).await;
        }
        assert_eq!(sizes, [4, 4, 2], "{}", fixture.kind());
        assert_eq!(changes.last().expect("ten").rating_before, 1500.0);
        for (newer, older) in changes.iter().zip(&changes[1..]) {
            assert_eq!(newer.rating_before, older.rating_after);
            let at = |change: &RatingChange| change.time.expect("rated games have a time");
            assert!((at(newer).seconds, at(newer).nanos) > (at(older).seconds, at(older).nanos));
        }
        assert_eq!(page(&fixture, one, String::new()).await.changes[2].game_id, changes[0].game_id);
    }
}

#[tokio::test]
async fn a_change_tells_both_sides_alike() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.series(one, two, 2).await;
        let (ours, theirs) = (
            page(&fixture, one, String::new()).await.changes,
            page(&fixture, two, String::new()).await.changes,
        );
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours.game_id, theirs.game_id);
            assert_eq!((ours.side(), theirs.side()), (Side::First, Side::Second));
            assert_eq!(
                (ours.opponent_id.clone(), theirs.opponent_id.clone()),
                (two.to_string(), one.to_string())
            );
            assert_eq!(
                (ours.opponent_rating, theirs.opponent_rating),
                (theirs.rating_before, ours.rating_before)
            );
            assert_eq!(ours.verdict, theirs.verdict);
        }
        assert_eq!(ours[0].verdict(), Verdict::SecondWins);
        assert_eq!(ours[0].rating_after, fixture.replica.rating(one).await.rating);
        assert!(ours[0].deviation_after < ours[1].deviation_after);
    }
}
