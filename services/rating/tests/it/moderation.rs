//! Reports to moderators, what these do about them, and games that they annul.

use std::time::Duration;

use api::{
    board::v1::Verdict,
    rating::v1::{
        AnnulGamesRequest, ApplyResultRequest, GetReportRequest, ListActsRequest, ListReportsRequest,
        ModerationKind, ReinstateGamesRequest, Report, ReportState, SettleReportRequest, Suspicion,
    },
};
use chassis::{
    auth::{Caller, Role, Scope},
    testing::{arbiter, moderator, player},
};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rating::core::report::WINDOW;
use sea_orm::{ConnectionTrait as _, Statement};
use tonic::{Code, Response, Status};
use uuid::Uuid;

use crate::{
    fixture::{Fixture, Replica, fixtures},
    order::assert_founded,
    refusals::{invalid, refused},
    scrutiny::{apply, given_up, pool, pool_with},
};

const DAY: Duration = Duration::from_hours(24);

/// Has a new replica look at what there is, until it has.
async fn look(fixture: &Fixture) {
    let replica = fixture.another().await;
    let on = fixture.database().read();
    let now = fixture.env.now().unix_timestamp() * 1_000_000;
    let looked = async {
        let query = format!("SELECT at_us FROM rating_scrutinies WHERE at_us >= {now}");
        let query = Statement::from_string(on.get_database_backend(), query);
        while on.query_one_raw(query.clone()).await.expect("it is read").is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), looked).await.expect("it is looked at");
    replica.lifecycle.drain(Duration::from_secs(5)).await;
}

async fn reports(replica: &Replica, by: &Caller, request: ListReportsRequest) -> Result<Vec<Report>, Status> {
    Ok(replica.moderation(by).list_reports(request).await?.into_inner().reports)
}

async fn open_reports(replica: &Replica, by: &Caller) -> Vec<Report> {
    reports(replica, by, ListReportsRequest::default()).await.expect("listed")
}

async fn report(replica: &Replica, by: &Caller, id: &str, event: &str) -> Result<Report, Status> {
    let request = GetReportRequest { report_id: id.to_owned(), event_id: event.to_owned() };
    let answer = replica.moderation(by).get_report(request).await?.into_inner();
    Ok(answer.report.expect("a report"))
}

/// The games that somebody gave up too often, the latest first.
fn evidence(report: &Report) -> Vec<String> {
    let alone = report.findings.iter().find(|finding| finding.suspicion() == Suspicion::Alone);
    let finding = alone.unwrap_or_else(|| panic!("{report:?}"));
    finding.evidence.iter().map(|game| game.game_id.clone()).collect()
}

fn settle(report: &str, upheld: bool) -> SettleReportRequest {
    SettleReportRequest { report_id: report.to_owned(), upheld, reason: "seen".to_owned() }
}

fn annul(games: &[String]) -> AnnulGamesRequest {
    AnnulGamesRequest { game_ids: games.to_vec(), report_id: String::new(), reason: "given away".to_owned() }
}

async fn annulled(replica: &Replica, by: &Caller, games: &[String]) -> u32 {
    replica.moderation(by).annul_games(annul(games)).await.expect("annulled").into_inner().changed
}

async fn reinstated(replica: &Replica, by: &Caller, games: &[String]) -> u32 {
    let request = ReinstateGamesRequest { game_ids: games.to_vec(), reason: "a mistake".to_owned() };
    replica.moderation(by).reinstate_games(request).await.expect("reinstated").into_inner().changed
}

/// He gives up so many games more, a day later.
async fn gives_up_more(fixture: &Fixture, who: Uuid, games: usize) -> Vec<String> {
    fixture.time.advance(DAY);
    let games: Vec<ApplyResultRequest> = (0..games)
        .map(|_| {
            fixture.time.advance(Duration::from_mins(1));
            given_up(fixture, who, fixture.env.uuid())
        })
        .collect();
    let ids = games.iter().map(|game| game.game_id.clone()).collect();
    apply(fixture, games).await;
    ids
}

