//! Players of teams that change while their event runs, through its API.

use api::federation::v1 as pb;
use tonic::Status;

use crate::{
    fixture::{Person, fixtures, reason},
    held::{Held, begin, change, play, sequence},
    team_events::{Entered, matches, nothing_is_found, of_teams, running},
};

/// Two teams that meet twice, of two players and two reserves.
fn changing() -> pb::EventSettings {
    let robin = pb::event_format::Format::RoundRobin(pb::event_format::RoundRobin { double: true });
    let mut settings = of_teams(2, pb::LineUpLaw::FixedBoardsSubs, robin);
    let teams = settings.teams.as_mut().expect("present");
    teams.roster = Some(pb::TeamRosterSettings { until_round: 2, changes_max: 1, transfer_games_max: 0 });
    settings
}

async fn change_roster(
    (held, person): (&Held, &Person),
    team: u32,
    (players, reserves): (&[&str], &[&str]),
    why: &str,
) -> Result<pb::Event, Status> {
    let ids = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect();
    let (player_ids, reserve_ids, reason) = (ids(players), ids(reserves), why.to_owned());
    let supplement_version = 1;
    change!(
        held,
        person,
        change_roster,
        ChangeRosterRequest { team, player_ids, reserve_ids, supplement_version, reason }
    )
}

fn member(team: &Entered, at: usize) -> &str {
    &team.team.members[at].member_id
}

#[tokio::test]
async fn a_captain_changes_the_players_of_his_team_and_an_official_says_why() {
    for fixture in fixtures().await {
        let (held, teams) = running(&fixture, changing(), &["Lions", "Tigers"], (2, 2)).await;
        let [lions, tigers] = &teams[..] else { panic!("two teams") };
        let [one, two, three, four] = [0, 1, 2, 3].map(|at| member(lions, at));
        let (captain, founder) = (lions.captain(), &held.federation.founder);
        let new = fixture.person("new");
        let joined = founder.member(&held.federation.id, "New").await.member_id;
        founder.bind(&joined, &new.id()).await.expect("bound");
        let joins = async |person: &Person, why: &str| {
            change_roster((&held, person), 1, (&[one, three], &[four, &joined]), why).await
        };
        assert_eq!(reason(joins(captain, "").await), "BAD_LINE_UP", "{}: not of the team", fixture.kind);
        let mut members = lions.team.members.clone();
        members.push(crate::teams::player(&joined));
        let request = pb::UpdateTeamRequest {
            team: Some(pb::Team { members, ..lions.team.clone() }),
            update_mask: Some(prost_types::FieldMask { paths: vec!["members".to_owned()] }),
            request_id: founder.request(),
            ..Default::default()
        };
        founder.federations.clone().update_team(request).await.expect("changed");
        begin(&held, 1).await;
        let before = sequence(&held).await;
        assert_eq!(reason(joins(tigers.captain(), "").await), "NOT_THE_CAPTAIN");
        assert_eq!(reason(joins(&new, "").await), "EVENT_ROLE_MISSING");
        assert_eq!(reason(joins(&held.chief, "").await), "BAD_TEXT", "an official says why");
        let poached = member(tigers, 1);
        let poached = change_roster((&held, captain), 1, (&[one, two], &[poached]), "").await;
        assert_eq!(reason(poached), "BAD_LINE_UP", "he is of another team");
        assert_eq!(sequence(&held).await, before, "nothing was changed");
        let done = joins(captain, "").await.expect("changed");
        assert_eq!(done.sequence, before + 1, "one entry");
        let again = change_roster((&held, captain), 1, (&[one, three], &[four]), "").await;
        assert_eq!(reason(again), "TOO_MANY_ROSTER_CHANGES");
        let notices = pb::ListNoticesRequest::default();
        let told = new.notices().list_notices(notices).await.expect("notices").into_inner().notices;
        assert!(told.iter().any(|it| it.kind() == pb::NoticeKind::Entered), "{told:?}");
        play(&fixture, &held, 1).await;
        begin(&held, 2).await;
        let of = matches(&held.chief, &held, 2).await.remove(0);
        let seated: Vec<u32> = of.boards.iter().map(|it| it.first.min(it.second)).collect();
        assert_eq!(seated, [1, 3], "the reserve has moved up");
        let (their_one, their_two) = (member(tigers, 0), member(tigers, 1));
        let theirs = change_roster((&held, tigers.captain()), 2, (&[their_one, their_two], &[]), "").await;
        assert_eq!(reason(theirs), "ROSTER_CLOSED");
        let theirs = change_roster((&held, &held.chief), 2, (&[their_one, their_two], &[]), "ill").await;
        theirs.expect("an official may");
        play(&fixture, &held, 2).await;
        nothing_is_found(&held.chief, &held).await;
    }
}
