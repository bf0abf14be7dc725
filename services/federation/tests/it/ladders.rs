//! Challenges on ladders, through their API.

use std::time::Duration;

use api::federation::v1::{self as pb, ChallengeAnswer, event_log_body::Fact};
use prost::Message as _;
use tonic::Status;

use crate::{
    fixture::{Fixture, Person, fixtures, reason},
    held::{Held, begin, change, enter, held, play, run, settings},
};

/// A ladder that runs, on which challenges are answered within an hour, and its players.
async fn ladder(fixture: &Fixture, players: usize) -> (Held, Vec<Person>) {
    let ladder = pb::LadderFormat {
        rounds: 3,
        answer_duration: Some(prost_types::Duration { seconds: 3600, nanos: 0 }),
        ..Default::default()
    };
    let format = Some(pb::EventFormat { format: Some(pb::event_format::Format::Ladder(ladder)) });
    let held = held(fixture, pb::EventSettings { format, ..settings(1) }).await;
    let players = enter(fixture, &held, players).await;
    run(&held).await;
    (held, players)
}

async fn challenge(held: &Held, player: &Person, holder: u32) -> Result<pb::Event, Status> {
    change!(held, player, challenge, ChallengeRequest { holder })
}

async fn answer(
    held: &Held,
    person: &Person,
    challenger: u32,
    answer: ChallengeAnswer,
) -> Result<pb::Event, Status> {
    let answer = answer.into();
    change!(held, person, answer_challenge, AnswerChallengeRequest { challenger, answer })
}

async fn order(held: &Held) -> Vec<u32> {
    let request = pb::GetStandingsRequest { event_id: held.id.clone(), ..Default::default() };
    let table = held.chief.events.clone().get_standings(request).await.expect("a table").into_inner();
    table.lines.iter().map(|line| line.number).collect()
}

async fn log(held: &Held) -> Vec<pb::EventLogEntry> {
    let request = pb::ListLogRequest { event_id: held.id.clone(), after_sequence: 0, page_size: 200 };
    held.chief.events.clone().list_log(request).await.expect("a log").into_inner().entries
}

