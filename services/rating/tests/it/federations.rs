//! Leaderboards of the members of a federation.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    clock::v1::SpeedClass,
    rating::v1::{
        ListLeadersRequest, ListPeriodsRequest, Rating, rating_service_client::RatingServiceClient,
    },
    time::timestamp,
    transport::Transport,
};
use chassis::{
    auth::{Caller, Role, RoleGrant, RoleScope},
    testing::{as_account, player},
};
use time::macros::datetime;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::fixture::{Fixture, Replica, fixtures, without_history};

/// A replica as an account calls it.
fn seen_by(fixture: &Fixture, replica: &Replica, account: Uuid) -> RatingServiceClient<Transport> {
    let caller = Caller { id: account.into(), ..player(&fixture.env, "somebody") };
    RatingServiceClient::new(as_account(replica.public_transport.clone(), caller))
}

fn asked(federation: Uuid) -> ListLeadersRequest {
    ListLeadersRequest {
        variant: "go".to_owned(),
        speed_class: SpeedClass::Blitz.into(),
        federation_id: federation.to_string(),
        ..ListLeadersRequest::default()
    }
}

/// All of a leaderboard, two at a time.
async fn all(
    client: &RatingServiceClient<Transport>,
    request: &ListLeadersRequest,
) -> Result<Vec<Rating>, Status> {
    let (mut leaders, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListLeadersRequest { page_size: 2, page_token, ..request.clone() };
        let answer = client.clone().list_leaders(request).await?.into_inner();
        leaders.extend(answer.leaders.into_iter().map(without_history));
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            return Ok(leaders);
        }
    }
}

fn ids(leaders: &[Rating]) -> Vec<Uuid> {
    leaders.iter().map(|leader| leader.account_id.parse().expect("an id")).collect()
}

fn ranks(leaders: &[Rating]) -> Vec<(u32, u32)> {
    let standing = |leader: &Rating| leader.standing.as_ref().map(|it| (it.rank, it.ranked));
    leaders.iter().map(|leader| standing(leader).expect("ranked")).collect()
}

fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> (Code, String) {
    let status = answer.expect_err("it is refused");
    (status.code(), api::error::reason(&status))
}

/// Six settled players, highest first, and one who is provisional.
async fn played(fixture: &Fixture) -> (Vec<Uuid>, Uuid) {
    let start = fixture.env.now();
    for _ in 0..3 {
        let (one, two) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.time.set(start);
        fixture.series(one, two, 24).await;
        fixture.replica.apply(fixture.game(one, two, Verdict::FirstWins)).await.expect("applied");
    }
    let everybody = ListLeadersRequest { federation_id: String::new(), ..asked(Uuid::nil()) };
    let settled = ids(&all(&fixture.replica.public, &everybody).await.expect("listed"));
    assert_eq!(settled.len(), 6, "{}", fixture.kind());
    let newcomer = fixture.env.uuid();
    fixture.replica.apply(fixture.game(newcomer, settled[5], Verdict::Draw)).await.expect("applied");
    (settled, newcomer)
}

#[tokio::test]
async fn members_are_ranked_among_each_other() {
    for fixture in fixtures().await {
        let (settled, newcomer) = played(&fixture).await;
        let (federation, other) = (fixture.env.uuid(), fixture.env.uuid());
        let members = [settled[4], settled[0], settled[3]];
        fixture.members.join(federation, &[&members[..], &[newcomer, fixture.env.uuid()]].concat());
        fixture.members.join(other, &[settled[0], settled[1]]);

        let client = seen_by(&fixture, &fixture.replica, members[0]);
        let leaders = all(&client, &asked(federation)).await.expect("listed");
        assert_eq!(ids(&leaders), [settled[0], settled[3], settled[4]], "{}", fixture.kind());
        let ranks: Vec<_> = ranks(&leaders);
        let level = leaders[1].rating == leaders[2].rating;
        assert_eq!(ranks, [(1, 3), (2, 3), (if level { 2 } else { 3 }, 3)], "{}", fixture.kind());
        // But for the rank each is as everybody sees him.
        for leader in &leaders {
            let id = leader.account_id.parse().expect("an id");
            let seen = Rating { standing: leader.standing, ..fixture.replica.rating(id).await };
            assert_eq!(*leader, seen, "{}", fixture.kind());
        }
        let apart = ListLeadersRequest { provisional: true, ..asked(federation) };
        let apart = all(&client, &apart).await.expect("listed");
        assert_eq!(ids(&apart), [newcomer], "{}", fixture.kind());
        assert!(apart[0].standing.is_none());

        // Who joins is seen a minute later; until then nobody is asked again.
        fixture.members.join(federation, &[settled[1]]);
        let calls = fixture.members.lock().calls;
        assert_eq!(all(&client, &asked(federation)).await.expect("listed").len(), 3);
        assert_eq!(fixture.members.lock().calls, calls, "{}", fixture.kind());
        fixture.time.advance(Duration::from_mins(1));
        let leaders = all(&client, &asked(federation)).await.expect("listed");
        assert_eq!(ids(&leaders), [settled[0], settled[1], settled[3], settled[4]], "{}", fixture.kind());
    }
}

