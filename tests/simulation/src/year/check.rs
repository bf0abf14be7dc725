//! What the platform promises of weeks: what is due is done then and once, also when everything dies just then; everybody
//! is told of it once; and tables and movements follow from what was played.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use api::federation::v1::{
    self as pb, ProposalAnswer, ResultCode, board_result::Source, event_log_body::Fact,
    notice_service_client::NoticeServiceClient,
};
use chassis::{auth::Caller, id::EventId};
use time::OffsetDateTime;
use tokio::time::Instant;
use tonic::Status;

use super::{
    league::{League, REMINDERS, WINDOW, ask},
    plan::Course,
    season::{Done, Talk},
};
use crate::{
    check::event::{Row, read},
    topology::Service,
};

/// How late something is done when nothing is wrong: the server looks once a second.
const LATE: Duration = Duration::from_secs(3);
/// The same after trouble: what was lost on the way is asked for again within seconds.
const LATE_AFTER_TROUBLE: Duration = Duration::from_secs(10);

/// What the server does by itself about a table of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Reminds,
    Lapses,
    Begins,
    Settles,
}

/// What is to be done, or was: what, in which round, at which table, and when.
type Entry = (Deed, u32, u32, OffsetDateTime);

/// What everybody was told, by the names of their accounts and by its numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Inboxes(BTreeMap<String, BTreeMap<u64, pb::Notice>>);

/// What was found in the logs.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What was wrong.
    pub faults: Vec<String>,
    /// Entries of the logs.
    pub entries: usize,
    /// Things that the server did by itself.
    pub deeds: usize,
    /// How late the latest of them was that no trouble had held up.
    pub latest: Duration,
    /// Reminders: who was told, by the entry of which event's log.
    reminders: BTreeMap<(String, u64), BTreeSet<String>>,
}

/// Holds the logs of events to what was arranged in them.
pub(super) fn logs(league: &League, done: &[Done]) -> Found {
    let mut found = Found::default();
    let events: BTreeSet<&str> = done.iter().map(|it| it.event.as_str()).collect();
    for event in events {
        let talks: Vec<&Talk> = done.iter().filter(|it| it.event == event).map(|it| &it.talk).collect();
        let rows = EventId::parse(event, "event_id").ok().and_then(|id| read(&league.world, id).ok());
        let Some(rows) = rows else {
            found.faults.push(format!("the log of {event} cannot be read"));
            continue;
        };
        for Row { body, .. } in &rows {
            league.world.trace.note(format!("event {} {:?} {:?}", body.sequence, body.time, body.fact));
        }
        found.entries += rows.len();
        found.log(event, &rows);
        found.on_time(league, event, &rows, &talks);
        found.met_once(event, &rows);
        for row in &rows {
            if let Some(Fact::ArrangingReminded(it)) = &row.body.fact
                && let Some(talk) = talks.iter().find(|talk| talk.is_of(it.round, it.table))
            {
                let told = talk.speakers.iter().map(|who| who.id.to_string()).collect();
                found.reminders.insert((event.to_owned(), row.body.sequence), told);
            }
        }
    }
    found
}

impl Talk {
    fn is_of(&self, round: u32, table: u32) -> bool {
        self.round == round && self.boards[0].table == table
    }

    /// What the server does about it by itself, and when.
    fn deeds(&self, begun: OffsetDateTime) -> Vec<Entry> {
        let (round, table) = (self.round, self.boards[0].table);
        let each = |deed, at| self.boards.iter().map(move |board| (deed, round, board.table, at));
        let closes = begun + WINDOW;
        let is_agreed = matches!(self.course, Course::Agreed { .. });
        let agreed = self.course.answered().filter(|_| is_agreed).map(|after| begun + after);
        let reminders = REMINDERS.map(|before| closes - before).into_iter();
        let reminders = reminders.filter(|at| agreed.is_none_or(|agreed| *at < agreed));
        let mut deeds: Vec<Entry> = reminders.map(|at| (Deed::Reminds, round, table, at)).collect();
        match self.course {
            Course::Agreed { played, .. } => deeds.extend(each(Deed::Begins, begun + played)),
            Course::Unanswered { .. } => {
                deeds.push((Deed::Lapses, round, table, OffsetDateTime::UNIX_EPOCH));
                deeds.extend(each(Deed::Settles, closes));
            }
            Course::Declined { .. } | Course::Silent => deeds.extend(each(Deed::Settles, closes)),
        }
        deeds
    }
}

impl Found {
    /// The chain of hashes, the fold, and every pairing and draw again.
    fn log(&mut self, event: &str, rows: &[Row]) {
        let stored: Vec<pb::EventLogEntry> = rows.iter().map(|row| row.stored.clone()).collect();
        match federation::audit::log(event, &stored) {
            Ok(verified) => {
                let findings = verified.findings.iter();
                self.faults
                    .extend(findings.map(|it| format!("{event}: entry {}: {}", it.sequence, it.detail)));
            }
            Err(error) => self.faults.push(format!("the log of {event} is not believed: {error}")),
        }
    }

