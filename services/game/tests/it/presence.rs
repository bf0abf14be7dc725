//! Players who leave, come back, or do not.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side, Verdict},
    error,
    game::v1::{
        AbandonmentClaim, Absence, ClaimAbandonmentRequest, CreateGameRequest, GameEvent, Regulations,
        game_event::{Event, Returned},
        proposal::{Pause, Proposal, Resume},
    },
    time_control::{Control, TimeControl},
};
use tonic::Status;

use super::{
    fixture::{Fixture, Replica, refused},
    streams::{comings_and_goings, pass},
};

const FIRST: i32 = Side::First as i32;
const SECOND: i32 = Side::Second as i32;
/// The grace of the scene's control, which is a blitz.
const GRACE: time::Duration = time::Duration::seconds(45);

async fn claim(
    fixture: &Fixture,
    replica: &Replica,
    id: &str,
    who: usize,
    claim: AbandonmentClaim,
) -> Result<GameEvent, Status> {
    let request_id = fixture.id();
    let request = ClaimAbandonmentRequest { game_id: id.to_owned(), claim: claim as i32, request_id };
    let first = replica.caller(&fixture.players[who]).claim_abandonment(request.clone()).await?;
    let again = replica.caller(&fixture.players[who]).claim_abandonment(request).await?;
    let event = first.into_inner().event.expect("an event");
    assert_eq!(Some(&event), again.into_inner().event.as_ref(), "the same request, the same answer");
    Ok(event)
}

fn absences(event: &GameEvent) -> Vec<Absence> {
    let progress = event.state.as_ref().and_then(|state| state.progress.as_ref()).expect("progress");
    progress.absences.clone()
}

fn seconds(time: Option<prost_types::Timestamp>) -> time::OffsetDateTime {
    time.as_ref().and_then(api::time::moment).expect("a time")
}

#[tokio::test]
async fn who_is_gone_for_too_long_can_be_claimed_against() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let mut first = one.present(&fixture, 0, &id).await;
        let second = two.present(&fixture, 1, &id).await;
        pass(&fixture, &[&one, &two], Duration::from_mins(1)).await;
        assert_eq!(refused(claim(&fixture, &one, &id, 0, AbandonmentClaim::Win).await), "OPPONENT_PRESENT");
        let gone = fixture.env.now();
        drop(second);
        pass(&fixture, &[&one, &two], Duration::from_secs(11)).await;
        let left = first.event().await;
        let [absence] = absences(&left)[..] else { panic!("{left:?}") };
        assert!(matches!(left.event, Some(Event::Left(_))), "{left:?}");
        assert_eq!((left.author, absence.side), (SECOND, SECOND));
        assert_eq!(seconds(absence.since_time), gone);
        assert_eq!(seconds(absence.claim_time), gone + GRACE);
        let early = claim(&fixture, &two, &id, 0, AbandonmentClaim::Win).await.expect_err("too early");
        assert_eq!(error::reason(&early), "GRACE_RUNNING");
        assert_eq!(error::metadata(&early, "until"), Some((gone + GRACE).unix_timestamp().to_string()));
        pass(&fixture, &[&one, &two], Duration::from_secs(40)).await;
        // Reconnecting shows it in one call.
        let progress = one.look(&id).await.state.and_then(|state| state.progress).expect("progress");
        assert_eq!(progress.absences, [absence]);
        let end = claim(&fixture, &two, &id, 0, AbandonmentClaim::Win).await.expect("granted");
        let outcome = end.state.clone().and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::FirstWins, Reason::Abandoned));
        assert!(absences(&end).is_empty());
        assert_eq!(comings_and_goings(&one.audited(&id).await), [(SECOND, "left")]);
    }
}

