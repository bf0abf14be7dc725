//! Rating lists through their API, from events to what is recomputed.

use api::federation::v1 as pb;
use sea_orm::ConnectionTrait as _;
use strength::bytes;

use crate::{
    fixture::{fixtures, fixtures_of, reason},
    rated::{Rated, annul},
};

#[tokio::test]
async fn a_list_counts_what_is_final_and_stays_as_it_is() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 4).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        rated.event(&fixture).await;
        let shown = founder.preview(policy, "2027-01-15").await.expect("a preview");
        let preview = shown.preview.expect("present");
        assert_eq!((preview.newcomer_count, preview.mover_count, preview.events.len()), (4, 0, 1));
        assert_eq!(reason(founder.rating_list(policy, 0).await), "UNKNOWN_RATING_LIST", "{}", fixture.kind);
        let first = founder.publish_list(policy, "2027-01-15").await.expect("published");
        assert_eq!(shown.list.expect("present").list_digest, first.list_digest, "as it was shown");
        let told =
            (first.number, first.listed_count, first.game_count, first.event_count, first.recomputed_from);
        assert_eq!(told, (1, 4, 2, 1, 1));
        let ranked = founder.ranked(policy, 0).await;
        let places: Vec<(u32, i32)> = ranked.iter().map(|it| (it.place, it.rating)).collect();
        assert_eq!(places, [(1, 151_000), (1, 151_000), (3, 149_000), (3, 149_000)]);
        assert!(ranked.iter().all(|it| it.provisional && it.games == 1 && it.name.is_some()));
        // The next list counts the next event, and the first stays as it was.
        rated.event(&fixture).await;
        let before = (founder.bytes(policy, 1, false).await, founder.bytes(policy, 1, true).await);
        let second = founder.publish_list(policy, "2027-02-01").await.expect("published");
        assert_eq!((second.number, second.game_count, second.recomputed_from), (2, 2, 2));
        assert_eq!(founder.rating_list(policy, 1).await.expect("there"), first);
        assert_eq!((founder.bytes(policy, 1, false).await, founder.bytes(policy, 1, true).await), before);
        // What is read by hand leads to the same list.
        let list = bytes::to_list(&before.1).expect("a list");
        let input = bytes::to_input(&founder.bytes(policy, 2, false).await).expect("an input");
        let computed = strength::compute(&input, Some(&list)).expect("a list");
        assert_eq!(bytes::digest_of_list(&computed).to_vec(), second.list_digest);
        let listed =
            pb::ListRatingListsRequest { policy_id: policy.clone(), page_size: 1, ..Default::default() };
        let page = founder.ratings().list_rating_lists(listed.clone()).await.expect("a page").into_inner();
        assert_eq!(page.lists, [second]);
        let listed = pb::ListRatingListsRequest { page_token: page.next_page_token, ..listed };
        let page = founder.ratings().list_rating_lists(listed).await.expect("a page").into_inner();
        assert_eq!((page.lists, page.next_page_token.as_str()), (vec![first], ""));
        let of_member = pb::ListRatingEntriesRequest {
            policy_id: policy.clone(),
            member_id: rated.members[0].clone(),
            ..Default::default()
        };
        let history: Vec<(u32, String, u32)> =
            founder.entries(of_member).await.into_iter().map(|it| (it.number, it.date, it.games)).collect();
        assert_eq!(history, [(2, "2027-02-01".to_owned(), 2), (1, "2027-01-15".to_owned(), 1)]);
    }
}

