//! Publishes lists. A list is worked out before the transaction that publishes it, which makes sure that all it follows from
//! is still as it was.

use std::{collections::BTreeMap, sync::Arc};

use chassis::{
    background,
    id::{AccountId, MemberId},
};
use strength::{Id, Imported, List, ListInput, bytes};
use time::{Date, Duration, OffsetDateTime};
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::{
    super::{
        Change,
        desk::Made,
        turn::{Turn, standings},
    },
    RatingLists,
    look::Seen,
};
use crate::{
    core::{
        name::Name,
        permit::{Act, may},
        rating_list::{
            Policy, Published, Refusal as ListRefusal, grade,
            import::Vouched,
            limits::AHEAD_DAYS_MAX,
            plan::{Broken, Plan, Step},
        },
        refusal::Refusal,
    },
    error::{Error, Result},
    store::{
        self,
        rating_list::{
            entry, event, list, policy,
            step::{self, Packed, Stored},
            vouched,
        },
    },
    wire::{
        attempt::Attempt,
        rating_list::{Preview, Publish, Shown},
    },
};

/// Events that a preview tells.
const EVENTS_TOLD: usize = 1_000;
/// Newcomers, and members whose ratings move, that a preview tells.
const MEMBERS_TOLD: usize = 200;

/// A list that is worked out, with all that is written when it is published.
pub(super) struct DrawnUp {
    published: Published,
    policy: Policy,
    /// The steps to it, the list's own last.
    steps: Vec<Stored>,
    entries: Vec<entry::Row>,
    seen: Seen,
    /// The imported ratings that no list has known before.
    pending: Vec<Vouched>,
    list: List,
    /// The list that was published before.
    before: Option<List>,
}

/// What is worked out aside.
struct Worked {
    steps: Vec<Stored>,
    list: List,
    input: ListInput,
    before: Option<List>,
}

