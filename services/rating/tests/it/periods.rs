//! Leaderboards of the ends of months.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{
        ApplyResultRequest, ListLeadersRequest, ListLeadersResponse, ListPeriodsRequest, Period, Rating,
    },
    time::timestamp,
};
use time::macros::datetime;
use tonic::Status;
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, fixtures};

async fn page(
    replica: &Replica,
    period: &str,
    page_size: u32,
    page_token: String,
) -> Result<ListLeadersResponse, Status> {
    let request = ListLeadersRequest {
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        page_size,
        page_token,
        period: period.to_owned(),
        ..ListLeadersRequest::default()
    };
    replica.public.clone().list_leaders(request).await.map(tonic::Response::into_inner)
}

/// A whole leaderboard, three at a time.
async fn leaders(replica: &Replica, period: &str) -> Vec<Rating> {
    let (mut leaders, mut token) = (Vec::new(), String::new());
    loop {
        let answer = page(replica, period, 3, token).await.expect("listed");
        leaders.extend(answer.leaders);
        token = answer.next_page_token;
        if token.is_empty() {
            return leaders;
        }
    }
}

async fn periods(replica: &Replica) -> Vec<Period> {
    let (mut periods, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListPeriodsRequest {
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            page_size: 2,
            page_token,
            ..ListPeriodsRequest::default()
        };
        let answer = replica.public.clone().list_periods(request).await.expect("listed").into_inner();
        periods.extend(answer.periods);
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            return periods;
        }
    }
}

/// A replica that has just started, once it has kept what is due.
async fn started(fixture: &Fixture, newest: &str) -> Replica {
    let replica = fixture.another().await;
    let kept = async {
        while periods(&replica).await.first().is_none_or(|period| period.period != newest) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), kept).await.expect("it is kept at the start");
    replica
}

/// Settled players: two of each pair.
async fn settled(fixture: &Fixture, pairs: usize) -> Vec<Uuid> {
    let mut players = Vec::new();
    let start = fixture.env.now();
    for _ in 0..pairs {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.time.set(start);
        fixture.series(one, two, 24).await;
        players.extend([one, two]);
    }
    players
}

#[tokio::test]
async fn a_month_is_kept_as_it_ended_and_stays_so() {
    for fixture in fixtures().await {
        fixture.time.set(datetime!(2027-03-30 00:00 UTC));
        let players = settled(&fixture, 3).await;
        let newcomer = fixture.env.uuid();
        fixture.replica.apply(fixture.game(newcomer, players[0], Verdict::FirstWins)).await.expect("applied");
        fixture.time.set(datetime!(2027-03-31 23:59:59 UTC));
        let now = leaders(&fixture.replica, "").await;
        let last = fixture.game(players[1], players[0], Verdict::FirstWins);
        fixture.replica.apply(last).await.expect("applied");
        let march = leaders(&fixture.replica, "").await;
        assert_ne!(now, march, "the last second counts");
        fixture.time.set(datetime!(2027-04-01 00:00 UTC));
        let first = fixture.game(players[2], players[3], Verdict::FirstWins);
        fixture.replica.apply(first).await.expect("applied");
        assert_eq!(periods(&fixture.another().await).await, [], "{}: not yet", fixture.kind());

        // A result of March that comes within a day counts; one that comes later does not.
        let in_march = |game: ApplyResultRequest| {
            let ended = datetime!(2027-03-31 23:59:59.5 UTC);
            ApplyResultRequest { end_time: Some(timestamp(ended)), ..game }
        };
        let late = in_march(fixture.game(players[4], players[5], Verdict::FirstWins));
        fixture.replica.apply(late).await.expect("applied");
        fixture.time.set(datetime!(2027-04-02 00:00 UTC));
        let replica = started(&fixture, "2027-03").await;
        let kept = leaders(&replica, "2027-03").await;
        assert_eq!(kept.len(), 6, "{}: the newcomer is provisional", fixture.kind());
        let of = |all: &[Rating], player: Uuid| {
            all.iter().find(|it| it.account_id == player.to_string()).expect("he is ranked").clone()
        };
        for player in &players[..4] {
            let (then, told) = (of(&march, *player), of(&kept, *player));
            assert_eq!((told.rating, told.games, &told.name), (then.rating, then.games, &then.name));
        }
        assert_ne!(
            of(&kept, players[4]).rating,
            of(&march, players[4]).rating,
            "what came within a day counts"
        );
        let ranks: Vec<u32> = kept.iter().map(|it| it.standing.expect("ranked").rank).collect();
        let higher = |rating: f64| kept.iter().filter(|it| it.rating > rating).count();
        let expected: Vec<u32> =
            kept.iter().map(|it| u32::try_from(higher(it.rating) + 1).expect("few")).collect();
        assert_eq!(ranks, expected);
        assert!(kept.iter().all(|it| it.standing.expect("ranked").ranked == 6 && !it.provisional));

        let later = in_march(fixture.game(players[0], players[2], Verdict::SecondWins));
        fixture.replica.apply(later).await.expect("applied");
        assert_eq!(leaders(&started(&fixture, "2027-03").await, "2027-03").await, kept, "{}", fixture.kind());
        let [told] = periods(&replica).await.try_into().expect("one month");
        let day = datetime!(2027-04-02 00:00 UTC);
        assert_eq!((told.ranked, told.keep_time), (6, Some(timestamp(day))));
    }
}