#[tokio::test]
async fn a_list_is_a_paper_on_which_who_is_forgotten_has_no_name() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 4).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        let of_list = |list_number| pb::RenderDocumentRequest {
            kind: pb::DocumentKind::RatingList.into(),
            policy_id: policy.clone(),
            list_number,
            ..Default::default()
        };
        let anybody = fixture.person("anybody");
        let page = async |list_number| {
            let answer = anybody.documents().render_document(of_list(list_number)).await?.into_inner();
            Ok::<_, tonic::Status>(String::from_utf8(answer.html).expect("a page is UTF-8"))
        };
        assert_eq!(reason(page(0).await), "UNKNOWN_RATING_LIST");
        rated.event(&fixture).await;
        founder.publish_list(policy, "2027-01-15").await.expect("published");
        rated.event(&fixture).await;
        founder.publish_list(policy, "2027-02-01").await.expect("published");
        // In the first nobody has a change, in the second everybody has one.
        let (first, second) = (page(1).await.expect("a paper"), page(0).await.expect("a paper"));
        assert!(first.contains("2027-01-15") && second.contains("2027-02-01"), "{}", fixture.kind);
        assert!(first.contains(">1510<") && first.contains(">1490<") && !first.contains(">+"), "{first}");
        assert_eq!(second.matches(">+").count() + second.matches(">-").count(), 4, "{second}");
        assert_eq!(reason(page(3).await), "UNKNOWN_RATING_LIST");
        // It hangs on the board of its federation, and of no other.
        let posting = pb::CreateDocumentRequest {
            federation_id: rated.federation.id.clone(),
            kind: pb::DocumentKind::RatingList.into(),
            policy_id: policy.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        let posted = founder.documents().create_document(posting.clone()).await.expect("posted");
        let posted = posted.into_inner().document.expect("present");
        assert_eq!((&posted.policy_id, posted.list_number), (policy, 2));
        let other = fixture.federation().await;
        let there = pb::CreateDocumentRequest {
            federation_id: other.id.clone(),
            request_id: other.founder.request(),
            ..posting
        };
        assert_eq!(reason(other.founder.documents().create_document(there).await), "UNKNOWN_RATING_POLICY");
        // Whoever is forgotten is so on what hangs and on what is made anew.
        let name = founder.ranked(policy, 0).await[0].name.clone().expect("he has one").native;
        let hanging = async || {
            let asked = pb::GetDocumentRequest { document_id: posted.document_id.clone() };
            let answer = anybody.documents().get_document(asked).await.expect("it hangs").into_inner();
            String::from_utf8(answer.html).expect("a page is UTF-8")
        };
        assert!(hanging().await.contains(&name) && second.contains(&name));
        let member_id = founder.ranked(policy, 0).await[0].member_id.clone();
        let erase = pb::EraseMemberRequest { member_id, request_id: founder.request(), ..Default::default() };
        founder.federations.clone().erase_member(erase).await.expect("erased");
        assert!(!hanging().await.contains(&name), "{}", fixture.kind);
        assert!(!page(0).await.expect("a paper").contains(&name), "{}", fixture.kind);
    }
}

#[tokio::test]
async fn an_annulled_game_changes_the_next_list_and_not_the_published_one() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 4).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        let event = rated.event(&fixture).await;
        let first = founder.publish_list(policy, "2027-01-15").await.expect("published");
        let ranked = founder.ranked(policy, 1).await;
        annul(&event).await;
        let preview = founder.preview(policy, "2027-01-16").await.expect("shown").preview.expect("present");
        let changed: Vec<(u32, u32)> =
            preview.events.iter().map(|it| (it.game_count, it.counted_in)).collect();
        assert_eq!(changed, [(1, 1)], "{}: of the two games one is left", fixture.kind);
        let second = founder.publish_list(policy, "2027-01-16").await.expect("published");
        assert_eq!((second.recomputed_from, second.game_count, second.listed_count), (1, 0, 2));
        assert_eq!(founder.rating_list(policy, 1).await.expect("there"), first);
        assert_eq!(founder.ranked(policy, 1).await, ranked);
        for number in [1, 2] {
            let verified = founder.verified(policy, number).await;
            assert!(verified.equal, "{number}: {verified:?}");
            assert_eq!(verified.steps.len(), number as usize, "the second made the first step anew");
        }
        // Nothing more has changed: the third list makes nothing anew, and follows from what the second knew.
        let third = founder.publish_list(policy, "2027-01-17").await.expect("published");
        assert_eq!((third.recomputed_from, third.listed_count), (3, 2));
        assert!(founder.verified(policy, 3).await.equal);
        // What the policy excludes is taken back, and comes back with the next version.
        rated.exclude(&event).await;
        let fourth = founder.publish_list(policy, "2027-01-18").await.expect("published");
        assert_eq!((fourth.recomputed_from, fourth.listed_count), (1, 0));
        let back = pb::RatingPolicy { version: 0, ..rated.policy.clone() };
        founder.update_policy(back).await.expect("the next version");
        let fifth = founder.publish_list(policy, "2027-01-19").await.expect("published");
        assert_eq!((fifth.recomputed_from, fifth.listed_count), (1, 2));
        assert!(founder.verified(policy, 5).await.equal);
    }
}