impl RatingLists {
    /// Publishes the next list, or shows it.
    pub(crate) async fn publish(
        &self,
        attempt: &Attempt,
        asked: Publish,
    ) -> Result<(Published, Option<Preview>)> {
        if let Some(known) = self.known(attempt).await? {
            return Ok((known, None));
        }
        let policy = self.policy(asked.policy, None).await?;
        // Whoever may not is told so before anything is worked out for him.
        let standings = standings(self.desk.database.read(), policy.federation, attempt.caller.id).await?;
        if !may(standings, Act::KeepRatings) {
            return Err(Refusal::NotAnOfficial.into());
        }
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Error::Stopping)?;
        let drawn_up = match self.draw_up(asked, Arc::new(turn)).await {
            Ok(drawn_up) => drawn_up,
            // Whoever waited for the same request under way is refused what that has done.
            Err(error) => return Ok((self.known(attempt).await?.ok_or(error)?, None)),
        };
        if attempt.validate_only {
            let preview = self.preview(&drawn_up).await?;
            return Ok((drawn_up.published_by(attempt.caller.id, self.desk.env.now()), Some(preview)));
        }
        Ok((self.desk.carry_out(attempt, &drawn_up).await?, None))
    }

    /// The list that a request has published, if it has.
    async fn known(&self, attempt: &Attempt) -> Result<Option<Published>> {
        let on = self.desk.database.read();
        match store::request::find(on, attempt.caller.id, attempt.request).await? {
            None => Ok(None),
            Some(known) if known.digest != attempt.digest => Err(Refusal::RequestIdReused.into()),
            Some(known) => Ok(list::find(on, known.made_id.into(), known.counts.parse().ok()).await?),
        }
    }

    /// Works the next list out. The turn is kept until that is done, whoever has gone.
    async fn draw_up(&self, asked: Publish, turn: Arc<OwnedSemaphorePermit>) -> Result<DrawnUp> {
        let (on, now) = (self.desk.database.read(), self.desk.env.now());
        let policy = self.policy(asked.policy, None).await?;
        let last = list::find(on, policy.id, None).await?;
        let day = asked.day.unwrap_or(now.date());
        check_day(day, now.date(), last.as_ref())?;
        let number = last.as_ref().map_or(1, |last| last.number + 1);
        let seen = self.look(&policy, number).await?;
        let pending = vouched::pending(on, policy.id).await?;
        let mut input = ListInput::new(number, day.to_julian_day(), policy.rating.clone());
        input.events.clone_from(&seen.new);
        input.imported = pending.iter().map(imported).collect();
        let from = seen.changed.keys().next().copied().unwrap_or(number);
        let plan = self.plan(&policy, &seen, &pending).await?;
        let stored = self.stored(&policy, from, number).await?;
        let work = move || {
            let _until_it_is_done = turn;
            work(plan, stored, input)
        };
        let worked = background::aside(&self.desk.env, work).await.map_err(|_| Error::Stopping)??;
        let entries = self.rows(&worked.list, day).await?;
        let of = |bytes: fn(&Stored) -> &Packed| {
            worked.steps.last().map(|it| bytes(it).digest).unwrap_or_default()
        };
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let published = Published {
            policy: policy.id,
            number,
            day,
            at: now,
            by: policy.by,
            version: policy.version,
            input: of(|it| &it.input),
            list: of(|it| &it.list),
            listed: count(worked.list.ranked().len()),
            games: count(worked.input.games().count()),
            events: count(worked.input.events.len()),
            recomputed_from: from,
        };
        let Worked { steps, list, before, .. } = worked;
        Ok(DrawnUp { published, policy, steps, entries, seen, pending, list, before })
    }

    /// What is known beside events: who is whose double, and who has which grade.
    async fn plan(&self, policy: &Policy, seen: &Seen, pending: &[Vouched]) -> Result<Plan> {
        let on = self.desk.database.read();
        let changed = seen.changed.values().flatten();
        let games = seen.new.iter().chain(changed).flat_map(|event| &event.games);
        let mut members: Vec<Uuid> = games.flat_map(|game| game.players).map(Uuid::from_bytes).collect();
        members.extend(pending.iter().map(|it| it.member.uuid()));
        members.sort_unstable();
        members.dedup();
        let found = store::member::graded(on, &members).await?;
        let grades = found.into_iter().filter_map(|(id, _, text)| Some((id.into_bytes(), grade(&text)?)));
        let merged = store::member::merged(on, policy.federation).await?;
        let merged = merged.into_iter().map(|(double, into)| (double.into_bytes(), into.into_bytes()));
        Ok(Plan {
            changed: seen.changed.clone(),
            grades: grades.collect(),
            merged: merged.collect(),
            ..Plan::default()
        })
    }

    /// The steps that are made anew, as they were made last, after the one before them; and the last list.
    async fn stored(&self, policy: &Policy, from: u32, number: u32) -> Result<StoredSteps> {
        let on = self.desk.database.read();
        let mut again = Vec::new();
        for made in from..number {
            let found = step::last(on, policy.id, made, None).await?;
            again.push(found.ok_or(ListRefusal::UnknownList)?.input);
        }
        let before = match from {
            1 => None,
            _ => step::last(on, policy.id, from - 1, None).await?.map(|it| it.list),
        };
        let published = step::find(on, policy.id, number - 1, number - 1).await?.map(|it| it.list);
        Ok(StoredSteps { again, before, published })
    }

    /// What a list says, with the clubs of its day.
    async fn rows(&self, list: &List, day: Date) -> Result<Vec<entry::Row>> {
        let members: Vec<Uuid> = list.entries.iter().map(|it| Uuid::from_bytes(it.member)).collect();
        let clubs = store::stay::clubs_on(self.desk.database.read(), &members, day).await?;
        let clubs: BTreeMap<Uuid, _> = clubs.into_iter().collect();
        let row = |it: &strength::Entry| {
            let (member, rating) = (Uuid::from_bytes(it.member), it.rating?);
            Some(entry::Row {
                number: list.number,
                member: member.into(),
                place: it.place,
                club: clubs.get(&member).copied(),
                rating: rating.points,
                deviation: rating.deviation,
                change: strength::Points(it.change),
                games: it.games,
                new_games: it.new_games,
                provisional: it.provisional,
            })
        };
        Ok(list.entries.iter().filter_map(row).collect())
    }

    /// What is new in a list that is worked out.
    async fn preview(&self, drawn_up: &DrawnUp) -> Result<Preview> {
        let DrawnUp { published, entries, seen, list, before, .. } = drawn_up;
        let was_rated = |member: MemberId| {
            let known = before.as_ref().and_then(|list| list.find(member.uuid().as_bytes()));
            known.is_some_and(|entry| entry.rating.is_some())
        };
        let (mut movers, mut newcomers): (Vec<entry::Row>, Vec<entry::Row>) =
            entries.iter().partition(|row| was_rated(row.member));
        movers.retain(|row| row.change.0 != 0);
        newcomers.sort_unstable_by_key(|row| (row.place.unwrap_or(u32::MAX), row.member));
        movers.sort_unstable_by_key(|row| (std::cmp::Reverse(row.change.0.abs()), row.member));
        let counts = [newcomers.len(), movers.len()];
        newcomers.truncate(MEMBERS_TOLD);
        movers.truncate(MEMBERS_TOLD);
        let shown = |rows: Vec<entry::Row>| self.shown(rows, [(list.number, published.day)].into());
        let event = |number: u32| {
            move |it: &strength::EventGames| {
                (Uuid::from_bytes(it.event).into(), it.sequence, it.games.len(), number)
            }
        };
        let mut events: Vec<_> = seen.new.iter().map(event(list.number)).collect();
        events.extend(seen.changed.iter().flat_map(|(number, changed)| changed.iter().map(event(*number))));
        events.truncate(EVENTS_TOLD);
        Ok(Preview {
            events,
            newcomers: (shown(newcomers).await?, counts[0]),
            movers: (shown(movers).await?, counts[1]),
            too_old: seen.too_old,
        })
    }

    /// Rows with what members are called now.
    pub(super) async fn shown(&self, rows: Vec<entry::Row>, days: BTreeMap<u32, Date>) -> Result<Vec<Shown>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.member.uuid()).collect();
        let found = store::member::graded(self.desk.database.read(), &ids).await?;
        let names: BTreeMap<Uuid, Name> = found.into_iter().map(|(id, name, _)| (id, name)).collect();
        let show = |row: entry::Row| {
            Some(Shown {
                place: row.place,
                member: row.member,
                name: names.get(&row.member.uuid()).cloned().unwrap_or_default(),
                club: row.club,
                rating: row.rating,
                deviation: row.deviation,
                change: row.change,
                games: row.games,
                new_games: row.new_games,
                provisional: row.provisional,
                number: row.number,
                day: *days.get(&row.number)?,
            })
        };
        Ok(rows.into_iter().filter_map(show).collect())
    }
}

