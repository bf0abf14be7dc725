//! What was asked for without a pool has as many games as it may, those that were accepted, and no others; what was taken back or
//! called off has none; and whoever follows, or looks at the lobby, knows what is so.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use api::matchmaking::v1::{
    ArrangedGameState, Challenge, ChallengeState, GetChallengeRequest, ListChallengesRequest,
    ListOpenChallengesRequest, challenge_service_client::ChallengeServiceClient,
};
use chassis::{auth::Caller, testing::as_account};
use rusqlite::types::Value as Cell;

use super::{
    Queue,
    asked::{Accepted, Asked, CalledOff, Known},
    check::{Row, ids_and_state},
};
use crate::{
    history::Answer,
    network::Face,
    table::Table,
    topology::{Node, Service},
};

/// How soon whoever listens knows what is so when nothing is wrong.
const HEARD_WITHIN: Duration = Duration::from_secs(15);
/// More than there can be in a run.
const PAGE: u32 = 200;

/// A game that two have arranged, as it was written down.
#[derive(Debug)]
struct Arranged {
    game: String,
    challenge: String,
    accounts: [String; 2],
    ticket: String,
    called_off_by: Option<String>,
    state: i32,
}

/// What was written down of what was asked for.
struct Written<'a> {
    rows: Vec<&'a Row>,
    arranged: Vec<Arranged>,
}

/// Holds what is written down, and what is told, to what those were told who asked and accepted.
pub(super) async fn check(queue: &Arc<Queue>, rows: &[Row]) -> Vec<String> {
    let known = queue.board.known();
    let written = match arranged(queue) {
        Ok(arranged) => {
            Written { rows: rows.iter().filter(|row| row.challenge.is_some()).collect(), arranged }
        }
        Err(error) => return vec![format!("the arranged games cannot be read: {error}")],
    };
    let asked: BTreeMap<&str, &Asked> = known.asked.iter().map(|asked| (&*asked.id, asked)).collect();
    let mut faults = written.of_nobody(&asked);
    faults.extend(known.accepted.iter().filter_map(|accepted| {
        let wrong = written.of_accepted(accepted)?;
        Some(format!("{accepted:?}: {wrong}"))
    }));
    faults.extend(known.called_off.iter().filter_map(|called_off| written.of_called_off(called_off)));
    faults.extend(known.accepted.iter().filter_map(|accepted| after_it_was_taken_back(&known, accepted)));
    for asked in &known.asked {
        faults.extend(of_asked(queue, asked, &written).await);
    }
    tokio::time::sleep(HEARD_WITHIN).await;
    faults.extend(lobby(queue).await);
    for (number, followed) in queue.company() {
        let caller = &queue.seekers[number];
        let open = open_of(queue, caller).await;
        if open.as_ref() != Some(&followed.challenges()) {
            faults.push(format!(
                "{} follows and knows of {:?}, not {open:?}",
                caller.name,
                followed.challenges()
            ));
        }
        if !followed.arranged().is_empty() {
            faults.push(format!("{} follows and believes in {:?}", caller.name, followed.arranged()));
        }
    }
    faults
}

/// A challenge was accepted that had been taken back before.
fn after_it_was_taken_back(known: &Known, accepted: &Accepted) -> Option<String> {
    let asked = known.asked.iter().find(|asked| asked.id == accepted.challenge)?;
    let is_late = asked.withdrawn.is_some_and(|withdrawn| withdrawn < accepted.since);
    (is_late && matches!(accepted.answer, Answer::Event(_)))
        .then(|| format!("{accepted:?} was taken back before: {asked:?}"))
}