#[tokio::test]
async fn a_federations_leaderboard_is_for_those_who_belong_to_it() {
    for fixture in fixtures().await {
        let (federation, other) = (fixture.env.uuid(), fixture.env.uuid());
        let (member, stranger) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.members.join(federation, &[member]);
        fixture.members.join(other, &[stranger]);
        let periods = ListPeriodsRequest {
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            federation_id: federation.to_string(),
            ..ListPeriodsRequest::default()
        };
        let mut as_member = seen_by(&fixture, &fixture.replica, member);
        as_member.list_leaders(asked(federation)).await.expect("a member");
        as_member.list_periods(periods.clone()).await.expect("a member");
        let not_a_member = (Code::PermissionDenied, "NOT_A_MEMBER".to_owned());
        let mut as_stranger = seen_by(&fixture, &fixture.replica, stranger);
        let month = ListLeadersRequest { period: "2027-03".to_owned(), ..asked(federation) };
        for request in [asked(federation), month, asked(fixture.env.uuid())] {
            assert_eq!(refused(as_stranger.list_leaders(request).await), not_a_member, "{}", fixture.kind());
        }
        assert_eq!(refused(as_stranger.list_periods(periods).await), not_a_member);
        let missing = (Code::Unauthenticated, "TOKEN_MISSING".to_owned());
        assert_eq!(refused(fixture.replica.public.clone().list_leaders(asked(federation)).await), missing);
        let bad = ListLeadersRequest { federation_id: "Aba".to_owned(), ..asked(federation) };
        assert_eq!(refused(as_member.list_leaders(bad).await), (Code::InvalidArgument, "BAD_ID".to_owned()));

        // Officials and moderators need not be members.
        let official = fixture.env.uuid();
        fixture.members.lock().officials.push((federation, official));
        fixture.time.advance(Duration::from_mins(1));
        let mut as_official = seen_by(&fixture, &fixture.replica, official);
        as_official.list_leaders(asked(federation)).await.expect("an official");
        assert_eq!(refused(as_official.list_leaders(asked(other)).await), not_a_member, "{}", fixture.kind());
        let roles = vec![RoleGrant { role: Role::Moderator, scope: RoleScope::Platform }];
        let moderator = Caller { roles, ..player(&fixture.env, "moderator") };
        let transport = as_account(fixture.replica.public_transport.clone(), moderator);
        RatingServiceClient::new(transport).list_leaders(asked(federation)).await.expect("a moderator");
    }
}

#[tokio::test]
async fn without_the_federations_everybody_is_still_listed() {
    for fixture in fixtures().await {
        let (federation, member) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.members.join(federation, &[member]);
        fixture.members.lock().silent = true;
        let client = seen_by(&fixture, &fixture.replica, member);
        let members = asked(federation);
        let everybody = ListLeadersRequest { federation_id: String::new(), ..members.clone() };
        let (of_federation, of_everybody) = tokio::join!(all(&client, &members), all(&client, &everybody));
        let unavailable = (Code::Unavailable, "FEDERATION_UNAVAILABLE".to_owned());
        assert_eq!(refused(of_federation), unavailable, "{}", fixture.kind());
        assert_eq!(of_everybody.expect("listed"), [], "{}", fixture.kind());
        fixture.members.lock().silent = false;
        all(&client, &asked(federation)).await.expect("it answers again, and nothing of the silence is kept");
    }
}

