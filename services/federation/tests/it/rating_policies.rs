//! Policies of rating lists, and ratings that are imported for them.

use api::federation::v1 as pb;
use tonic_types::StatusExt as _;

use crate::{
    fixture::{fixtures, reason},
    held::settings,
    rated::{Rated, policy},
};

#[tokio::test]
async fn every_version_of_a_policy_stays_readable() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 0).await;
        let founder = &rated.federation.founder;
        let first = &rated.policy;
        assert_eq!((first.version, first.system.is_some()), (1, true), "{}", fixture.kind);
        let mut changed = pb::RatingPolicy { listed_from_games: 7, ..first.clone() };
        let second = founder.update_policy(changed.clone()).await.expect("the next version");
        assert_eq!((second.version, second.listed_from_games), (2, 7));
        assert_eq!(reason(founder.update_policy(changed.clone()).await), "REVISION_PASSED");
        changed.version = 0;
        changed.counted.as_mut().expect("present").variant = "jiu".to_owned();
        assert_eq!(reason(founder.update_policy(changed).await), "BAD_RATING_POLICY");
        let get = async |version| {
            let request = pb::GetRatingPolicyRequest { policy_id: first.policy_id.clone(), version };
            fixture.person("anybody").ratings().get_rating_policy(request).await
        };
        let found = get(1).await.expect("readable").into_inner().policy.expect("present");
        assert_eq!(&found, first);
        let found = get(0).await.expect("readable").into_inner().policy.expect("present");
        assert_eq!(found, second);
        assert_eq!(reason(get(3).await), "UNKNOWN_RATING_POLICY");
        let twice = policy(&rated.federation.id);
        assert_eq!(reason(founder.create_policy(twice, false).await), "ORGANISATION_NAME_TAKEN");
    }
}

#[tokio::test]
async fn who_may_not_changes_nothing() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 2).await;
        let (federation, policy) = (&rated.federation, &rated.policy.policy_id);
        let (arbiter, committee) = (fixture.person("arbiter"), fixture.person("committee"));
        for (person, role) in
            [(&arbiter, pb::OfficialRole::ChiefArbiter), (&committee, pb::OfficialRole::Committee)]
        {
            federation.founder.appoint(&federation.id, &person.id(), role).await.expect("appointed");
        }
        for person in [&arbiter, &fixture.person("stranger")] {
            assert_eq!(reason(person.update_policy(rated.policy.clone()).await), "NOT_AN_OFFICIAL");
            assert_eq!(reason(person.publish_list(policy, "").await), "NOT_AN_OFFICIAL", "{}", fixture.kind);
            assert_eq!(reason(person.preview(policy, "").await), "NOT_AN_OFFICIAL");
            let csv = "id,rating,games,date\n";
            assert_eq!(reason(person.import_ratings(policy, csv, true).await), "NOT_AN_OFFICIAL");
        }
        assert_eq!(reason(arbiter.rating_list(policy, 0).await), "UNKNOWN_RATING_LIST");
        committee.publish_list(policy, "").await.expect("the committee may");
        assert_eq!(reason(arbiter.rating_list(policy, 2).await), "UNKNOWN_RATING_LIST");
    }
}

#[tokio::test]
async fn bad_policies_are_refused_with_the_field_at_fault() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 0).await;
        let founder = &rated.federation.founder;
        let good = pb::RatingPolicy { name: "Another".to_owned(), ..policy(&rated.federation.id) };
        let counted = |change: &dyn Fn(&mut pb::CountedGames)| {
            let mut bad = good.clone();
            change(bad.counted.as_mut().expect("present"));
            bad
        };
        let elo = |change: &dyn Fn(&mut pb::EloSystem)| {
            let mut bad = good.clone();
            let system = bad.system.as_mut().and_then(|it| it.system.as_mut());
            let Some(pb::rating_system::System::Elo(elo)) = system else { panic!("Elo") };
            change(elo);
            bad
        };
        let excluded = pb::ExcludedEvent { event_id: founder.request(), reason: String::new() };
        let bad = [
            (counted(&|it| it.variant = "chess".to_owned()), "policy.counted.variant", "BAD_RATING_POLICY"),
            (counted(&|it| it.from_date = "1.1.2026".to_owned()), "policy.counted.from_date", "BAD_DATE"),
            (counted(&|it| it.formats = vec![0]), "policy.counted.formats", "UNKNOWN_VALUE"),
            (counted(&|it| it.place = 9), "policy.counted.place", "UNKNOWN_VALUE"),
            (counted(&|it| it.rounds_min = 101), "policy.counted.rounds_min", "BAD_RATING_POLICY"),
            (
                counted(&|it| it.excluded = vec![excluded.clone()]),
                "policy.counted.excluded.reason",
                "BAD_RATING_POLICY",
            ),
            (elo(&|it| it.k = 201), "policy.system.elo.k", "BAD_RATING_POLICY"),
            (elo(&|it| it.k = 70_000), "policy.system.elo.k", "BAD_RATING_POLICY"),
            (elo(&|it| it.floor = Some(20_000)), "policy.system.elo.floor", "BAD_RATING_POLICY"),
            (pb::RatingPolicy { name: String::new(), ..good.clone() }, "policy.name", "BAD_RATING_POLICY"),
            (
                pb::RatingPolicy { listed_from_games: 1001, ..good.clone() },
                "policy.listed_from_games",
                "BAD_RATING_POLICY",
            ),
        ];
        for (policy, field, why) in bad {
            let refused = founder.create_policy(policy, true).await.expect_err(field);
            assert_eq!(api::error::reason(&refused), why, "{}: {field}", fixture.kind);
            let fields = refused.get_details_bad_request().expect("fields").field_violations;
            assert_eq!(fields[0].field, field);
        }
        founder.create_policy(good, true).await.expect("and without that it is good");
    }
}