impl Written<'_> {
    /// Games that nobody has asked for and somebody else accepted.
    fn of_nobody(&self, asked: &BTreeMap<&str, &Asked>) -> Vec<String> {
        let of = |game: &str, challenge: &str, accounts: &[String; 2]| {
            let is_his = asked.get(challenge).is_some_and(|asked| accounts.contains(&asked.by));
            (!is_his || accounts[0] == accounts[1])
                .then(|| format!("game {game} of {accounts:?} came of challenge {challenge}"))
        };
        let rows = self.rows.iter().filter_map(|row| of(&row.game, row.challenge.as_deref()?, &row.accounts));
        let arranged = self.arranged.iter().filter_map(|it| of(&it.game, &it.challenge, &it.accounts));
        rows.chain(arranged).collect()
    }

    /// What is wrong with what somebody was told who has accepted something.
    fn of_accepted(&self, accepted: &Accepted) -> Option<String> {
        let ticket = &accepted.ticket;
        let row = self.rows.iter().find(|row| row.tickets.contains(ticket));
        let arranged = self.arranged.iter().find(|it| it.ticket == *ticket);
        let found = match (row, arranged) {
            (Some(row), None) => {
                let seat = row.tickets.iter().position(|own| own == ticket)?;
                let (game, by) = (row.game.clone(), &row.accounts[seat]);
                Some((game, row.challenge.as_ref()?, by, Some(Table::side_pb(seat))))
            }
            // What is arranged may have no sides yet.
            (None, Some(it)) => Some((it.game.clone(), &it.challenge, &it.accounts[1], None)),
            (None, None) => None,
            (Some(row), Some(it)) => return Some(format!("its ticket is in {row:?} and {it:?}")),
        };
        match (&accepted.answer, found) {
            (Answer::Event((game, side)), Some((of, challenge, by, seat))) => {
                let is_so = *game == of
                    && *challenge == accepted.challenge
                    && *by == accepted.by
                    && seat.is_none_or(|seat| seat == *side);
                (!is_so).then(|| format!("it is game {of} of {challenge}, accepted by {by} as {seat:?}"))
            }
            (Answer::Event(_), None) => Some("nothing came of it".to_owned()),
            (Answer::Refused(_), Some((game, ..))) => Some(format!("game {game} came of it")),
            (Answer::Refused(_), None) | (Answer::Unknown, _) => None,
        }
    }

    fn of_called_off(&self, called_off: &CalledOff) -> Option<String> {
        let found = self.arranged.iter().find(|it| it.game == called_off.game);
        let is_so = found.is_some_and(|it| {
            it.state == ArrangedGameState::CalledOff as i32
                && it.called_off_by.as_ref() == Some(&called_off.by)
        });
        let has_begun = self.rows.iter().any(|row| row.game == called_off.game);
        (!is_so || has_begun).then(|| format!("{called_off:?}, and it is {found:?}"))
    }

    /// The games that came of a challenge.
    fn games<'a>(&'a self, challenge: &'a str) -> impl Iterator<Item = &'a str> {
        let rows = self.rows.iter().filter(move |row| row.challenge.as_deref() == Some(challenge));
        let arranged = self.arranged.iter().filter(move |it| it.challenge == challenge);
        let games = rows.map(|row| &*row.game).chain(arranged.map(|it| &*it.game));
        // What was arranged and has begun is in both.
        games.collect::<BTreeSet<&str>>().into_iter()
    }
}