#[tokio::test]
async fn who_is_suspicious_is_reported_kept_up_to_date_and_decided_about() {
    for fixture in fixtures().await {
        let replica = &fixture.replica;
        let by = moderator(&fixture.env, "Judge");
        let (sandbagger, mut thrown) = pool(&fixture).await;
        look(&fixture).await;
        let [found] = &open_reports(replica, &by).await[..] else { panic!("{}: one", fixture.kind()) };
        assert_eq!((&found.account_id, found.state()), (&sandbagger.to_string(), ReportState::Open));
        assert_eq!((found.games, found.lost_early, found.others_scored), (60, 20, 40.0));
        let [finding] = &found.findings[..] else { panic!("{found:?}") };
        assert_eq!((finding.suspicion(), finding.games), (Suspicion::Alone, 20));
        assert!(finding.score > finding.limit && finding.evidence.is_empty(), "{finding:?}");
        let whole = report(replica, &by, &found.report_id, "").await.expect("there");
        assert_eq!(evidence(&whole), thrown.iter().rev().cloned().collect::<Vec<_>>());
        let game = &whole.findings[0].evidence[0];
        assert!(game.rating_after < game.rating_before && game.acts == 20 && !game.annulled, "{game:?}");

        // He goes on, and the report is brought up to date.
        thrown.extend(gives_up_more(&fixture, sandbagger, 5).await);
        look(&fixture).await;
        let [again] = &open_reports(replica, &by).await[..] else { panic!("{}: one", fixture.kind()) };
        assert_eq!((&again.report_id, &again.find_time), (&found.report_id, &found.find_time));
        assert!(again.lost_early == 25 && again.update_time != found.update_time, "{again:?}");
        let whole = report(replica, &by, &found.report_id, "").await.expect("there");
        assert!(evidence(&whole).len() > 20, "{whole:?}");

        // It is decided about, once.
        let mut client = replica.moderation(&by);
        let settled = client.settle_report(settle(&found.report_id, false)).await.expect("settled");
        let settled = settled.into_inner().report.expect("a report");
        assert_eq!((settled.state(), &*settled.settle_reason), (ReportState::Dismissed, "seen"));
        assert_eq!((&*settled.settled_by_name, settled.settle_time.is_some()), ("Judge", true));
        let same = client.settle_report(settle(&found.report_id, false)).await.expect("settled");
        assert_eq!(same.into_inner().report, Some(settled));
        let otherwise = client.settle_report(settle(&found.report_id, true)).await;
        assert_eq!(refused(otherwise), (Code::FailedPrecondition, "REPORT_SETTLED".to_owned()));
        assert_eq!(open_reports(replica, &by).await, []);
        let acts = client.list_acts(ListActsRequest::default()).await.expect("listed").into_inner().acts;
        let [act] = &acts[..] else { panic!("{acts:?}") };
        assert_eq!((act.kind(), &act.report_id), (ModerationKind::ReportDismissed, &found.report_id));
        assert_eq!((&*act.moderator_name, &*act.reason), ("Judge", "seen"));

        // He is left alone for a while.
        gives_up_more(&fixture, sandbagger, 1).await;
        look(&fixture).await;
        assert_eq!(open_reports(replica, &by).await, [], "{}", fixture.kind());
        // Not when it gets much worse.
        gives_up_more(&fixture, sandbagger, 40).await;
        look(&fixture).await;
        let [worse] = &open_reports(replica, &by).await[..] else { panic!("{}: one", fixture.kind()) };
        assert_ne!(worse.report_id, found.report_id);
        let all = ListReportsRequest {
            account_id: sandbagger.to_string(),
            include_settled: true,
            page_size: 1,
            ..ListReportsRequest::default()
        };
        let first = client.list_reports(all.clone()).await.expect("listed").into_inner();
        assert_eq!(first.reports[0].report_id, worse.report_id, "the last first");
        let rest = ListReportsRequest { page_token: first.next_page_token, ..all };
        let rest = client.list_reports(rest).await.expect("listed").into_inner();
        assert_eq!((&rest.reports[0].report_id, &*rest.next_page_token), (&found.report_id, ""));
        // What is past is past.
        fixture.time.advance(Duration::try_from(WINDOW).expect("positive"));
        let (one, other) = (fixture.env.uuid(), fixture.env.uuid());
        fixture.series(one, other, 1).await;
        look(&fixture).await;
        let [still] = &open_reports(replica, &by).await[..] else { panic!("{}: one", fixture.kind()) };
        assert_eq!(still, worse, "{}: nothing is found, and nothing forgotten", fixture.kind());
    }
}

