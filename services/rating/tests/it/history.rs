//! Paging through how a rating moved.

use api::{
    board::v1::{Side, Verdict},
    clock::v1::SpeedClass,
    rating::v1::{
        ApplyResultRequest, GameChange, GetGraphRequest, GetHeadToHeadRequest, GraphPoint, HeadToHead,
        ListGameChangesRequest, ListHistoryRequest, ListHistoryResponse, RatingChange,
    },
    time::{moment, timestamp},
};
use time::OffsetDateTime;
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

#[tokio::test]
async fn a_graph_is_the_history_in_steps() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let begun = fixture.env.now();
        for games in [9, 1, 17, 3, 11] {
            fixture.series(one, two, games).await;
            fixture.time.advance(std::time::Duration::from_hours(70));
        }
        fixture.replica.apply(fixture.game(one, two, Verdict::Void)).await.expect("applied");
        let (mut history, mut token) = (Vec::new(), String::new());
        loop {
            let answer = page(&fixture, one, token).await;
            history.extend(answer.changes);
            token = answer.next_page_token;
            if token.is_empty() {
                break;
            }
        }
        history.reverse();
        let ended = |change: &RatingChange| change.time.as_ref().and_then(moment).expect("a moment");
        let graph = async |start: Option<OffsetDateTime>, end: Option<OffsetDateTime>, steps| {
            let request = GetGraphRequest {
                account_id: one.to_string(),
                variant: "go".to_owned(),
                speed_class: SpeedClass::Blitz.into(),
                start_time: start.map(timestamp),
                end_time: end.map(timestamp),
                steps,
            };
            fixture.replica.public.clone().get_graph(request).await.expect("drawn").into_inner().points
        };
        let point = |(number, change): (usize, &RatingChange)| GraphPoint {
            time: change.time,
            rating: change.rating_after,
            deviation: change.deviation_after,
            games: u32::try_from(number + 1).expect("few"),
        };
        let whole: Vec<GraphPoint> = history.iter().enumerate().map(point).collect();
        assert_eq!(
            graph(None, None, 500).await,
            whole,
            "{}: each game has a step of its own",
            fixture.kind()
        );
        assert_eq!(graph(None, None, 9_999).await, whole, "{}", fixture.kind());
        let hours = |hours: i64| begun + time::Duration::hours(hours);
        for (start, end, steps) in
            [(0, 200, 7), (5, 90, 1), (9, 12, 3), (80, 81, 2), (1000, 2000, 5), (0, 400, 40)]
        {
            let (start, end) = (hours(start), hours(end));
            let step = (end - start).whole_microseconds() / i128::from(steps) + 1;
            let of = |change: &RatingChange| (ended(change) - start).whole_microseconds() / step;
            let within: Vec<(usize, &RatingChange)> =
                history.iter().enumerate().filter(|(_, it)| (start..end).contains(&ended(it))).collect();
            let is_last = |at: usize| within.get(at + 1).is_none_or(|next| of(next.1) != of(within[at].1));
            let expected: Vec<GraphPoint> =
                (0..within.len()).filter(|at| is_last(*at)).map(|at| point(within[at])).collect();
            assert_eq!(
                graph(Some(start), Some(end), steps).await,
                expected,
                "{} {start} {end}",
                fixture.kind()
            );
        }
    }
}