/// What is wrong with a challenge.
async fn of_asked(queue: &Queue, asked: &Asked, written: &Written<'_>) -> Vec<String> {
    let games: Vec<&str> = written.games(&asked.id).collect();
    let mut faults = Vec::new();
    for it in written.arranged.iter().filter(|it| it.challenge == asked.id) {
        let has_begun = written.rows.iter().any(|row| row.game == it.game);
        let is_so = match ArrangedGameState::try_from(it.state) {
            Ok(ArrangedGameState::Begun) => has_begun,
            Ok(ArrangedGameState::CalledOff) => !has_begun && it.called_off_by.is_some(),
            _ => false,
        };
        if !is_so {
            faults.push(format!("{it:?} is not over, and its time is; has it a match: {has_begun}"));
        }
    }
    let Some(found) = found(queue, asked).await else {
        if asked.made || !games.is_empty() {
            faults.push(format!("{asked:?} is not there; games came of it: {games:?}"));
        }
        return faults;
    };
    let left = found.uses_left as usize;
    let is_over = asked.starts.is_some();
    let state = match (left, asked.withdrawn) {
        (0, None) => vec![ChallengeState::Accepted],
        // What is taken back was open.
        (0, Some(_)) => Vec::new(),
        (_, Some(_)) => vec![ChallengeState::Withdrawn],
        // Whether it was taken back he may not have been told, who has not waited for it.
        (_, None) if is_over => vec![ChallengeState::Expired, ChallengeState::Withdrawn],
        (_, None) => vec![ChallengeState::Open, ChallengeState::Withdrawn],
    };
    if left + games.len() != asked.uses as usize || !state.contains(&found.state()) {
        faults.push(format!("{asked:?} is {found:?}; games came of it: {games:?}"));
    }
    if !found.game_id.is_empty() && !games.contains(&&*found.game_id) {
        faults.push(format!("{found:?} names a game that did not come of it, of {games:?}"));
    }
    faults
}

/// A challenge as its owner is shown it.
async fn found(queue: &Queue, asked: &Asked) -> Option<Challenge> {
    let owner = queue.seekers.iter().find(|caller| caller.id.to_string() == asked.by)?;
    let request = GetChallengeRequest { challenge_id: asked.id.clone(), ..GetChallengeRequest::default() };
    client(queue, Some(owner))?.get_challenge(request).await.ok()?.into_inner().challenge
}

/// The open challenges in somebody's list.
async fn open_of(queue: &Queue, caller: &Caller) -> Option<BTreeSet<String>> {
    let request = ListChallengesRequest { open: true, page_size: PAGE, ..ListChallengesRequest::default() };
    let answer = client(queue, Some(caller))?.list_challenges(request).await.ok()?.into_inner();
    Some(answer.challenges.into_iter().map(|challenge| challenge.id).collect())
}

/// Whether whoever looks at the lobby sees what is listed.
async fn lobby(queue: &Queue) -> Option<String> {
    let request = ListOpenChallengesRequest { page_size: PAGE, ..ListOpenChallengesRequest::default() };
    let listed = async { client(queue, None)?.list_open_challenges(request).await.ok() }.await;
    let listed = listed.map(|answer| answer.into_inner().challenges);
    let listed: Option<BTreeSet<String>> =
        listed.map(|all| all.into_iter().map(|challenge| challenge.id).collect());
    let seen = queue.seen.open();
    (listed.as_ref() != Some(&seen)).then(|| format!("the lobby is {listed:?}, and seen is {seen:?}"))
}

/// A way on which nothing goes wrong.
fn client(
    queue: &Queue,
    caller: Option<&Caller>,
) -> Option<ChallengeServiceClient<api::transport::Transport>> {
    let node = Node { service: Service::Matchmaking, number: 0 };
    let way = queue.world.network.straight(node, Face::Public)?;
    Some(ChallengeServiceClient::new(match caller {
        Some(caller) => as_account(way, caller.clone()),
        None => way,
    }))
}

fn arranged(queue: &Queue) -> anyhow::Result<Vec<Arranged>> {
    let disk = queue.world.disk(Service::Matchmaking).ok_or_else(|| anyhow::anyhow!("there is no disk"))?;
    let rows = disk.inspect(
        "SELECT game_id, challenge_id, asked_id, accepted_id, accepted_ticket, called_off_by, state \
         FROM arranged_games ORDER BY game_id",
    )?;
    let row = |cells: Vec<Cell>| {
        let (ids, state) = ids_and_state(cells)?;
        let Ok([Some(game), Some(challenge), Some(asked), Some(accepted), Some(ticket), called_off_by]) =
            <[Option<String>; 6]>::try_from(ids)
        else {
            anyhow::bail!("an arranged game without its ids");
        };
        let state = i32::try_from(state)?;
        Ok(Arranged { game, challenge, accounts: [asked, accepted], ticket, called_off_by, state })
    };
    rows.into_iter().map(row).collect()
}
