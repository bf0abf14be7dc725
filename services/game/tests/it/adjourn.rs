//! Games that are adjourned with a sealed move: from the sealing to the move that is played at the resumption.

use std::time::Duration;

use api::{
    board::v1::{Reason, Side},
    clock::v1::{CreditOutage, clock_entry},
    game::v1::{
        CreateGameRequest, ResignRequest, Stage,
        adjournment_step::Step,
        game_event::Event,
        proposal::{Adjourn, Pause, Proposal, ResumeAt},
    },
    sealing,
    time_control::{Control, TimeControl},
};

use super::{
    fixture::{Fixture, Replica, refused},
    meeting::{adjournable, main_times, seal_request, steps},
};

const SEALING: Duration = Duration::from_secs(20);
const RESUMPTION: Duration = Duration::from_mins(12);
const NOTICE: Duration = Duration::from_mins(10);

/// A game of ten minutes and five seconds a move that is adjourned at its time.
async fn new_game(replica: &Replica, fixture: &Fixture, resumption: Option<Duration>) -> String {
    replica.new_game_with(fixture, |request| regulate(fixture, request, resumption)).await
}

fn regulate(fixture: &Fixture, request: &mut CreateGameRequest, resumption: Option<Duration>) {
    let (main, increment) = (Duration::from_mins(10), Duration::from_secs(5));
    request.time_control = Some(TimeControl::same(Control::Fischer { main, increment, cap: None }).into());
    request.regulations = Some(adjournable(fixture, SEALING, resumption));
}

/// The same, two moves played, when a move is to be sealed.
async fn to_be_sealed(replica: &Replica, fixture: &Fixture, resumption: Option<Duration>) -> String {
    let id = new_game(replica, fixture, resumption).await;
    replica.play_all(fixture, &id, &["C3", "G7"]).await;
    replica.pass(fixture, &id, SEALING).await;
    assert_eq!(replica.stage(&id).await, Stage::Sealing);
    id
}

fn resume_at(fixture: &Fixture, after: Duration) -> Proposal {
    Proposal::ResumeAt(ResumeAt { resumption_time: Some(api::time::timestamp(fixture.later(after))) })
}

#[tokio::test]
async fn a_move_is_sealed_on_the_sealers_clock_and_played_at_the_resumption() {
    for fixture in Fixture::all_with_clocks().await {
        let one = fixture.replica().await;
        let id = to_be_sealed(&one, &fixture, Some(RESUMPTION)).await;
        assert_eq!(one.adjournment(&id).await.sealer(), Side::First);
        assert_eq!(refused(one.play(&fixture, &id, 0, "E5", 2, &fixture.id()).await), "NOT_IN_PLAY");
        assert_eq!(refused(one.seal(&fixture, &id, 1, "E5").await), "NOT_YOUR_TURN");
        one.pass(&fixture, &id, Duration::from_micros(7_500_001)).await;
        let sealed = one.sealed(&fixture, &id, "E5").await;
        let commitment = sealed.commitment;
        let request = seal_request(&fixture, &id, sealed);
        let mut games = one.caller(&fixture.players[0]);
        let event = games.seal_move(request.clone()).await.expect("sealed").into_inner().event;
        let again = games.seal_move(request).await.expect("the same request").into_inner().event;
        assert_eq!(event, again);
        let event = event.expect("an event");
        // The sealer has thought on his own clock from his turn on, and has what a move earns; no clock runs.
        let used = SEALING + Duration::from_micros(7_500_001);
        let full = Duration::from_mins(10);
        let increment = Duration::from_secs(5);
        assert_eq!(main_times(&event), [(full + 2 * increment).saturating_sub(used), full + increment]);
        let state = event.state.expect("a state");
        assert_eq!(state.clock.map(|clock| clock.running()), Some(Side::Unspecified));
        assert_eq!((state.ply, state.actors.as_slice()), (2, &[][..]));
        let adjournment = state.progress.and_then(|progress| progress.adjournment).expect("an adjournment");
        assert_eq!((adjournment.sealer(), adjournment.commitment.as_slice()), (Side::First, &commitment[..]));
        assert_eq!(refused(one.seal(&fixture, &id, 0, "E5").await), "NOT_SEALING");
        // Whoever sealed it may be gone: a replica that knows only the database opens it.
        one.lifecycle.drain(Duration::from_secs(1)).await;
        drop(one);
        let two = fixture.replica().await;
        let wait = RESUMPTION.saturating_sub(NOTICE).saturating_sub(used);
        two.pass(&fixture, &id, wait.saturating_sub(Duration::from_micros(1))).await;
        assert!(!two.adjournment(&id).await.announced);
        two.pass(&fixture, &id, Duration::from_micros(1)).await;
        assert!(two.adjournment(&id).await.announced);
        two.pass(&fixture, &id, NOTICE.saturating_sub(Duration::from_micros(1))).await;
        assert_eq!(two.stage(&id).await, Stage::Adjourned);
        two.pass(&fixture, &id, Duration::from_micros(1)).await;
        let game = two.look(&id).await;
        assert_eq!(game.acts.last().map(|act| (act.side(), act.text.as_str())), Some((Side::First, "E5")));
        let state = game.state.expect("a state");
        let clock = state.clock.expect("a clock");
        assert_eq!(clock.running(), Side::Second);
        assert_eq!(clock.running_since_time, Some(api::time::timestamp(fixture.env.now())));
        let log = two.log(&id).await;
        assert_eq!(
            main_times(log.last().expect("an event")),
            main_times(&log[log.len() - 2]),
            "free of charge"
        );
        let [
            Step::SealingBegun(_),
            Step::MoveSealed(sealed),
            Step::ResumptionAnnounced(_),
            Step::MoveOpened(opened),
        ] = &steps(&log)[..]
        else {
            panic!("{:?}", steps(&log))
        };
        let salt = opened.salt.as_slice().try_into().expect("32 bytes");
        assert_eq!(sealing::commitment(&salt, &opened.act).as_slice(), sealed.commitment);
        two.play(&fixture, &id, 1, "C7", 3, &fixture.id()).await.expect("the game goes on");
        assert!(two.progress(&id).await.adjournment.is_none());
    }
}

