//! The table of incidents, line by line; and games in which forbidden acts happen as on a board.

use std::collections::BTreeSet;

use api::{
    board::v1::{Reason, Side, Verdict},
    game::v1::{
        Circumstance as CircumstancePb, Confirmation, Decision, GameEvent, IllegalInput,
        IncidentKind as KindPb, ListIncidentsRequest, OfferDrawRequest, Remedy as RemedyPb,
        Sanction as SanctionPb, game_event::Event, ruling::Act,
    },
};
use rules::{
    Circumstance::{
        self, Accident, Agreed, ArbiterPresent, CannotRebuild, ClaimedAtOnce, OnPurpose, OutsideCause,
    },
    ConductRules,
    IncidentKind::{self as Kind, *},
    Remedy as R, Sanction as S,
};

use super::{
    fixture::{Fixture, Replica, refused},
    officials::{GO, Officials, Terms, incident, record},
};

const SOURCE: Terms = Terms { illegal_input: IllegalInput::Source, confirmation: Confirmation::Nobody, ..GO };

/// Who has rules of conduct of his own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conduct {
    Go,
    Jiu,
    Jirige,
}

impl Conduct {
    fn rules(self) -> &'static ConductRules {
        match self {
            Conduct::Go => rules::go::VARIANT.conduct,
            Conduct::Jiu => rules::jiu::VARIANT.conduct,
            Conduct::Jirige => rules::jirige::VARIANT.conduct,
        }
    }
}

#[expect(clippy::match_same_arms, reason = "line by line")]
/// What the printed rules say, written once more as they are printed: remedy, sanction, and whether only the
/// chief arbiter decides so.
fn printed(conduct: Conduct, kind: Kind, circumstances: &BTreeSet<Circumstance>) -> Vec<(R, S, bool)> {
    let is = |it| circumstances.contains(&it);
    let only = |sanction| vec![(R::Nothing, sanction, false)];
    let either = |a, b| vec![(R::Nothing, a, false), (R::Nothing, b, false)];
    let chief =
        |remedies: &[R]| remedies.iter().map(|remedy| (*remedy, S::Nothing, true)).collect::<Vec<_>>();
    let players =
        |remedies: &[R]| remedies.iter().map(|remedy| (*remedy, S::Nothing, false)).collect::<Vec<_>>();
    match (kind, conduct) {
        (TwoMoves, Conduct::Go) => only(S::Loss),
        (TwoMoves, Conduct::Jiu) => vec![(R::Void, S::Warning, false)],
        (TwoMoves, Conduct::Jirige) => vec![(R::Void, S::Violation, false)],
        (TakeBack, Conduct::Go) if is(Accident) => players(&[R::FreeChoice]),
        (TakeBack, Conduct::Go) => vec![(R::Restored, S::Warning, false)],
        (TakeBack, Conduct::Jiu) => match (is(Accident), is(Agreed), is(ClaimedAtOnce)) {
            (false, _, true) => vec![(R::Void, S::Warning, false)],
            (false, _, false) => vec![],
            (true, true, _) => players(&[R::FreeChoice]),
            (true, false, true) => vec![(R::FreeChoice, S::Nothing, true), (R::Void, S::Warning, true)],
            (true, false, false) => chief(&[R::FreeChoice]),
        },
        (TakeBack, Conduct::Jirige) if is(Accident) => vec![(R::FreeChoice, S::Admonition, false)],
        (TakeBack, Conduct::Jirige) => vec![(R::Restored, S::Violation, false)],
        (ForbiddenMove, Conduct::Go) => players(&[R::Pass]),
        (ForbiddenMove, Conduct::Jirige) => vec![(R::Void, S::Violation, false)],
        (WrongCapture, Conduct::Go) => vec![(R::Restored, S::Warning, false)],
        (ClockPress, Conduct::Go) => either(S::Admonition, S::Warning),
        (ClockPress, Conduct::Jiu) => only(S::Warning),
        (Talking, Conduct::Go) => either(S::Warning, S::Loss),
        (Talking, Conduct::Jiu) if is(ArbiterPresent) => chief(&[R::Nothing]),
        (Talking, Conduct::Jiu) => either(S::Admonition, S::Warning),
        (Disturbing, Conduct::Go) => either(S::Admonition, S::Warning),
        (Disturbing, Conduct::Jiu) if is(ClaimedAtOnce) => either(S::Admonition, S::Warning),
        (ClockPress | RepeatedOffer | Questions | RefusingToSign, Conduct::Jirige) => only(S::Violation),
        (Leaving, Conduct::Go) => vec![(R::Reported, S::Warning, false)],
        (MovedStone, Conduct::Go) if is(OnPurpose) => only(S::Loss),
        (MovedStone, Conduct::Go) if is(Agreed) => players(&[R::Restored, R::Stands]),
        (MovedStone, Conduct::Go) => chief(&[R::Restored, R::Stands, R::Draw, R::Replay]),
        (MovedStone, Conduct::Jiu) if is(Agreed) => players(&[R::Restored, R::ReasonablePoint]),
        (MovedStone, Conduct::Jiu) => chief(&[R::ReasonablePoint, R::Stands, R::Draw, R::Replay]),
        (ScatteredBoard, Conduct::Go) if is(OutsideCause) && is(CannotRebuild) => {
            players(&[R::Draw, R::Replay])
        }
        (ScatteredBoard, Conduct::Go) if is(OutsideCause) => players(&[R::Rebuilt]),
        (ScatteredBoard, Conduct::Go) if is(OnPurpose) || is(Accident) && is(CannotRebuild) => only(S::Loss),
        (ScatteredBoard, Conduct::Go) if is(Accident) => players(&[R::Rebuilt]),
        (ScatteredBoard, Conduct::Jiu) if is(OutsideCause) && is(Agreed) => players(&[R::Rebuilt]),
        (ScatteredBoard, Conduct::Jiu) if is(OutsideCause) => chief(&[R::Draw, R::Replay]),
        (Other, conduct) => {
            let counted = if conduct == Conduct::Jirige { S::Violation } else { S::Warning };
            [either(S::Admonition, counted), vec![(R::Nothing, S::Loss, true)]].concat()
        }
        (WalkingAbout | WatchingOthers | Manners, Conduct::Go) => {
            [either(S::Admonition, S::Warning), vec![(R::Nothing, S::Loss, true)]].concat()
        }
        _ => vec![],
    }
}