#[tokio::test]
async fn arbiters_see_what_concerns_their_event_and_decide_nothing() {
    for fixture in fixtures().await {
        let replica = &fixture.replica;
        let event = fixture.env.uuid();
        let (_, thrown) = pool_with(&fixture, event, 5).await;
        look(&fixture).await;
        let judge = moderator(&fixture.env, "Judge");
        let deputy = arbiter(&fixture.env, "Deputy", Role::Deputy, event.into());
        let of_event = |event: Uuid| ListReportsRequest { event_id: event.to_string(), ..Default::default() };
        let [found] = &reports(replica, &deputy, of_event(event)).await.expect("listed")[..] else {
            panic!("{}: one", fixture.kind())
        };
        let id = &found.report_id;
        let whole = report(replica, &deputy, id, &event.to_string()).await.expect("there");
        assert_eq!(evidence(&whole), thrown[..5].iter().rev().cloned().collect::<Vec<_>>());
        assert!(whole.findings[0].evidence.iter().all(|game| game.event_id == event.to_string()));
        assert_eq!(evidence(&report(replica, &judge, id, "").await.expect("there")).len(), 20);
        replica.moderation(&judge).settle_report(settle(id, true)).await.expect("settled");
        let seen = report(replica, &deputy, id, &event.to_string()).await.expect("there");
        assert_eq!((seen.state(), &*seen.settle_reason), (ReportState::Upheld, ""));
        assert!(seen.settled_by_id.is_empty() && seen.settled_by_name.is_empty());

        let denied = |reason: &str| (Code::PermissionDenied, reason.to_owned());
        let scorer = arbiter(&fixture.env, "Scorer", Role::Scorer, event.into());
        let elsewhere = arbiter(&fixture.env, "Elsewhere", Role::ChiefArbiter, fixture.env.uuid().into());
        for stranger in [&scorer, &elsewhere, &player(&fixture.env, "Anna")] {
            let listed = replica.moderation(stranger).list_reports(of_event(event)).await;
            assert_eq!(refused(listed), denied("NOT_AN_OFFICIAL"));
            let shown = report(replica, stranger, id, &event.to_string()).await.map(Response::new);
            assert_eq!(refused(shown), denied("NOT_AN_OFFICIAL"));
        }
        for nobody in [&deputy, &player(&fixture.env, "Anna")] {
            let mut client = replica.moderation(nobody);
            let all = ListReportsRequest::default();
            assert_eq!(refused(client.list_reports(all).await), denied("NOT_MODERATOR"));
            let shown = report(replica, nobody, id, "").await.map(Response::new);
            assert_eq!(refused(shown), denied("NOT_MODERATOR"));
            assert_eq!(refused(client.settle_report(settle(id, true)).await), denied("NOT_MODERATOR"));
            assert_eq!(refused(client.annul_games(annul(&thrown)).await), denied("NOT_MODERATOR"));
            let back = ReinstateGamesRequest { game_ids: thrown.clone(), reason: "no".to_owned() };
            assert_eq!(refused(client.reinstate_games(back).await), denied("NOT_MODERATOR"));
            assert_eq!(refused(client.list_acts(ListActsRequest::default()).await), denied("NOT_MODERATOR"));
        }
        // A token that may not act in roles has none.
        let scopes = vec![Scope::Account, Scope::Queue, Scope::Play];
        let narrow = Caller { scopes, ..judge.clone() };
        let listed = replica.moderation(&narrow).list_reports(ListReportsRequest::default()).await;
        assert_eq!(refused(listed), denied("SCOPE_MISSING"));
        // Another event has nothing to do with it.
        let other = fixture.env.uuid();
        let of_other = arbiter(&fixture.env, "Other", Role::Arbiter, other.into());
        assert_eq!(reports(replica, &of_other, of_event(other)).await.expect("listed"), []);
        let shown = report(replica, &of_other, id, &other.to_string()).await.map(Response::new);
        assert_eq!(refused(shown), (Code::NotFound, "UNKNOWN_REPORT".to_owned()));
    }
}

#[tokio::test]
async fn what_is_asked_amiss_is_refused_and_changes_nothing() {
    for fixture in fixtures().await {
        let replica = &fixture.replica;
        let by = moderator(&fixture.env, "Judge");
        let mut client = replica.moderation(&by);
        let (one, other) = (fixture.env.uuid(), fixture.env.uuid());
        let game = fixture.game(one, other, Verdict::FirstWins);
        replica.apply(game.clone()).await.expect("applied");
        let known = game.game_id;
        let unknown = fixture.env.uuid().to_string();
        let both = client.annul_games(annul(&[known.clone(), unknown.clone()])).await;
        let status = both.expect_err("refused");
        assert_eq!(api::error::metadata(&status, "game_id"), Some(unknown.clone()));
        assert_eq!(
            refused::<()>(Err(status)),
            (Code::NotFound, "UNKNOWN_GAME".to_owned()),
            "all are annulled or none"
        );
        assert_eq!(refused(client.annul_games(annul(&[])).await), invalid("BAD_ID"));
        assert_eq!(refused(client.annul_games(annul(&vec![known.clone(); 129])).await), invalid("BAD_ID"));
        assert_eq!(refused(client.annul_games(annul(&["x".to_owned()])).await), invalid("BAD_ID"));
        for reason in [String::new(), " ".to_owned(), "a".repeat(501), "a\u{202e}b".to_owned()] {
            let request = AnnulGamesRequest { reason, ..annul(std::slice::from_ref(&known)) };
            assert_eq!(refused(client.annul_games(request).await), invalid("BAD_TEXT"));
        }
        let for_nothing =
            AnnulGamesRequest { report_id: unknown.clone(), ..annul(std::slice::from_ref(&known)) };
        let no_report = (Code::NotFound, "UNKNOWN_REPORT".to_owned());
        assert_eq!(refused(client.annul_games(for_nothing).await), no_report);
        assert_eq!(refused(client.settle_report(settle(&unknown, true)).await), no_report);
        assert_eq!(refused(client.settle_report(settle("x", true)).await), invalid("BAD_ID"));
        let acts = client.list_acts(ListActsRequest::default()).await.expect("listed").into_inner();
        assert!(acts.acts.is_empty(), "{acts:?}");
        assert_eq!(replica.rating(one).await.games, 1);
        assert_founded(&fixture).await;
    }
}