#[tokio::test]
async fn on_an_occupied_point_it_is_a_pass() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = to_be_sealed(&replica, &fixture, Some(SEALING + Duration::from_secs(30))).await;
        replica.seal(&fixture, &id, 0, "G7").await.expect("it is not judged before it is opened");
        replica.pass(&fixture, &id, Duration::from_secs(30)).await;
        let game = replica.look(&id).await;
        assert_eq!(game.acts.last().map(|act| (act.side(), act.text.as_str())), Some((Side::First, "pass")));
        assert_eq!(game.state.map(|state| state.actors), Some(vec![Side::Second as i32]));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn what_does_not_fit_its_commitment_is_refused() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = to_be_sealed(&replica, &fixture, None).await;
        let other = to_be_sealed(&replica, &fixture, None).await;
        let sealed = replica.sealed(&fixture, &id, "E5").await;
        let send = async |sealed| refused(replica.send_sealed(&fixture, &id, 0, sealed).await);
        let another = replica.sealed(&fixture, &id, "E6").await;
        let mixed = sealing::SealedMove { commitment: another.commitment, ..sealed.clone() };
        assert_eq!(send(mixed).await, "BAD_COMMITMENT");
        assert_eq!(send(replica.sealed(&fixture, &other, "E5").await).await, "BAD_CIPHERTEXT");
        let mut stale = replica.sealing_key().await;
        let earlier = fixture.env.with_rng(|rng| sealing::seal(&stale, &id, 1, "E5", rng)).expect("sealed");
        assert_eq!(send(earlier).await, "BAD_CIPHERTEXT");
        let unknown = sealing::SealedMove { key_id: "0".to_owned(), ..sealed.clone() };
        assert_eq!(send(unknown).await, "UNKNOWN_KEY");
        stale.public_key = sealing::SecretKey::from_bytes([1; 32]).public("").public_key;
        let wrong = fixture.env.with_rng(|rng| sealing::seal(&stale, &id, 2, "E5", rng)).expect("sealed");
        assert_eq!(send(wrong).await, "BAD_CIPHERTEXT");
        let long = sealing::SealedMove { ciphertext: vec![0; 5000], ..sealed.clone() };
        assert_eq!(send(long).await, "BAD_CIPHERTEXT");
        let empty = sealing::SealedMove { ciphertext: Vec::new(), ..sealed.clone() };
        assert_eq!(send(empty).await, "BAD_CIPHERTEXT");
        let mut short = seal_request(&fixture, &id, sealed.clone());
        short.commitment.pop();
        assert_eq!(refused(replica.caller(&fixture.players[0]).seal_move(short).await), "BAD_COMMITMENT");
        assert_eq!(replica.stage(&id).await, Stage::Sealing, "nothing has changed");
        replica.send_sealed(&fixture, &id, 0, sealed).await.expect("this one fits");
    }
}