#[test]
fn the_table_says_what_is_printed_under_all_circumstances() {
    let mut lines = 0;
    for conduct in [Conduct::Go, Conduct::Jiu, Conduct::Jirige] {
        for kind in Kind::ALL {
            for bits in 0_u32..1 << Circumstance::ALL.len() {
                let holds = |(n, it): (usize, Circumstance)| (bits >> n & 1 == 1).then_some(it);
                let circumstances = Circumstance::ALL.into_iter().enumerate().filter_map(holds).collect();
                let allowed: Vec<_> = conduct
                    .rules()
                    .allowed(kind, &circumstances)
                    .map(|line| (line.decision.remedy, line.decision.sanction, line.chief_only))
                    .collect();
                assert_eq!(
                    allowed,
                    printed(conduct, kind, &circumstances),
                    "{conduct:?} {kind:?} {circumstances:?}"
                );
                lines += allowed.len();
            }
        }
    }
    assert!(lines > 2000, "{lines}");
    assert_eq!(
        [Conduct::Go, Conduct::Jiu, Conduct::Jirige].map(|it| it.rules().penalties_max.get()),
        [2, 2, 3]
    );
}

#[tokio::test]
async fn everybody_can_read_the_table() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let mut games = replica.officials(&fixture.players[0]);
        for (variant, conduct) in [
            ("go", Conduct::Go),
            ("tianyi", Conduct::Go),
            ("jpd", Conduct::Go),
            ("jiu", Conduct::Jiu),
            ("jirige", Conduct::Jirige),
        ] {
            let request = ListIncidentsRequest { variant: variant.to_owned() };
            let table = games.list_incidents(request).await.expect("a table").into_inner();
            assert_eq!(table.decisions.len(), conduct.rules().decisions.len());
            assert_eq!(table.penalties_max, u32::from(conduct.rules().penalties_max.get()));
            assert!(table.decisions.iter().all(|line| line.kind() != KindPb::Unspecified));
        }
        let request = ListIncidentsRequest { variant: "chess".to_owned() };
        assert_eq!(refused(games.list_incidents(request).await), "UNKNOWN_VARIANT");
    }
}