#[tokio::test]
async fn who_comes_back_voids_the_claim() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let mut first = replica.present(&fixture, 0, &id).await;
        drop(replica.present(&fixture, 1, &id).await);
        pass(&fixture, &[&replica], Duration::from_mins(1)).await;
        assert!(matches!(first.event().await.event, Some(Event::Left(_))));
        let mut second = replica.present(&fixture, 1, &id).await;
        let back = first.event().await;
        assert_eq!((back.event.clone(), back.author), (Some(Event::Returned(Returned::default())), SECOND));
        assert!(absences(&back).is_empty());
        assert_eq!(second.event().await, back);
        assert_eq!(
            refused(claim(&fixture, &replica, &id, 0, AbandonmentClaim::Win).await),
            "OPPONENT_PRESENT"
        );
        // An act says the same without a word.
        drop(first);
        pass(&fixture, &[&replica], Duration::from_secs(11)).await;
        let left = second.event().await;
        assert_eq!((absences(&left).len(), left.author), (1, FIRST));
        let act = replica.play(&fixture, &id, 0, "C3", 0, &fixture.id()).await.expect("accepted");
        assert!(absences(&act).is_empty());
        // Who has only acted is not there for ever.
        pass(&fixture, &[&replica], Duration::from_secs(90)).await;
        assert_eq!(second.event().await, act);
        assert!(matches!(second.event().await.event, Some(Event::Left(_))));
        let draw = claim(&fixture, &replica, &id, 1, AbandonmentClaim::Draw).await.expect("granted");
        let outcome = draw.state.and_then(|state| state.outcome).expect("it is over");
        assert_eq!((outcome.verdict(), outcome.reason()), (Verdict::Draw, Reason::Abandoned));
    }
}

#[tokio::test]
async fn who_comes_and_goes_fills_no_log() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        let _first = replica.present(&fixture, 0, &id).await;
        for _ in 0..10 {
            drop(replica.present(&fixture, 1, &id).await);
            pass(&fixture, &[&replica], Duration::from_secs(4)).await;
        }
        let _second = replica.present(&fixture, 1, &id).await;
        pass(&fixture, &[&replica], Duration::from_mins(1)).await;
        assert_eq!(comings_and_goings(&replica.audited(&id).await), []);
    }
}

#[tokio::test]
async fn a_replica_that_dies_takes_nobody_with_it() {
    for fixture in Fixture::all().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = one.new_game(&fixture).await;
        let mut first = one.present(&fixture, 0, &id).await;
        let second = two.present(&fixture, 1, &id).await;
        two.lifecycle.drain(Duration::from_secs(5)).await;
        assert_eq!(second.broken().await, "STOPPING");
        pass(&fixture, &[&one], Duration::from_secs(5)).await;
        // He comes back to the other replica, and nobody has noticed anything.
        let second = one.present(&fixture, 1, &id).await;
        pass(&fixture, &[&one], Duration::from_mins(1)).await;
        assert_eq!(comings_and_goings(&one.audited(&id).await), []);
        drop(second);
        pass(&fixture, &[&one], Duration::from_secs(20)).await;
        assert_eq!(first.event().await.author, SECOND);
    }
}

#[tokio::test]
async fn after_a_restart_both_are_expected_and_the_outage_does_not_count() {
    for mut fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &id, &["C3", "G7"]).await;
        let first = replica.present(&fixture, 0, &id).await;
        let second = replica.present(&fixture, 1, &id).await;
        replica.lifecycle.drain(Duration::from_secs(5)).await;
        drop((first, second, replica));
        // The live state is gone as well.
        fixture.live = live::testing::InCommon::empty().await;
        fixture.time.advance(Duration::from_mins(10));
        let back = fixture.env.now();
        let replica = fixture.replica().await;
        let mut first = replica.present(&fixture, 0, &id).await;
        pass(&fixture, &[&replica], Duration::from_secs(40)).await;
        let left = first.left().await;
        let [absence] = absences(&left)[..] else { panic!("{left:?}") };
        assert_eq!(left.author, SECOND);
        assert!(seconds(absence.since_time) >= back, "while the platform was down nobody could be there");
        // Another outage puts the claim off.
        fixture.time.advance(Duration::from_mins(10));
        assert_eq!(refused(claim(&fixture, &replica, &id, 0, AbandonmentClaim::Win).await), "GRACE_RUNNING");
        pass(&fixture, &[&replica], Duration::from_secs(46)).await;
        claim(&fixture, &replica, &id, 0, AbandonmentClaim::Win).await.expect("granted");
    }
}