#[tokio::test]
async fn players_agree_on_the_adjournment_and_its_end() {
    for fixture in Fixture::all_with_clocks().await {
        let (one, two) = (fixture.replica().await, fixture.replica().await);
        let id = new_game(&one, &fixture, None).await;
        one.play_all(&fixture, &id, &["C3"]).await;
        assert_eq!(
            refused(one.propose(&fixture, &id, 0, resume_at(&fixture, NOTICE)).await),
            "NOT_ADJOURNED"
        );
        assert_eq!(refused(one.propose(&fixture, &id, 0, Proposal::Pause(Pause {})).await), "OFFICIALS_ONLY");
        one.propose(&fixture, &id, 0, Proposal::Adjourn(Adjourn {})).await.expect("proposed");
        two.propose(&fixture, &id, 1, Proposal::Adjourn(Adjourn {})).await.expect("agreed");
        assert_eq!(two.stage(&id).await, Stage::Sealing);
        assert_eq!(two.adjournment(&id).await.sealer(), Side::Second);
        two.seal(&fixture, &id, 1, "G7").await.expect("sealed");
        // The regulated time for sealing is past, and nobody has said when it goes on.
        two.pass(&fixture, &id, 2 * SEALING).await;
        let adjournment = two.adjournment(&id).await;
        assert!(adjournment.resumption_time.is_none() && adjournment.sealing_time.is_none());
        let year = Duration::from_hours(367 * 24);
        assert_eq!(refused(one.propose(&fixture, &id, 0, resume_at(&fixture, year)).await), "BAD_RESUMPTION");
        let wanted =
            [resume_at(&fixture, Duration::from_mins(30)), resume_at(&fixture, Duration::from_secs(5))];
        one.propose(&fixture, &id, 0, wanted[0]).await.expect("proposed");
        one.propose(&fixture, &id, 1, wanted[1]).await.expect("another time is no agreement");
        assert!(one.adjournment(&id).await.resumption_time.is_none());
        two.propose(&fixture, &id, 0, wanted[1]).await.expect("agreed");
        let adjournment = two.adjournment(&id).await;
        assert!(adjournment.announced, "it is near, and so announced at once");
        assert_eq!(two.progress(&id).await.proposals, []);
        two.pass(&fixture, &id, Duration::from_secs(5)).await;
        assert_eq!(two.look(&id).await.acts.last().map(|act| act.text.clone()).as_deref(), Some("G7"));
        two.log(&id).await;
        // Where it is not regulated, it is not done.
        let other = one.new_game(&fixture).await;
        let adjourn = one.propose(&fixture, &other, 0, Proposal::Adjourn(Adjourn {})).await;
        assert_eq!(refused(adjourn), "NOT_ADJOURNABLE");
        assert_eq!(refused(one.seal(&fixture, &other, 0, "E5").await), "NOT_SEALING");
    }
}