#[tokio::test]
async fn as_many_warnings_as_the_rules_or_the_event_say_lose_the_game() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let jirige = Terms { variant: "jirige", options: &[], ..GO };
        let jiu = Terms { variant: "jiu", options: &[], ..GO };
        for (terms, kind, limit, reason) in [
            (GO, KindPb::WrongCapture, 2, Reason::Warnings),
            (jiu, KindPb::ClockPress, 2, Reason::Warnings),
            (jirige, KindPb::Questions, 3, Reason::Violations),
            (Terms { warnings_max: 4, ..GO }, KindPb::Leaving, 4, Reason::Warnings),
            (
                Terms { warnings_max: 1, variant: "jirige", options: &[], ..GO },
                KindPb::Questions,
                1,
                Reason::Violations,
            ),
        ] {
            let id = officials.game(&fixture, &replica, &terms).await;
            for n in 1..=limit {
                // The other side's do not count for this one.
                if n < limit {
                    replica
                        .rule(&fixture, &officials.arbiter, &id, record(kind, Side::First))
                        .await
                        .expect("recorded");
                }
                assert!(replica.outcome(&id).await.is_none());
                let event = replica
                    .rule(&fixture, &officials.arbiter, &id, record(kind, Side::Second))
                    .await
                    .expect("recorded");
                let state = event.state.expect("a state");
                let counts = state
                    .progress
                    .and_then(|progress| progress.arbitration)
                    .and_then(|it| it.second)
                    .expect("counts");
                assert_eq!(counts.warnings + counts.violations, n);
                assert_eq!(counts.violations > 0, reason == Reason::Violations);
                assert_eq!(state.outcome.is_some(), n == limit);
            }
            let outcome = replica.outcome(&id).await.expect("it is lost");
            assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, reason));
            replica.log(&id).await;
        }
    }
}

#[tokio::test]
async fn an_incident_is_decided_as_the_table_allows_and_recorded_for_good() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        replica.play_all(&fixture, &id, &["C3"]).await;
        let decided = |kind, remedy: RemedyPb, sanction: SanctionPb| {
            let decision = Some(Decision { remedy: remedy as i32, sanction: sanction as i32 });
            Act::RecordIncident(api::game::v1::Incident { decision, ..incident(kind, Side::First) })
        };
        let (none, nothing) = (RemedyPb::Nothing, SanctionPb::Nothing);
        for (act, expected) in [
            (decided(KindPb::TwoMoves, none, SanctionPb::Warning), "DECISION_NOT_ALLOWED"),
            (record(KindPb::Questions, Side::First), "DECISION_NOT_ALLOWED"),
            (decided(KindPb::MovedStone, RemedyPb::Replay, nothing), "ROLE_MAY_NOT"),
            (decided(KindPb::Talking, RemedyPb::Unspecified, SanctionPb::Warning), "BAD_RULING"),
            (decided(KindPb::Talking, none, SanctionPb::Unspecified), "BAD_RULING"),
            (record(KindPb::Talking, Side::Unspecified), "BAD_RULING"),
            (record(KindPb::Unspecified, Side::First), "BAD_RULING"),
        ] {
            assert_eq!(refused(replica.rule(&fixture, &officials.arbiter, &id, act).await), expected);
        }
        let evidence = api::game::v1::Incident {
            evidence_sha256: vec![1; 31],
            ..incident(KindPb::Talking, Side::First)
        };
        let bad = replica.rule(&fixture, &officials.arbiter, &id, Act::RecordIncident(evidence)).await;
        assert_eq!(refused(bad), "BAD_EVIDENCE");
        let whole = api::game::v1::Incident {
            ply: 1,
            reporter: Side::Second as i32,
            evidence_sha256: vec![7; 32],
            ..incident(KindPb::Talking, Side::First)
        };
        let event = replica
            .rule(&fixture, &officials.arbiter, &id, Act::RecordIncident(whole.clone()))
            .await
            .expect("recorded");
        let Some(Event::Ruled(ruled)) = &event.event else { panic!("{event:?}") };
        let decision = Some(Decision { remedy: none as i32, sanction: SanctionPb::Warning as i32 });
        let expected = api::game::v1::Incident { number: 1, decision, ..whole };
        assert_eq!(ruled.act, Some(Act::RecordIncident(expected)));
        assert!(event.state.as_ref().is_some_and(|state| state.clock.is_some()));
        let replay = decided(KindPb::MovedStone, RemedyPb::Replay, nothing);
        let ended = replica.rule(&fixture, &officials.chief, &id, replay).await.expect("the chief may");
        let outcome = ended.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Void, Reason::Replay));
        replica.log(&id).await;
    }
}