/// A game and its twin, between other players, which is told as the first is to count in the end.
struct Twins {
    game: ApplyResultRequest,
    twin: ApplyResultRequest,
    annulled: bool,
}

/// Games that are annulled, reinstated and corrected in any order come to the same as others that were told so at once.
#[tokio::test]
async fn annulled_games_count_for_nothing_whatever_is_told_of_them() {
    for fixture in fixtures().await {
        let mut rng = StdRng::seed_from_u64(17);
        let by = moderator(&fixture.env, "Judge");
        let replica = &fixture.replica;
        let players: Vec<[Uuid; 2]> = (0..5).map(|_| [fixture.env.uuid(), fixture.env.uuid()]).collect();
        let verdicts = [Verdict::FirstWins, Verdict::SecondWins, Verdict::Draw, Verdict::Void];
        let mut twins = Vec::new();
        for _ in 0..40 {
            fixture.time.advance(Duration::from_hours(7));
            let one = rng.random_range(0..players.len());
            let other = (one + rng.random_range(1..players.len())) % players.len();
            let verdict = verdicts[rng.random_range(0..verdicts.len())];
            let game = fixture.game(players[one][0], players[other][0], verdict);
            let twin = fixture.game(players[one][1], players[other][1], verdict);
            replica.apply(game.clone()).await.expect("applied");
            twins.push(Twins { game, twin, annulled: false });
        }
        let mut acts = 0;
        for _ in 0..40 {
            let chosen: Vec<usize> =
                (0..rng.random_range(1..4)).map(|_| rng.random_range(0..twins.len())).collect();
            let ids: Vec<String> = chosen.iter().map(|at| twins[*at].game.game_id.clone()).collect();
            let annuls = rng.random_bool(0.6);
            if rng.random_bool(0.3) {
                let verdict = verdicts[rng.random_range(0..verdicts.len())].into();
                let Twins { game, twin, .. } = &mut twins[chosen[0]];
                (game.verdict, game.sequence, twin.verdict) = (verdict, game.sequence + 1, verdict);
                replica.apply(game.clone()).await.expect("corrected");
                replica.apply(game.clone()).await.expect("told again");
            } else {
                let mut expected = 0;
                for at in chosen {
                    expected += u32::from(twins[at].annulled != annuls);
                    twins[at].annulled = annuls;
                }
                let changed = if annuls {
                    annulled(replica, &by, &ids).await
                } else {
                    reinstated(replica, &by, &ids).await
                };
                assert_eq!(changed, expected, "{}", fixture.kind());
                acts += expected as usize;
            }
        }
        assert!(twins.iter().any(|twins| twins.annulled) && acts > 20, "it is a good mixture");
        for Twins { twin, annulled, .. } in twins {
            let verdict = if annulled { Verdict::Void.into() } else { twin.verdict };
            replica.apply(ApplyResultRequest { verdict, ..twin }).await.expect("applied");
        }
        for [one, twin] in players {
            let (one, twin) = (replica.rating(one).await, replica.rating(twin).await);
            assert_eq!((one.rating, one.deviation, one.games), (twin.rating, twin.deviation, twin.games));
            assert_eq!((one.volatility, one.update_time), (twin.volatility, twin.update_time));
        }
        assert_founded(&fixture).await;
        let mut listed = Vec::new();
        let mut page_token = String::new();
        loop {
            let request = ListActsRequest { page_size: 7, page_token };
            let answer = replica.moderation(&by).list_acts(request).await.expect("listed").into_inner();
            listed.extend(answer.acts);
            page_token = answer.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(listed.len(), acts, "{}: every act is written down", fixture.kind());
        assert!(listed.is_sorted_by(|one, next| one.act_id > next.act_id));
    }
}
