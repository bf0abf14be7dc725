//! Events of a federation that are final, and the rating lists that count them.

use api::federation::v1 as pb;
use tonic::Status;

use crate::{
    fixture::{Fixture, Founded, Person, name},
    held::{Held, begin, change, check, run, settings},
};

/// A federation with members who play over the board, and a policy.
pub(crate) struct Rated {
    pub federation: Founded,
    pub members: Vec<String>,
    pub policy: pb::RatingPolicy,
}

/// How the lists of a federation are made: Elo, everybody begins at 1500.
pub(crate) fn policy(federation: &str) -> pb::RatingPolicy {
    let start = pb::StartRating { by_grade: Vec::new(), otherwise: 1500 };
    let elo = pb::EloSystem {
        k: 20,
        difference_max: Some(400),
        first: Some(pb::FirstRating { first: Some(pb::first_rating::First::Start(start)) }),
        provisional_below_games: 3,
        ..Default::default()
    };
    pb::RatingPolicy {
        federation_id: federation.to_owned(),
        name: "Go".to_owned(),
        counted: Some(pb::CountedGames { variant: "go".to_owned(), ..Default::default() }),
        system: Some(pb::RatingSystem { system: Some(pb::rating_system::System::Elo(elo)) }),
        listed_from_games: 1,
        ..Default::default()
    }
}

impl Rated {
    pub(crate) async fn new(fixture: &Fixture, count: usize) -> Rated {
        let federation = fixture.federation().await;
        let mut members = Vec::new();
        for number in 1..=count {
            let member = federation.founder.member(&federation.id, &format!("Player {number}")).await;
            members.push(member.member_id);
        }
        let asked = policy(&federation.id);
        let policy = federation.founder.create_policy(asked, false).await.expect("a policy");
        Rated { federation, members, policy }
    }

    /// A final event of one round, in which the first of each pair has won.
    pub(crate) async fn event(&self, fixture: &Fixture) -> Held {
        let mut settings = settings(1);
        settings.game.as_mut().expect("a game").rated = true;
        self.event_of(fixture, settings).await
    }

    /// The same of other settings.
    pub(crate) async fn event_of(&self, fixture: &Fixture, settings: pb::EventSettings) -> Held {
        let Founded { id, founder } = &self.federation;
        let create = pb::CreateEventRequest {
            event_id: founder.request(),
            federation_id: id.clone(),
            name: name("阿坝公开赛", "Aba Open"),
            settings: Some(settings),
            validate_only: false,
        };
        let federation = Founded { id: id.clone(), founder: founder.clone() };
        let held = Held { id: create.event_id.clone(), federation, chief: fixture.person("chief") };
        founder.events.clone().create_event(create).await.expect("created");
        let (account_id, role) = (held.chief.id(), pb::EventRole::ChiefArbiter.into());
        change!(held, founder, appoint_official, AppointOfficialRequest { account_id, role })
            .expect("appointed");
        check(&held, &[pb::CheckItem::SupplementPresented]).await;
        change!(held, founder, adopt_event, AdoptEventRequest {}).expect("adopted");
        let stage = pb::EventStage::Registration.into();
        change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("registration");
        for member in &self.members {
            let member_id = member.clone();
            change!(held, held.chief, enter_event, EnterEventRequest { member_id, supplement_version: 1 })
                .expect("entered");
        }
        run(&held).await;
        begin(&held, 1).await;
        for table in 1..=u32::try_from(self.members.len() / 2).expect("small") {
            let result = Some(decided(pb::ResultCode::Win, pb::ResultCode::Loss));
            change!(held, held.chief, enter_result, EnterResultRequest { round: 1, table, result })
                .expect("decided");
        }
        end(&held).await;
        held
    }

    /// Takes an event out of what counts.
    pub(crate) async fn exclude(&self, held: &Held) -> pb::RatingPolicy {
        let mut policy = self.policy.clone();
        let counted = policy.counted.as_mut().expect("present");
        let reason = "it was a training".to_owned();
        counted.excluded = vec![pb::ExcludedEvent { event_id: held.id.clone(), reason }];
        self.federation.founder.update_policy(policy).await.expect("the next version")
    }
}

/// What an official decides of a board.
fn decided(first: pb::ResultCode, second: pb::ResultCode) -> pb::BoardResult {
    pb::BoardResult {
        first: first.into(),
        second: second.into(),
        reason: pb::ResultReason::Arbiter.into(),
        source: Some(pb::board_result::Source::Decision(pb::board_result::Decision {})),
        ..Default::default()
    }
}