/// Article 4.5 of Jiu: that talk was allowed is for the chief arbiter to say, who gives the leave; an arbiter watches over it.
#[tokio::test]
async fn talk_in_jiu_has_the_leave_of_the_chief_arbiter_alone() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let jiu = Terms { variant: "jiu", options: &[], ..GO };
        let id = officials.game(&fixture, &replica, &jiu).await;
        let decision =
            Some(Decision { remedy: RemedyPb::Nothing as i32, sanction: SanctionPb::Nothing as i32 });
        let allowed = Act::RecordIncident(api::game::v1::Incident {
            circumstances: vec![CircumstancePb::ArbiterPresent as i32],
            decision,
            ..incident(KindPb::Talking, Side::First)
        });
        for who in [&officials.arbiter, &officials.deputy] {
            let refusal = replica.rule(&fixture, who, &id, allowed.clone()).await;
            assert_eq!(refused(refusal), "ROLE_MAY_NOT");
        }
        replica.rule(&fixture, &officials.chief, &id, allowed).await.expect("he gives the leave");
    }
}

fn forbidden(event: &GameEvent) -> (KindPb, RemedyPb, SanctionPb, bool) {
    let Some(Event::ForbiddenPlayed(played)) = &event.event else { panic!("{event:?}") };
    let incident = played.forbidden.as_ref().and_then(|it| it.incident.as_ref()).expect("an incident");
    let decision = incident.decision.as_ref().expect("a decision");
    (incident.kind(), decision.remedy(), decision.sanction(), played.counts_as.is_some())
}

async fn played(replica: &Replica, fixture: &Fixture, id: &str, who: usize, act: &str) -> GameEvent {
    let ply = replica.look(id).await.state.expect("a state").ply;
    replica.play(fixture, id, who, act, ply, &fixture.id()).await.expect("it has happened")
}

#[tokio::test]
async fn in_go_a_forbidden_move_is_a_pass_and_two_in_a_row_lose() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &SOURCE).await;
        // White's A9 would have no liberty.
        replica.play_all(&fixture, &id, &["A8", "G7", "B9"]).await;
        let event = played(&replica, &fixture, &id, 1, "A9").await;
        assert_eq!(forbidden(&event), (KindPb::ForbiddenMove, RemedyPb::Pass, SanctionPb::Nothing, true));
        let state = event.state.expect("a state");
        assert_eq!((state.ply, state.actors.clone()), (4, vec![Side::First as i32]));
        assert_eq!(state.clock.map(|clock| clock.running()), Some(Side::First), "the clock is pressed");
        assert_eq!(refused(replica.play(&fixture, &id, 0, "?", 4, &fixture.id()).await), "BAD_NOTATION");
        assert_eq!(refused(replica.play(&fixture, &id, 0, "A8", 4, &fixture.id()).await), "OCCUPIED");
        replica.play_all(&fixture, &id, &["C3"]).await;
        let request = fixture.id();
        let two = replica.play(&fixture, &id, 0, "D4", 5, &request).await.expect("it has happened");
        assert_eq!(forbidden(&two), (KindPb::TwoMoves, RemedyPb::Nothing, SanctionPb::Loss, false));
        assert_eq!(replica.play(&fixture, &id, 0, "D4", 5, &request).await.expect("the same"), two);
        let outcome = two.state.and_then(|state| state.outcome).expect("it is lost");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Arbiter));
        replica.log(&id).await;
        assert_eq!(fixture.replica().await.look(&id).await, replica.look(&id).await);
    }
}