#[tokio::test]
async fn officials_judge_who_leaves_their_games() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let event_id = fixture.id();
        let regulate = |request: &mut CreateGameRequest| {
            request.regulations = Some(Regulations { event_id, ..Regulations::default() });
        };
        let id = replica.new_game_with(&fixture, regulate).await;
        let mut first = replica.present(&fixture, 0, &id).await;
        drop(replica.present(&fixture, 1, &id).await);
        pass(&fixture, &[&replica], Duration::from_secs(90)).await;
        let left = first.event().await;
        let [absence] = absences(&left)[..] else { panic!("{left:?}") };
        assert_eq!((absence.side, absence.claim_time), (SECOND, None));
        assert_eq!(refused(claim(&fixture, &replica, &id, 0, AbandonmentClaim::Win).await), "OFFICIALS_ONLY");
        assert_eq!(
            refused(claim(&fixture, &replica, &id, 0, AbandonmentClaim::Unspecified).await),
            "BAD_CLAIM"
        );
    }
}

#[tokio::test]
async fn nobody_is_missed_where_nobody_is_expected() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        // Nobody watches.
        let unwatched = replica.new_game(&fixture).await;
        replica.play_all(&fixture, &unwatched, &["C3", "G7"]).await;
        // Days for a move.
        let control = TimeControl::same(Control::Correspondence { days: 3 });
        let slow =
            replica.new_game_with(&fixture, |request| request.time_control = Some(control.into())).await;
        let _first = replica.present(&fixture, 0, &slow).await;
        drop(replica.present(&fixture, 1, &slow).await);
        // A game that rests.
        let paused = replica.new_game(&fixture).await;
        let mut watching = replica.present(&fixture, 0, &paused).await;
        let second = replica.present(&fixture, 1, &paused).await;
        for who in [0, 1] {
            replica.propose(&fixture, &paused, who, Proposal::Pause(Pause {})).await.expect("wished");
        }
        drop(second);
        pass(&fixture, &[&replica], Duration::from_mins(3)).await;
        for id in [&unwatched, &slow, &paused] {
            assert_eq!(comings_and_goings(&replica.audited(id).await), []);
        }
        // When it goes on he is expected again.
        for who in [0, 1] {
            replica.propose(&fixture, &paused, who, Proposal::Resume(Resume {})).await.expect("wished");
        }
        pass(&fixture, &[&replica], Duration::from_secs(40)).await;
        assert_eq!(watching.left().await.author, SECOND);
    }
}

#[tokio::test]
async fn every_call_of_a_player_about_his_game_is_a_sign_of_life() {
    for fixture in Fixture::all().await {
        let replica = fixture.replica().await;
        let id = replica.new_game(&fixture).await;
        // Both are known to have come; then nobody watches any more.
        drop([replica.present(&fixture, 0, &id).await, replica.present(&fixture, 1, &id).await]);
        let request = || api::game::v1::GetGameRequest { game_id: id.clone() };
        // Long enough for both to be missed, and then until it is noticed who is.
        let mut gone: Vec<i32> = Vec::new();
        for round in 0..100 {
            if round >= 12 && !gone.is_empty() {
                break;
            }
            let now = fixture.env.now();
            let answer =
                replica.caller(&fixture.players[0]).get_game(request()).await.expect("a game").into_inner();
            let until = seconds(answer.present_until_time);
            assert!(until > now + Duration::from_secs(5), "it is said until when he is taken for present");
            pass(&fixture, &[&replica], Duration::from_secs(5)).await;
            // Who looks does so by the time of the test, not by that of its world.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let progress = replica.look(&id).await.state.and_then(|state| state.progress).expect("progress");
            gone = progress.absences.iter().map(|absence| absence.side).collect();
        }
        assert_eq!(gone, [SECOND], "who calls is there, and who is silent is gone");
        // Whoever calls again is back, whatever he calls.
        let own = claim(&fixture, &replica, &id, 1, AbandonmentClaim::Win).await;
        assert_eq!(refused(own), "OPPONENT_PRESENT", "nobody gains by being away");
        pass(&fixture, &[&replica], Duration::from_secs(2)).await;
        let back = async {
            while replica
                .look(&id)
                .await
                .state
                .and_then(|state| state.progress)
                .is_some_and(|it| !it.absences.is_empty())
            {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), back).await.expect("he is back");
        let nobody = replica.anybody().get_game(request()).await.expect("a game").into_inner();
        assert_eq!(nobody.present_until_time, None);
    }
}