/// Takes an event whose rounds are played to its end.
async fn end(held: &Held) {
    let stage = pb::EventStage::Closing.into();
    change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("closing");
    check(held, &[pb::CheckItem::ResultsChecked, pb::CheckItem::PlacesAnnounced]).await;
    let text = "all went well".to_owned();
    change!(held, held.chief, file_report, FileReportRequest { text }).expect("filed");
    let stage = pb::EventStage::Final.into();
    change!(held, held.chief, advance_event, AdvanceEventRequest { stage }).expect("final");
}

/// The committee annuls the first board.
pub(crate) async fn annul(held: &Held) {
    let result = Some(decided(pb::ResultCode::Annulled, pb::ResultCode::Annulled));
    let results = vec![pb::AmendedResult { round: 1, table: 1, result }];
    let why = "it was arranged".to_owned();
    change!(held, held.federation.founder, amend_event, AmendEventRequest { results, reason: why })
        .expect("amended");
}

impl Person {
    pub(crate) async fn create_policy(
        &self,
        policy: pb::RatingPolicy,
        validate_only: bool,
    ) -> Result<pb::RatingPolicy, Status> {
        let request =
            pb::CreateRatingPolicyRequest { policy: Some(policy), request_id: self.request(), validate_only };
        let answer = self.ratings().create_rating_policy(request).await?;
        Ok(answer.into_inner().policy.expect("present"))
    }

    pub(crate) async fn update_policy(&self, policy: pb::RatingPolicy) -> Result<pb::RatingPolicy, Status> {
        let request = pb::UpdateRatingPolicyRequest {
            policy: Some(policy),
            request_id: self.request(),
            validate_only: false,
        };
        let answer = self.ratings().update_rating_policy(request).await?;
        Ok(answer.into_inner().policy.expect("present"))
    }

    /// What publishes the next list of a day.
    pub(crate) fn publishing(&self, policy: &str, date: &str) -> pb::PublishRatingListRequest {
        pb::PublishRatingListRequest {
            policy_id: policy.to_owned(),
            date: date.to_owned(),
            request_id: self.request(),
            validate_only: false,
        }
    }

    pub(crate) async fn publish_list(&self, policy: &str, date: &str) -> Result<pb::RatingList, Status> {
        let answer = self.ratings().publish_rating_list(self.publishing(policy, date)).await?;
        Ok(answer.into_inner().list.expect("present"))
    }

    pub(crate) async fn preview(
        &self,
        policy: &str,
        date: &str,
    ) -> Result<pb::PublishRatingListResponse, Status> {
        let request = pb::PublishRatingListRequest { validate_only: true, ..self.publishing(policy, date) };
        self.ratings().publish_rating_list(request).await.map(tonic::Response::into_inner)
    }

    pub(crate) async fn rating_list(&self, policy: &str, number: u32) -> Result<pb::RatingList, Status> {
        let request = pb::GetRatingListRequest { policy_id: policy.to_owned(), number };
        let answer = self.ratings().get_rating_list(request).await?;
        Ok(answer.into_inner().list.expect("present"))
    }

    pub(crate) async fn entries(&self, request: pb::ListRatingEntriesRequest) -> Vec<pb::RatingListEntry> {
        let answer = self.ratings().list_rating_entries(request).await.expect("a list");
        answer.into_inner().entries
    }

    /// What a list says of everybody, in the order of places.
    pub(crate) async fn ranked(&self, policy: &str, number: u32) -> Vec<pb::RatingListEntry> {
        let policy_id = policy.to_owned();
        self.entries(pb::ListRatingEntriesRequest { policy_id, number, ..Default::default() }).await
    }

    pub(crate) async fn verified(&self, policy: &str, number: u32) -> pb::VerifyRatingListResponse {
        let request = pb::VerifyRatingListRequest { policy_id: policy.to_owned(), number };
        self.ratings().verify_rating_list(request).await.expect("verified").into_inner()
    }

    pub(crate) async fn import_ratings(
        &self,
        policy: &str,
        csv: &str,
        validate_only: bool,
    ) -> Result<pb::ImportRatingsResponse, Status> {
        let request = pb::ImportRatingsRequest {
            policy_id: policy.to_owned(),
            csv: csv.as_bytes().to_vec(),
            vouched_by: "the old list".to_owned(),
            request_id: self.request(),
            validate_only,
        };
        self.ratings().import_ratings(request).await.map(tonic::Response::into_inner)
    }

    /// Canonical bytes of a list, of its input or of itself.
    pub(crate) async fn bytes(&self, policy: &str, number: u32, of_list: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let request = pb::ReadRatingListBytesRequest {
                policy_id: policy.to_owned(),
                number,
                step: 0,
                of_list,
                offset: bytes.len() as u64,
            };
            let answer = self.ratings().read_rating_list_bytes(request).await.expect("bytes");
            let pb::ReadRatingListBytesResponse { part, total } = answer.into_inner();
            bytes.extend(part);
            if bytes.len() as u64 >= total {
                return bytes;
            }
        }
    }
}