    /// Everything that is due is done once, not before its time, and soon after it.
    fn on_time(&mut self, league: &League, event: &str, rows: &[Row], talks: &[&Talk]) {
        let (now, instant) = (league.calendar.now(), Instant::now());
        let mut untils = BTreeMap::new();
        let mut begun = BTreeMap::new();
        let mut is: Vec<(Entry, OffsetDateTime)> = Vec::new();
        for row in rows {
            let at = row.body.time.as_ref().and_then(moment).unwrap_or(OffsetDateTime::UNIX_EPOCH);
            let written = row.written.map_or(at, |written| now - (instant - written));
            let mut did = |deed, round, table| is.push(((deed, round, table, at), written));
            match &row.body.fact {
                Some(Fact::RoundStarted(it)) => drop(begun.insert(it.round, at)),
                Some(Fact::GameProposed(it)) => {
                    let until = it.proposal.as_ref().and_then(|it| moment(it.answer_until_time.as_ref()?));
                    untils.insert((it.round, it.table), until.unwrap_or(at));
                }
                Some(Fact::ArrangingReminded(it)) => did(Deed::Reminds, it.round, it.table),
                Some(Fact::ProposalAnswered(it)) if it.answer() == ProposalAnswer::Lapsed => {
                    did(Deed::Lapses, it.round, it.table);
                }
                Some(Fact::BoardStarted(it)) => did(Deed::Begins, it.round, it.table),
                Some(Fact::ResultEntered(it)) => {
                    if matches!(
                        it.result.as_ref().and_then(|it| it.source.as_ref()),
                        Some(Source::Unarranged(_))
                    ) {
                        did(Deed::Settles, it.round, it.table);
                    }
                }
                _ => {}
            }
        }
        let mut due: Vec<Entry> = Vec::new();
        for talk in talks {
            let begun = begun.get(&talk.round).copied().unwrap_or(talk.begun);
            due.extend(talk.deeds(begun).into_iter().map(|(deed, round, table, at)| {
                let until = untils.get(&(round, table)).copied().unwrap_or(at);
                (deed, round, table, if deed == Deed::Lapses { until } else { at })
            }));
        }
        self.deeds += is.len();
        due.sort();
        is.sort();
        let named = |it: &Entry| (it.0, it.1, it.2);
        let (wanted, done): (Vec<_>, Vec<_>) =
            (due.iter().map(named).collect(), is.iter().map(|(it, _)| named(it)).collect());
        if wanted != done {
            self.faults.push(format!("{event}: due was {wanted:?}, and done was {done:?}"));
            return;
        }
        for ((deed, round, table, at), ((.., decided), written)) in due.into_iter().zip(is) {
            let what = format!("{event}: {deed:?} in round {round} at table {table}, due at {at}");
            if decided < at {
                self.faults.push(format!("{what}, is done before, at {decided}"));
            }
            let (last, is_held_up) = latest(league, at);
            if written > last {
                self.faults.push(format!("{what}, is done late, at {written}"));
            }
            if !is_held_up {
                self.latest = self.latest.max(Duration::try_from(written - at).unwrap_or_default());
            }
        }
    }

    /// Nobody sits at two boards of a round, and no two teams meet twice.
    fn met_once(&mut self, event: &str, rows: &[Row]) {
        let mut met = BTreeSet::new();
        for row in rows {
            let Some(Fact::RoundPublished(it)) = &row.body.fact else { continue };
            for it in it.round.iter().flat_map(|round| &round.matches).filter(|it| it.second != 0) {
                if !met.insert([it.first.min(it.second), it.first.max(it.second)]) {
                    self.faults.push(format!("{event}: {} and {} meet twice", it.first, it.second));
                }
            }
        }
    }

    /// Everybody is told of each thing once, in the order of its numbers, and of every reminder of his board.
    pub(super) fn notices(&mut self, league: &League, inboxes: &Inboxes) {
        let mut missing = self.reminders.clone();
        for who in league.sides.iter().flat_map(|side| &side.players) {
            let told: Vec<pb::Notice> =
                inboxes.0.get(&who.name).into_iter().flat_map(BTreeMap::values).cloned().collect();
            self.inbox(who, &told, &mut missing);
        }
        missing.retain(|_, of| !of.is_empty());
        if !missing.is_empty() {
            self.faults.push(format!("reminders that nobody was told of: {missing:?}"));
        }
    }