#[tokio::test]
async fn a_list_is_published_once_also_by_two_at_once_and_after_a_restart() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 2).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        rated.event(&fixture).await;
        let (mut here, mut there) = (founder.ratings(), fixture.replica(founder).await);
        let [one, other] =
            [founder.publishing(policy, "2027-01-15"), founder.publishing(policy, "2027-01-15")];
        let (one, other) =
            tokio::join!(here.publish_rating_list(one.clone()), there.publish_rating_list(other));
        let refused = match (one, other) {
            (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
            both => panic!("{}: one of two: {both:?}", fixture.kind),
        };
        assert_eq!(api::error::reason(&refused), "RATING_LIST_EXISTS");
        let published = founder.rating_list(policy, 0).await.expect("the one of them");
        let entries = founder.ranked(policy, 1).await;
        for date in ["2027-01-15", "2027-01-14"] {
            assert_eq!(reason(founder.publish_list(policy, date).await), "RATING_LIST_EXISTS", "{date}");
        }
        assert_eq!(founder.rating_list(policy, 0).await.expect("still"), published);
        assert_eq!((published.number, founder.ranked(policy, 1).await), (1, entries), "nothing is written");
        assert_eq!(reason(founder.publish_list(policy, "2030-01-01").await), "BAD_DATE");
        // The same request is answered, wherever it comes again, and for something else it is refused.
        let request = founder.publishing(policy, "2027-01-16");
        let first = here.publish_rating_list(request.clone()).await.expect("published").into_inner();
        let again = there.publish_rating_list(request.clone()).await.expect("told").into_inner();
        assert_eq!(first, again);
        let request = pb::PublishRatingListRequest { date: "2027-01-17".to_owned(), ..request };
        assert_eq!(reason(here.publish_rating_list(request).await), "REQUEST_ID_REUSED");
        let mut restarted = fixture.replica(founder).await;
        let next = restarted.publish_rating_list(founder.publishing(policy, "2027-01-18")).await;
        let next = next.expect("published").into_inner().list.expect("present");
        assert_eq!((next.number, next.game_count, next.listed_count), (3, 0, 2));
        assert!(founder.verified(policy, 3).await.equal);
    }
}

#[tokio::test]
async fn a_list_that_was_spoilt_is_found_out() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 2).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        rated.event(&fixture).await;
        founder.publish_list(policy, "2027-01-15").await.expect("published");
        assert!(founder.verified(policy, 1).await.equal);
        let zeros = "0".repeat(64);
        let spoil = if fixture.kind.starts_with("sqlite") {
            format!("UPDATE rating_steps SET list_digest = x'{zeros}'")
        } else {
            format!("UPDATE rating_steps SET list_digest = '\\x{zeros}'")
        };
        fixture.database().write().execute_unprepared(&spoil).await.expect("spoilt");
        let verified = founder.verified(policy, 1).await;
        assert!(!verified.equal && !verified.steps[0].fault.is_empty(), "{}: {verified:?}", fixture.kind);
    }
}