#[tokio::test]
async fn what_games_did_is_told_by_game_for_both_sides_as_it_is_known_now() {
    for fixture in fixtures().await {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        let rated = fixture.game(one, two, Verdict::FirstWins);
        fixture.time.advance(std::time::Duration::from_hours(1));
        let corrected = fixture.game(two, one, Verdict::FirstWins);
        for game in [&rated, &corrected] {
            fixture.replica.apply(game.clone()).await.expect("applied");
        }
        let told = async || {
            let game_ids =
                vec![corrected.game_id.clone(), fixture.env.uuid().to_string(), rated.game_id.clone()];
            let request = ListGameChangesRequest { game_ids };
            let answer = fixture.replica.public.clone().list_game_changes(request).await;
            answer.expect("listed").into_inner().changes
        };
        let same = |changes: &[GameChange], game: &ApplyResultRequest, [first, second]: [Uuid; 2]| {
            let of_game: Vec<&GameChange> = changes
                .iter()
                .filter(|it| it.change.as_ref().expect("a change").game_id == game.game_id)
                .collect();
            let accounts: Vec<&str> = of_game.iter().map(|it| &*it.account_id).collect();
            assert_eq!(accounts, [first.to_string(), second.to_string()], "{}", fixture.kind());
            assert!(of_game.iter().all(|it| it.variant == "go" && it.speed_class() == SpeedClass::Blitz));
        };
        let changes = told().await;
        assert_eq!(changes.len(), 4, "a game that is not rated is left out");
        same(&changes, &rated, [one, two]);
        same(&changes, &corrected, [two, one]);
        for account in [one, two] {
            let of_account = page(&fixture, account, String::new()).await.changes;
            for change in of_account {
                assert!(
                    changes.iter().any(|it| it.change.as_ref() == Some(&change)),
                    "as its history has it"
                );
            }
        }
        let void = ApplyResultRequest { sequence: 1, verdict: Verdict::Void.into(), ..corrected.clone() };
        fixture.replica.apply(void).await.expect("corrected");
        let changes = told().await;
        let voided = changes.iter().filter_map(|it| it.change.as_ref());
        let voided: Vec<&RatingChange> = voided.filter(|it| it.game_id == corrected.game_id).collect();
        assert_eq!(voided.len(), 2);
        assert!(voided.iter().all(|it| it.rating_before == it.rating_after), "{}", fixture.kind());
    }
}

#[tokio::test]
async fn games_of_two_are_counted_as_they_ended_after_all() {
    for fixture in fixtures().await {
        let [one, two, third] = [(); 3].map(|()| fixture.env.uuid());
        let told = async |first, second, variant: &str, verdict| {
            fixture.time.advance(std::time::Duration::from_hours(1));
            let game =
                ApplyResultRequest { variant: variant.to_owned(), ..fixture.game(first, second, verdict) };
            fixture.replica.apply(game.clone()).await.expect("applied");
            game
        };
        told(one, two, "go", Verdict::FirstWins).await;
        told(two, one, "go", Verdict::FirstWins).await;
        let last = told(two, one, "go", Verdict::SecondWins).await;
        told(one, third, "go", Verdict::SecondWins).await;
        told(one, two, "jiu", Verdict::Draw).await;
        let jiu = told(two, one, "jiu", Verdict::BothLose).await;
        let annulled = told(one, two, "jiu", Verdict::FirstWins).await;
        let corrected = ApplyResultRequest { sequence: 1, verdict: Verdict::Void.into(), ..annulled };
        fixture.replica.apply(corrected).await.expect("corrected");
        let between = async |one: Uuid, other: Uuid| {
            let request =
                GetHeadToHeadRequest { account_id: one.to_string(), opponent_id: other.to_string() };
            fixture
                .replica
                .public
                .clone()
                .get_head_to_head(request)
                .await
                .expect("counted")
                .into_inner()
                .records
        };
        let record = |variant: &str, [wins, losses, draws]: [u32; 3], last: &ApplyResultRequest| HeadToHead {
            variant: variant.to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            wins,
            losses,
            draws,
            last_time: last.end_time,
        };
        let expected = [record("go", [2, 1, 0], &last), record("jiu", [0, 1, 1], &jiu)];
        assert_eq!(between(one, two).await, expected, "{}", fixture.kind());
        let expected = [record("go", [1, 2, 0], &last), record("jiu", [0, 1, 1], &jiu)];
        assert_eq!(between(two, one).await, expected, "{}", fixture.kind());
        assert_eq!(between(two, third).await, [], "{}", fixture.kind());
    }
}