#[tokio::test]
async fn a_later_agreement_is_announced_anew() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = to_be_sealed(&replica, &fixture, Some(SEALING + NOTICE)).await;
        replica.seal(&fixture, &id, 0, "E5").await.expect("sealed");
        assert!(replica.adjournment(&id).await.announced);
        let later = resume_at(&fixture, Duration::from_hours(1));
        for who in [0, 1] {
            replica.propose(&fixture, &id, who, later).await.expect("wished");
        }
        let adjournment = replica.adjournment(&id).await;
        assert!(!adjournment.announced);
        replica.pass(&fixture, &id, NOTICE).await;
        assert_eq!(replica.stage(&id).await, Stage::Adjourned, "the first time does not count any more");
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn while_a_move_is_sealed_the_game_can_end() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let resign = async |id: &str, who: usize| {
            let request = ResignRequest { game_id: id.to_owned(), request_id: fixture.id() };
            replica.caller(&fixture.players[who]).resign(request).await.expect("resigned");
            let state = replica.look(id).await.state.expect("a state");
            assert_eq!(state.outcome.map(|outcome| outcome.reason()), Some(Reason::Resignation));
            assert!(state.progress.expect("progress").adjournment.is_none());
            replica.log(id).await;
        };
        let id = to_be_sealed(&replica, &fixture, None).await;
        resign(&id, 1).await;
        let id = to_be_sealed(&replica, &fixture, Some(RESUMPTION)).await;
        replica.seal(&fixture, &id, 0, "E5").await.expect("sealed");
        resign(&id, 1).await;
        let id = to_be_sealed(&replica, &fixture, None).await;
        replica.pass(&fixture, &id, Duration::from_mins(10)).await;
        assert_eq!(refused(replica.seal(&fixture, &id, 0, "E5").await), "GAME_OVER", "his flag has fallen");
        let outcome = replica.look(&id).await.state.and_then(|state| state.outcome).expect("an outcome");
        assert_eq!((outcome.reason(), outcome.short.as_str()), (Reason::Time, "W+T"));
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn an_outage_in_the_time_of_the_notice_puts_the_resumption_off() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = to_be_sealed(&replica, &fixture, Some(SEALING + NOTICE + Duration::from_secs(18))).await;
        replica.seal(&fixture, &id, 0, "E5").await.expect("sealed");
        let planned = replica.adjournment(&id).await.resumption_time;
        fixture.go_down_for(Duration::from_secs(9));
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.adjournment(&id).await.resumption_time, planned, "there was time enough");
        fixture.go_down_for(Duration::from_hours(1));
        replica.touch(&fixture, &id).await;
        let adjournment = replica.adjournment(&id).await;
        let at = adjournment.resumption_time.as_ref().and_then(api::time::moment);
        assert_eq!(at, Some(fixture.later(NOTICE)), "the whole notice is still to come");
        let log = replica.log(&id).await;
        let credits = |entry: &&api::clock::v1::ClockEntry| {
            matches!(entry.event, Some(clock_entry::Event::Credit(CreditOutage { .. })))
        };
        assert_eq!(log.iter().flat_map(|event| &event.clock_entries).filter(credits).count(), 2);
        assert!(!matches!(log.last().and_then(|event| event.event.clone()), Some(Event::Ended(_))));
    }
}

#[tokio::test]
async fn a_move_is_sealed_only_when_one_side_has_the_turn() {
    for fixture in Fixture::all_with_clocks().await {
        let replica = fixture.replica().await;
        let id = new_game(&replica, &fixture, None).await;
        replica.play_all(&fixture, &id, &["C3", "pass", "pass"]).await;
        replica.pass(&fixture, &id, SEALING).await;
        assert_eq!(replica.stage(&id).await, Stage::Playing, "they agree on what is dead");
        replica.play_all(&fixture, &id, &["dead -", "reject"]).await;
        replica.touch(&fixture, &id).await;
        assert_eq!(replica.stage(&id).await, Stage::Sealing);
        replica.log(&id).await;
    }
}

#[tokio::test]
async fn moves_are_sealed_to_a_new_key_every_month_and_the_old_ones_are_opened_with_theirs() {
    for fixture in Fixture::all_with_clocks().await {
        let one = fixture.replica().await;
        let id = to_be_sealed(&one, &fixture, Some(RESUMPTION)).await;
        let old = one.sealed(&fixture, &id, "E5").await;
        fixture.time.advance(Duration::from_hours(24 * 29));
        assert_eq!(one.sealing_key().await.id, old.key_id);
        fixture.time.advance(Duration::from_hours(25));
        // Two replicas at once make one key.
        let two = fixture.replica().await;
        let (new, same) = futures::join!(one.sealing_key(), two.sealing_key());
        assert_eq!(new, same);
        assert_ne!(new.id, old.key_id);
        one.send_sealed(&fixture, &id, 0, old).await.expect("the key in which it is sealed is known");
    }
}