#[tokio::test]
async fn months_in_which_nobody_was_there_are_made_up_for_by_one_of_many() {
    for fixture in fixtures().await {
        fixture.time.set(datetime!(2027-01-10 00:00 UTC));
        let players = settled(&fixture, 2).await;
        fixture.time.set(datetime!(2027-03-10 00:00 UTC));
        fixture.series(players[0], players[2], 3).await;
        fixture.time.set(datetime!(2027-05-20 00:00 UTC));
        let replicas = tokio::join!(
            started(&fixture, "2027-04"),
            started(&fixture, "2027-04"),
            started(&fixture, "2027-04")
        );
        let names: Vec<String> = periods(&replicas.1).await.into_iter().map(|it| it.period).collect();
        assert_eq!(names, ["2027-04", "2027-03", "2027-02", "2027-01"], "{}", fixture.kind());
        let [january, february, march] = [
            leaders(&replicas.0, "2027-01").await,
            leaders(&replicas.1, "2027-02").await,
            leaders(&replicas.2, "2027-03").await,
        ];
        let ratings =
            |of: &[Rating]| of.iter().map(|it| (it.account_id.clone(), it.rating)).collect::<Vec<_>>();
        assert_eq!(ratings(&january), ratings(&february), "nobody played");
        assert!(january[0].deviation < february[0].deviation, "but everybody is known less");
        assert_ne!(ratings(&february), ratings(&march));

        let none =
            page(&replicas.0, "2026-12", 3, String::new()).await.expect_err("it was before the first game");
        assert_eq!(api::error::reason(&none), "NO_SUCH_PERIOD");
    }
}

#[tokio::test]
async fn what_is_no_month_is_refused() {
    let fixture = fixtures().await.swap_remove(0);
    for period in ["2026", "2026-13", "now", "2026-11-01"] {
        let refused = page(&fixture.replica, period, 3, String::new()).await.expect_err("refused");
        assert_eq!(api::error::reason(&refused), "BAD_PERIOD", "{period}");
    }
    let request = ListLeadersRequest {
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        provisional: true,
        period: "2026-11".to_owned(),
        ..ListLeadersRequest::default()
    };
    let refused = fixture.replica.public.clone().list_leaders(request).await.expect_err("refused");
    assert_eq!(api::error::reason(&refused), "BAD_PERIOD");
}