#[tokio::test]
async fn who_has_refused_a_count_has_not_moved_by_it() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &SOURCE).await;
        for (ply, (who, act)) in
            (0..).zip([(0, "C3"), (1, "pass"), (0, "pass"), (1, "dead -"), (0, "reject")])
        {
            replica.play(&fixture, &id, who, act, ply, &fixture.id()).await.expect("played");
        }
        // Who passed first has the turn.
        assert_eq!(refused(replica.play(&fixture, &id, 0, "G7", 5, &fixture.id()).await), "NOT_YOUR_TURN");
        replica.play(&fixture, &id, 1, "G7", 5, &fixture.id()).await.expect("played");
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn a_stone_beside_the_board_is_a_move() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &Terms { variant: "jpd", ..SOURCE }).await;
        replica.play_all(&fixture, &id, &["C3", "virtual"]).await;
        let two = played(&replica, &fixture, &id, 1, "G7").await;
        assert_eq!(forbidden(&two), (KindPb::TwoMoves, RemedyPb::Nothing, SanctionPb::Loss, false));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn elsewhere_a_forbidden_move_is_refused_and_nothing_has_happened() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &GO).await;
        replica.play_all(&fixture, &id, &["A8", "G7", "B9"]).await;
        let before = replica.look(&id).await;
        assert_eq!(refused(replica.play(&fixture, &id, 1, "A9", 3, &fixture.id()).await), "SUICIDE");
        assert_eq!(refused(replica.play(&fixture, &id, 0, "D4", 3, &fixture.id()).await), "NOT_YOUR_TURN");
        assert_eq!(replica.look(&id).await, before);
    }
}

#[tokio::test]
async fn in_jiu_a_second_move_is_void_with_a_warning() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id = officials.game(&fixture, &replica, &Terms { variant: "jiu", options: &[], ..SOURCE }).await;
        // Who moves out of turn before anybody has is not moving twice, and nothing is printed about an occupied
        // point.
        assert_eq!(refused(replica.play(&fixture, &id, 1, "G7", 0, &fixture.id()).await), "NOT_YOUR_TURN");
        replica.play_all(&fixture, &id, &["G7", "H8"]).await;
        assert_eq!(refused(replica.play(&fixture, &id, 0, "G7", 2, &fixture.id()).await), "OCCUPIED");
        for n in 1..=2 {
            let event = played(&replica, &fixture, &id, 1, "A1").await;
            assert_eq!(forbidden(&event), (KindPb::TwoMoves, RemedyPb::Void, SanctionPb::Warning, false));
            let state = event.state.expect("a state");
            assert_eq!((state.ply, state.outcome.is_some()), (2, n == 2));
        }
        assert_eq!(replica.outcome(&id).await.map(|it| it.reason()), Some(Reason::Warnings));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn in_jirige_the_third_violation_loses_whatever_it_was() {
    for fixture in Fixture::all_with_clocks().await {
        let (replica, officials) = (fixture.replica().await, Officials::new(&fixture));
        let id =
            officials.game(&fixture, &replica, &Terms { variant: "jirige", options: &[], ..SOURCE }).await;
        // The centre is kept for the last stone.
        let event = played(&replica, &fixture, &id, 0, "E5").await;
        assert_eq!(forbidden(&event), (KindPb::ForbiddenMove, RemedyPb::Void, SanctionPb::Violation, false));
        let offer = |who: usize| {
            let request = OfferDrawRequest { game_id: id.clone(), request_id: fixture.id() };
            let mut games = replica.caller(&fixture.players[who]);
            async move {
                games.offer_draw(request).await.map(|answer| answer.into_inner().event.expect("an event"))
            }
        };
        offer(0).await.expect("offered");
        let request = api::game::v1::DeclineDrawRequest { game_id: id.clone(), request_id: fixture.id() };
        replica.caller(&fixture.players[1]).decline_draw(request).await.expect("declined");
        let again = offer(0).await.expect("it has happened");
        assert_eq!(
            forbidden(&again),
            (KindPb::RepeatedOffer, RemedyPb::Nothing, SanctionPb::Violation, false)
        );
        assert!(again.state.expect("a state").outcome.is_none());
        let lost = offer(0).await.expect("it has happened");
        let outcome = lost.state.and_then(|state| state.outcome).expect("it is lost");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::SecondWins, Reason::Violations));
        replica.log(&id).await;
    }
}