#[tokio::test]
async fn imported_ratings_are_where_players_begin_and_are_taken_once() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 4).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        let m = &rated.members;
        let file =
            format!("id,rating,games,date\n{},1613.25,40,2026-01-31\n{},1500,2,2026-01-31\n", m[0], m[1]);
        let counts = |answer: &pb::ImportRatingsResponse| (answer.created, answer.changed, answer.unchanged);
        let checked = founder.import_ratings(policy, &file, true).await.expect("checked");
        assert_eq!(counts(&checked), (2, 0, 0), "{}", fixture.kind);
        let taken = founder.import_ratings(policy, &file, false).await.expect("taken");
        assert_eq!(counts(&taken), (2, 0, 0), "what was checked was not written");
        assert_eq!(counts(&founder.import_ratings(policy, &file, false).await.expect("again")), (0, 0, 2));
        let other = file.replace("1500,2", "1700,2");
        assert_eq!(counts(&founder.import_ratings(policy, &other, false).await.expect("other")), (0, 1, 1));
        founder.publish_list(policy, "").await.expect("published");
        let ranked: Vec<(String, i32, u32)> = founder
            .ranked(policy, 1)
            .await
            .into_iter()
            .map(|it| (it.member_id, it.rating, it.games))
            .collect();
        assert_eq!(ranked, [(m[1].clone(), 170_000, 2), (m[0].clone(), 161_325, 40)]);
        // What a list knows is not taken again, whether it says the same or something else.
        assert_eq!(counts(&founder.import_ratings(policy, &other, false).await.expect("again")), (0, 0, 2));
        let refused = founder.import_ratings(policy, &file, true).await.expect("problems");
        let problem = &refused.problems[0];
        assert_eq!(
            (problem.line, problem.column.as_str(), problem.reason.as_str()),
            (3, "id", "RATING_KNOWN")
        );
        assert_eq!(reason(founder.import_ratings(policy, &file, false).await), "BAD_IMPORT");
        let bad = format!(
            "id,rating,games,date\n{},x,1,2026-01-31\n{},1500,1,2026-01-31\n",
            m[2],
            founder.request()
        );
        let refused = founder.import_ratings(policy, &bad, true).await.expect("problems");
        let found: Vec<(u32, &str, &str)> =
            refused.problems.iter().map(|it| (it.line, it.column.as_str(), it.reason.as_str())).collect();
        assert_eq!(found, [(2, "rating", "BAD_LINE"), (3, "id", "UNKNOWN_MEMBER")]);
        let list = pb::ListImportedRatingsRequest { policy_id: policy.clone(), ..Default::default() };
        let listed = founder.ratings().list_imported_ratings(list).await.expect("listed").into_inner();
        assert!(listed.ratings.iter().all(|it| it.number == 1 && it.vouched_by == "the old list"));
        assert_eq!(listed.ratings.len(), 2);
    }
}

#[tokio::test]
async fn only_what_the_policy_says_counts() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 2).await;
        let founder = &rated.federation.founder;
        let mut unrated = settings(1);
        unrated.game.as_mut().expect("a game").rated = false;
        rated.event_of(&fixture, unrated).await;
        rated.event(&fixture).await;
        let counted = |change: &dyn Fn(&mut pb::CountedGames)| {
            let mut policy = pb::RatingPolicy { name: founder.request(), ..policy(&rated.federation.id) };
            change(policy.counted.as_mut().expect("present"));
            policy
        };
        let (swiss, ladder) = (pb::EventFormatKind::Swiss.into(), pb::EventFormatKind::Ladder.into());
        for (policy, games) in [
            (counted(&|_| {}), 1),
            (counted(&|it| it.unrated_events = true), 2),
            (counted(&|it| it.rounds_min = 2), 0),
            (counted(&|it| it.formats = vec![swiss]), 1),
            (counted(&|it| it.formats = vec![ladder]), 0),
            (counted(&|it| it.place = pb::GamePlace::OverTheBoard.into()), 1),
            (counted(&|it| it.place = pb::GamePlace::Online.into()), 0),
            (counted(&|it| it.speed_classes = vec![api::clock::v1::SpeedClass::Classical.into()]), 1),
            (counted(&|it| it.speed_classes = vec![api::clock::v1::SpeedClass::Blitz.into()]), 0),
            (counted(&|it| it.from_date = "2020-01-01".to_owned()), 1),
            (counted(&|it| it.from_date = "2040-01-01".to_owned()), 0),
            (counted(&|it| it.variant = "jiu".to_owned()), 0),
        ] {
            let says = policy.counted.clone();
            let policy = founder.create_policy(policy, false).await.expect("a policy");
            let list =
                founder.preview(&policy.policy_id, "").await.expect("a preview").list.expect("present");
            assert_eq!(list.game_count, games, "{}: {says:?}", fixture.kind);
        }
    }
}