#[tokio::test]
async fn a_month_is_kept_of_those_who_were_members_on_its_last_day() {
    for fixture in fixtures().await {
        fixture.time.set(datetime!(2027-03-20 00:00 UTC));
        let (settled, newcomer) = played(&fixture).await;
        let (federation, gone) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.members.lock().members.extend([
            (federation, settled[0], "2027-01-01", "2027-03-31"),
            (federation, settled[1], "2027-01-01", "2027-04-01"),
            (federation, settled[2], "2027-03-31", "9999-99-99"),
            (federation, settled[3], "2027-04-01", "9999-99-99"),
            (federation, newcomer, "2027-01-01", "9999-99-99"),
            (gone, settled[5], "2027-01-01", "2027-02-01"),
        ]);
        fixture.time.set(datetime!(2027-04-02 00:00 UTC));
        let replica = fixture.another().await;
        let client = seen_by(&fixture, &replica, settled[2]);
        let month = |federation| ListLeadersRequest { period: "2027-03".to_owned(), ..asked(federation) };
        let kept = async {
            loop {
                match all(&client, &month(federation)).await {
                    Ok(kept) => break kept,
                    Err(status) => assert_eq!(api::error::reason(&status), "NO_SUCH_PERIOD"),
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let kept =
            tokio::time::timeout(Duration::from_secs(20), kept).await.expect("it is kept at the start");
        assert_eq!(ids(&kept), [settled[1], settled[2]], "{}", fixture.kind());
        assert!(ranks(&kept).iter().all(|(_, ranked)| *ranked == 2), "{}", fixture.kind());
        let periods = ListPeriodsRequest {
            variant: "go".to_owned(),
            speed_class: SpeedClass::Blitz.into(),
            federation_id: federation.to_string(),
            ..ListPeriodsRequest::default()
        };
        let periods = client.clone().list_periods(periods).await.expect("listed").into_inner().periods;
        assert_eq!(periods.len(), 1, "{}", fixture.kind());
        assert_eq!((periods[0].period.as_str(), periods[0].ranked), ("2027-03", 2), "{}", fixture.kind());
        assert_eq!(periods[0].keep_time, Some(timestamp(fixture.env.now())));

        // Who leaves, joins or plays later changes nothing of it; and nothing is kept where nobody was ranked.
        fixture.members.join(federation, &settled);
        fixture.members.join(gone, &settled[2..3]);
        fixture.time.advance(Duration::from_hours(1));
        fixture
            .replica
            .apply(fixture.game(settled[2], settled[1], Verdict::FirstWins))
            .await
            .expect("applied");
        assert_eq!(all(&client, &month(federation)).await.expect("listed"), kept, "{}", fixture.kind());
        let none = (Code::NotFound, "NO_SUCH_PERIOD".to_owned());
        assert_eq!(refused(all(&client, &month(gone)).await), none, "{}", fixture.kind());
    }
}

#[tokio::test]
async fn a_month_waits_for_the_federations_and_is_kept_once_they_answer() {
    for fixture in fixtures().await {
        fixture.time.set(datetime!(2027-03-20 00:00 UTC));
        let (settled, _) = played(&fixture).await;
        let federation = fixture.env.uuid();
        fixture.members.join(federation, &settled[..2]);
        fixture.time.set(datetime!(2027-04-02 00:00 UTC));
        fixture.members.lock().silent = true;
        let early = fixture.another().await;
        let everybody = ListLeadersRequest {
            period: "2027-03".to_owned(),
            federation_id: String::new(),
            ..asked(federation)
        };
        while fixture.members.lock().calls == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let none = (Code::NotFound, "NO_SUCH_PERIOD".to_owned());
        assert_eq!(
            refused(all(&early.public, &everybody).await),
            none,
            "{}: both or neither",
            fixture.kind()
        );
        fixture.members.lock().silent = false;
        let later = fixture.another().await;
        let kept = async {
            while all(&later.public, &everybody).await.is_err() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), kept).await.expect("it is kept at the start");
        let month = ListLeadersRequest { federation_id: federation.to_string(), ..everybody };
        let client = seen_by(&fixture, &later, settled[0]);
        assert_eq!(ids(&all(&client, &month).await.expect("listed")), &settled[..2], "{}", fixture.kind());
    }
}