async fn nothing_is_found(held: &Held) {
    let found = federation::audit::log(&held.id, &log(held).await).expect("it can be read");
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

#[tokio::test]
async fn a_challenge_is_made_accepted_and_played() {
    for fixture in fixtures().await {
        let (held, players) = ladder(&fixture, 5).await;
        let far = challenge(&held, &players[4], 1).await;
        assert_eq!(reason(far), "BAD_CHALLENGE", "{}: four places", fixture.kind);
        assert_eq!(reason(challenge(&held, &held.chief, 1).await), "EVENT_ROLE_MISSING");
        let event = challenge(&held, &players[4], 2).await.expect("three places");
        assert_eq!((event.challenges[0].challenger, event.challenges[0].holder), (5, 2));
        assert!(event.challenges[0].answer_until_time.is_some());
        for (who, said, refused) in [
            (&players[0], ChallengeAnswer::Accepted, "EVENT_ROLE_MISSING"),
            (&players[4], ChallengeAnswer::Accepted, "EVENT_ROLE_MISSING"),
            (&players[1], ChallengeAnswer::Withdrawn, "EVENT_ROLE_MISSING"),
            (&held.chief, ChallengeAnswer::Withdrawn, "BAD_CHALLENGE"),
            (&players[1], ChallengeAnswer::Lapsed, "UNKNOWN_VALUE"),
        ] {
            assert_eq!(reason(answer(&held, who, 5, said).await), refused, "{said:?}");
        }
        let event = answer(&held, &players[1], 5, ChallengeAnswer::Accepted).await.expect("he plays");
        assert_eq!(event.challenges[0].answer_until_time, None);
        begin(&held, 1).await;
        play(&fixture, &held, 1).await;
        let order = order(&held).await;
        assert!(
            order == [1, 5, 2, 3, 4] || order == [1, 2, 3, 4, 5],
            "by who had the first colour: {order:?}"
        );
        nothing_is_found(&held).await;
    }
}

#[tokio::test]
async fn who_refuses_or_does_not_answer_loses_his_place_by_forfeit() {
    for fixture in fixtures().await {
        let (held, players) = ladder(&fixture, 6).await;
        challenge(&held, &players[3], 1).await.expect("three places");
        challenge(&held, &players[4], 2).await.expect("three places");
        challenge(&held, &players[5], 3).await.expect("three places");
        answer(&held, &held.chief, 4, ChallengeAnswer::Refused).await.expect("for him");
        assert_eq!(order(&held).await, [4, 1, 2, 3, 5, 6], "{}", fixture.kind);
        let event = answer(&held, &players[5], 6, ChallengeAnswer::Withdrawn).await.expect("taken back");
        assert_eq!(event.challenges.len(), 1);
        fixture.time.advance(Duration::from_hours(1));
        let lapsed = [4, 1, 5, 2, 3, 6];
        for _ in 0..1000 {
            if order(&held).await == lapsed {
                break;
            }
            fixture.time.advance(Duration::from_millis(100));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(order(&held).await, lapsed, "nobody has answered");
        let late = answer(&held, &players[1], 5, ChallengeAnswer::Accepted).await;
        assert_eq!(reason(late), "EVENT_ROLE_MISSING", "nothing is his to answer any more");
        let bodies = log(&held).await.into_iter();
        let bodies = bodies.map(|entry| pb::EventLogBody::decode(&*entry.body).expect("an entry"));
        let answers: Vec<(ChallengeAnswer, bool)> = bodies
            .filter_map(|body| match &body.fact {
                Some(Fact::ChallengeAnswered(it)) => Some((it.answer(), body.account_id.is_empty())),
                _ => None,
            })
            .collect();
        let by_itself = true;
        assert_eq!(
            answers,
            [
                (ChallengeAnswer::Refused, !by_itself),
                (ChallengeAnswer::Withdrawn, !by_itself),
                (ChallengeAnswer::Lapsed, by_itself)
            ]
        );
        nothing_is_found(&held).await;
    }
}

/// Whoever is told of results late learns nothing by challenging: he is refused alike while a round is played, and after it.
#[tokio::test]
async fn a_challenge_tells_nothing_that_is_not_broadcast_yet() {
    for fixture in fixtures().await {
        let ladder = pb::LadderFormat { rounds: 3, ..Default::default() };
        let format = Some(pb::EventFormat { format: Some(pb::event_format::Format::Ladder(ladder)) });
        let delay = Duration::from_mins(10);
        let broadcast_delay_duration = Some(api::time::duration(delay));
        let held =
            held(&fixture, pb::EventSettings { format, broadcast_delay_duration, ..settings(1) }).await;
        let players = enter(&fixture, &held, 6).await;
        run(&held).await;
        challenge(&held, &players[1], 1).await.expect("one place");
        challenge(&held, &players[3], 3).await.expect("one place");
        for (holder, challenger) in [(0, 2), (2, 4)] {
            // Where no answer is asked for there is none.
            let _ = answer(&held, &players[holder], challenger, ChallengeAnswer::Accepted).await;
        }
        begin(&held, 1).await;
        fixture.time.advance(2 * delay);
        let tried = async |holder: u32| {
            let request = pb::ChallengeRequest {
                event_id: held.id.clone(),
                request_id: players[4].request(),
                holder,
                validate_only: true,
                ..Default::default()
            };
            let refused = players[4].events.clone().challenge(request).await.expect_err("it is refused");
            (api::error::reason(&refused), refused.message().to_owned())
        };
        let round = crate::held::get_round(&held.chief, &held, 1).await.expect("public");
        let mut told = Vec::new();
        for pairing in round.pairings {
            let report = pb::RecordGameRequest {
                event_id: held.id.clone(),
                game_id: pairing.game_id,
                sequence: 9,
                state: pb::GameReportState::Final.into(),
                verdict: api::board::v1::Verdict::FirstWins.into(),
                reason: api::board::v1::Reason::Resignation.into(),
                ..Default::default()
            };
            fixture.internal.clone().record_game(report).await.expect("recorded");
            for holder in [1, 2, 3, 4, 6] {
                told.push(tried(holder).await);
            }
        }
        assert_eq!((told.len(), told[0].0.as_str()), (10, "BAD_CHALLENGE"), "{}", fixture.kind);
        assert!(told.iter().all(|it| *it == told[0]), "{}: {told:?}", fixture.kind);
        fixture.time.advance(delay);
        challenge(&held, &players[4], 4).await.expect("all of it is broadcast");
    }
}