#[tokio::test]
async fn members_who_were_merged_are_one_and_erased_ones_have_no_name() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 4).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        rated.event(&fixture).await;
        founder.publish_list(policy, "2027-01-15").await.expect("published");
        let ranked = founder.ranked(policy, 1).await;
        let (keep, double) = (ranked[0].member_id.clone(), ranked[1].member_id.clone());
        let merge = pb::MergeMembersRequest {
            keep_id: keep.clone(),
            double_id: double.clone(),
            request_id: founder.request(),
            validate_only: false,
        };
        founder.federations.clone().merge_members(merge).await.expect("merged");
        let erase = pb::EraseMemberRequest {
            member_id: ranked[3].member_id.clone(),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().erase_member(erase).await.expect("erased");
        founder.publish_list(policy, "2027-01-16").await.expect("published");
        let then = founder.ranked(policy, 2).await;
        let told: Vec<(&str, u32, bool)> =
            then.iter().map(|it| (it.member_id.as_str(), it.games, it.name.is_some())).collect();
        let expected = [
            (keep.as_str(), 2, true),
            (ranked[2].member_id.as_str(), 1, true),
            (ranked[3].member_id.as_str(), 1, false),
        ];
        assert_eq!(told, expected, "{}", fixture.kind);
        assert!(founder.verified(policy, 2).await.equal);
        assert!(founder.ranked(policy, 1).await.iter().any(|it| it.member_id == double), "as it was");
    }
}

#[tokio::test]
async fn a_list_is_exported_for_spreadsheets_and_read_by_club() {
    for fixture in fixtures().await {
        let rated = Rated::new(&fixture, 2).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        let club = founder.club(&rated.federation.id, "=Aba").await.expect("a club");
        founder.transfer(&rated.members[0], &club.club_id).await.expect("transferred");
        rated.event(&fixture).await;
        founder.publish_list(policy, "2027-01-16").await.expect("published");
        let of_club = pb::ListRatingEntriesRequest {
            policy_id: policy.clone(),
            club_id: club.club_id.clone(),
            ..Default::default()
        };
        let found: Vec<String> = founder.entries(of_club).await.into_iter().map(|it| it.member_id).collect();
        assert_eq!(found, [rated.members[0].clone()], "{}", fixture.kind);
        let request = pb::ExportRatingListRequest {
            policy_id: policy.clone(),
            byte_order_mark: true,
            ..Default::default()
        };
        let anybody = fixture.person("anybody");
        let part = anybody.ratings().export_rating_list(request).await.expect("a file").into_inner();
        let text = String::from_utf8(part.csv).expect("UTF-8");
        let lines: Vec<&str> = text.split("\r\n").collect();
        assert!(lines[0].starts_with("\u{feff}place,member_id,name"), "{text}");
        assert_eq!((lines.len(), part.next_page_token.as_str()), (4, ""));
        assert!(text.contains(",'=Aba,1"), "no cell is a formula: {text}");
        assert!(lines[1].contains(",1510.00,,10.00,1,1,1"), "{text}");
    }
}

/// The same inputs give the same bytes on every database, and in every release.
#[tokio::test]
async fn the_same_inputs_give_the_same_digests_on_every_database() {
    const GOLDEN: &str = "70ab3c2de1838a6c1ff888fbcdfb8bd5c5a44b01653e3601b8a3ffebc998c019 \
        8e856cf1791c5c24bdedca563b9c0eec81925655d06bb2327c363b26daf88e35";
    for fixture in fixtures_of(7).await {
        let rated = Rated::new(&fixture, 6).await;
        let (founder, policy) = (&rated.federation.founder, &rated.policy.policy_id);
        let file = format!("id,rating,games,date\n{},1613.25,40,2026-01-31\n", rated.members[0]);
        founder.import_ratings(policy, &file, false).await.expect("taken");
        let event = rated.event(&fixture).await;
        founder.publish_list(policy, "2027-01-15").await.expect("published");
        annul(&event).await;
        rated.event(&fixture).await;
        let list = founder.publish_list(policy, "2027-01-30").await.expect("published");
        let digests = [list.input_digest, list.list_digest].map(hex::encode).join(" ");
        assert_eq!(digests, GOLDEN, "{}", fixture.kind);
    }
}