/// Steps as they are stored.
struct StoredSteps {
    /// The inputs of those that are made anew.
    again: Vec<Packed>,
    /// The list before them.
    before: Option<Packed>,
    /// The list that was published last.
    published: Option<Packed>,
}

/// Makes the steps, and packs them.
fn work(mut plan: Plan, stored: StoredSteps, input: ListInput) -> Result<Worked> {
    let read = |packed: Option<Packed>| -> Result<Option<List>> {
        let opened = packed.map(|it| it.open()).transpose()?;
        Ok(opened.map(|list| bytes::to_list(&list)).transpose().map_err(Broken::from)?)
    };
    plan.before = read(stored.before)?;
    for packed in stored.again {
        plan.again.push(bytes::to_input(&packed.open()?).map_err(Broken::from)?);
    }
    let mut steps = plan.make(input)?;
    let pack = |it: &Step| Stored {
        step: it.number,
        input: Packed::new(&it.input),
        list: Packed::new(&bytes::of_list(&it.list)),
    };
    let packed = steps.iter().map(pack).collect();
    let last = steps.pop().ok_or(ListRefusal::UnknownList)?;
    let input = bytes::to_input(&last.input).map_err(Broken::from)?;
    Ok(Worked { steps: packed, list: last.list, input, before: read(stored.published)? })
}

fn imported(vouched: &Vouched) -> Imported {
    Imported {
        member: Id::from(*vouched.member.uuid().as_bytes()),
        rating: vouched.rating,
        games: vouched.games,
        day: vouched.day.to_julian_day(),
    }
}

/// Makes sure that a list can be of this day.
fn check_day(day: Date, today: Date, last: Option<&Published>) -> Result<(), ListRefusal> {
    if let Some(last) = last.filter(|last| day <= last.day) {
        return Err(ListRefusal::Exists(last.number, last.day));
    }
    let latest = today.saturating_add(Duration::days(AHEAD_DAYS_MAX));
    if day > latest { Err(ListRefusal::TooFarAhead) } else { Ok(()) }
}

impl DrawnUp {
    /// The list as somebody publishes it.
    fn published_by(&self, by: AccountId, at: OffsetDateTime) -> Published {
        Published { at, by, ..self.published.clone() }
    }
}

impl Change for DrawnUp {
    type Told = Published;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.policy.federation).await?.id;
        turn.require(federation, Act::KeepRatings).await?;
        let published = self.published_by(turn.caller.id, turn.now());
        let (id, number) = (published.policy, published.number);
        let last = list::find(turn.on, id, None).await?;
        if last.as_ref().map_or(0, |last| last.number) + 1 != number {
            check_day(published.day, turn.today(), last.as_ref())?;
            return Err(ListRefusal::Moved.into());
        }
        let is_same =
            policy::find(turn.on, id, None).await?.is_some_and(|it| it.version == self.policy.version);
        if !is_same || vouched::pending(turn.on, id).await? != self.pending {
            return Err(ListRefusal::Moved.into());
        }
        list::insert(turn.on, &published).await?;
        for stored in &self.steps {
            step::insert(turn.on, id, number, stored).await?;
        }
        entry::insert(turn.on, id, &self.entries).await?;
        event::write(turn.on, id, &self.seen.notes).await?;
        vouched::mark(turn.on, id, number).await?;
        tracing::info!(
            policy.id = %id,
            federation.id = %federation,
            account.id = %published.by,
            number,
            games = published.games,
            recomputed_from = published.recomputed_from,
            "a rating list was published"
        );
        Ok(Made { id: id.uuid(), counts: number.to_string() })
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Published> {
        let found = list::find(turn.on, made.id.into(), made.counts.parse().ok()).await?;
        Ok(found.ok_or(ListRefusal::UnknownList)?)
    }
}