    fn inbox(
        &mut self,
        who: &Caller,
        told: &[pb::Notice],
        missing: &mut BTreeMap<(String, u64), BTreeSet<String>>,
    ) {
        let numbers: BTreeSet<u64> = told.iter().map(|it| it.number).collect();
        let is_whole = numbers.iter().copied().eq(1..=u64::try_from(told.len()).unwrap_or(0));
        if !is_whole {
            self.faults.push(format!("the notices of {} have the numbers {numbers:?}", who.name));
        }
        let mut seen = BTreeSet::new();
        for it in told {
            let Some(about) = &it.about else { continue };
            let key =
                (it.kind, about.event_id.clone(), about.sequence, about.number, about.team, about.table);
            if about.sequence > 0 && !seen.insert(key) {
                self.faults.push(format!("{} is told twice: {it:?}", who.name));
            }
            if it.kind() == pb::NoticeKind::ArrangeDue {
                let entry = (about.event_id.clone(), about.sequence);
                if !self.reminders.contains_key(&entry) {
                    self.faults.push(format!("{} is reminded of what no log has: {it:?}", who.name));
                }
                if let Some(of) = missing.get_mut(&entry) {
                    of.remove(&who.id.to_string());
                }
            }
        }
    }
}

impl Inboxes {
    /// Takes down what everybody is told by now. What was seen before is still there and the same, unless it is forgotten
    /// because of its age.
    pub(super) async fn look(&mut self, league: &League) -> Result<(), Status> {
        for who in league.sides.iter().flat_map(|side| &side.players) {
            let inbox = NoticeServiceClient::new(league.transport(Service::Federation, who));
            let seen = self.0.entry(who.name.clone()).or_default();
            let (mut told, mut page_token) = (BTreeMap::new(), String::new());
            loop {
                let request = pb::ListNoticesRequest { page_size: 200, page_token, ..Default::default() };
                let page = ask!(inbox.clone(), list_notices, request)?;
                told.extend(page.notices.into_iter().map(|it| (it.number, it)));
                page_token = page.next_page_token;
                if page_token.is_empty() {
                    break;
                }
            }
            let oldest = told.keys().next().copied().unwrap_or(u64::MAX);
            if let Some((_, other)) = seen.range(oldest..).find(|(number, it)| told.get(number) != Some(it)) {
                league.world.trace.fault(format!("{} was told once: {other:?}", who.name));
            }
            seen.extend(told);
        }
        Ok(())
    }
}

/// Points of matches and of boards, by the number of the team, of everything that was played in these rounds; what a team
/// has played that has left is void.
pub(super) fn recounted(
    matches: &[pb::TeamMatch],
    rounds: &[pb::Round],
    left: &[u32],
) -> BTreeMap<u32, (u32, i64)> {
    let mut points: BTreeMap<u32, (u32, i64)> = BTreeMap::new();
    for it in matches.iter().filter(|it| it.first != 0 && it.second != 0) {
        let mut own = [0, 0];
        for board in &it.boards {
            let round = rounds.iter().find(|round| round.number == it.round);
            let laid = round.and_then(|round| round.pairings.iter().find(|laid| laid.table == board.table));
            let Some(result) = laid.and_then(|laid| laid.result.as_ref()) else { continue };
            let codes = [result.first(), result.second()].map(worth);
            let is_turned = laid.is_some_and(|laid| laid.first != board.first);
            let [first, second] = if is_turned { [codes[1], codes[0]] } else { codes };
            own[0] += first;
            own[1] += second;
        }
        if left.contains(&it.first) || left.contains(&it.second) {
            continue;
        }
        let won = match own[0].cmp(&own[1]) {
            _ if own == [0, 0] => [0, 0],
            std::cmp::Ordering::Greater => [2, 0],
            std::cmp::Ordering::Less => [0, 2],
            std::cmp::Ordering::Equal => [1, 1],
        };
        for (at, team) in [it.first, it.second].into_iter().enumerate() {
            let of = points.entry(team).or_default();
            of.0 += won[at];
            of.1 += own[at];
        }
    }
    points
}

fn worth(code: ResultCode) -> i64 {
    match code {
        ResultCode::Win | ResultCode::ForfeitWin => 2,
        ResultCode::Draw => 1,
        _ => 0,
    }
}

/// Until when something is done that is due then, and whether trouble may hold it up.
pub(super) fn latest(league: &League, due: OffsetDateTime) -> (OffsetDateTime, bool) {
    let ends = league.calendar.troubles().into_iter();
    let ends = ends.filter(|[from, until]| *from < due + LATE && due < *until).map(|[_, until]| until);
    ends.max().map_or((due + LATE, false), |until| (until.max(due) + LATE_AFTER_TROUBLE, true))
}

/// A moment as messages have it.
pub(super) fn moment(time: &prost_types::Timestamp) -> Option<OffsetDateTime> {
    let nanos = i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()
}
