//! The changes of an event other than its rounds: settings, stages, officials, entries, papers.

use crate::core::name::Name;
use std::sync::Arc;

use chassis::{
    auth::Caller,
    database::{StoreError, Transaction},
    id::{AccountId, EventId, FederationId, MemberId},
};
use pairing::{Number, Status, Ties};

use super::{Events, command::Decided, registry::Current, times::Times};
use crate::{
    core::event::{
        Act, Actor, CheckItem, Entrant, EntryUpdate, Event, Fact, LogEntry, Refusal, Role, Settings, Stage,
        StatusChange, create,
        role::{allowed, appointing},
        seeds, settings,
    },
    error::{Error, Result},
    store::event::{head, log, note::Note},
    wire::event::request::{Change, Correction, SettingsChange},
};

/// The version of UUIDs that follow from something else, such as a season, and that nobody chooses.
const IDS_THAT_FOLLOW: usize = 8;

/// A new event.
#[derive(Clone, Debug)]
pub(crate) struct NewEvent {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    pub federation: FederationId,
    /// What it is called.
    pub name: Name,
    /// What it is.
    pub settings: Settings,
    /// Whether it is only checked.
    pub validate_only: bool,
}

/// Somebody who is to be entered.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Whom; the caller if nobody is named.
    pub member: Option<MemberId>,
    /// The version of the supplement that he accepts.
    pub version: u32,
    /// What he is rated.
    pub rating: Option<i32>,
    /// His grade.
    pub grade: Option<i32>,
    /// What he shares with others.
    pub affiliations: Vec<u32>,
}

impl Entry {
    /// Whether it says what only officials say.
    fn is_of_officials(&self) -> bool {
        self.rating.is_some() || self.grade.is_some() || !self.affiliations.is_empty()
    }
}

impl Events {
    /// Makes an event, as a draft whose committee its author is. The same id again, for the same, changes nothing.
    pub(crate) async fn create(&self, caller: &Caller, new: NewEvent) -> Result<Current> {
        let standing = self
            .people
            .standing(new.federation, caller.id)
            .await?
            .ok_or(crate::core::refusal::Refusal::UnknownFederation)?;
        let role = allowed(Act::Cancel, &standing.roles, Stage::Draft).map_err(Refusal::from)?;
        if let Some(current) = self.made_before(&new).await? {
            return self.told_again(caller, current).await;
        }
        // Else whoever foresees the id of a season's event could keep the season from starting.
        if follows_from_season(new.id) {
            let message = "a UUID of another version: those of version 8 follow from something else";
            return Err(Error::Call(api::Error::invalid(api::reason::BAD_ID, "event_id", message)));
        }
        if head::open_count(self.database.read(), new.federation).await? >= settings::EVENTS_OPEN_MAX {
            return Err(Error::TooManyEvents);
        }
        let now = self.env.now();
        let mut facts = create(new.federation, new.name.clone(), new.settings.clone(), now)?;
        facts.push(Fact::Appointed { account: caller.id, role: Role::Committee });
        let actor = Actor::Person { account: caller.id, role, on_behalf_of: None };
        let entry = |(sequence, fact)| LogEntry { sequence, at: now, actor, request: None, fact };
        let entries: Vec<LogEntry> = (1..).zip(facts).map(entry).collect();
        let event = Event::replay(new.id, &entries)?;
        let owed =
            entries.iter().flat_map(|entry| super::obligations::obligations(&event, &entry.fact)).collect();
        let stored = log::sealed(new.id, entries, None);
        let hash = stored.last().map_or([0; 32], |last| last.hash);
        let next = Current { event: event.into(), hash, by_official: true };
        if new.validate_only {
            return Ok(next);
        }
        let beside = |transaction: Arc<Transaction>| async move {
            self.outbox.insert(&*transaction, owed).await.map_err(StoreError::from)
        };
        match self.append(&next, &stored, None, beside).await {
            Ok(()) => Ok(next),
            // Somebody else has made it meanwhile: by the same call, sent twice, or another event under its id.
            Err(StoreError::Contended) => {
                let current = self.made_before(&new).await?.ok_or(StoreError::Contended)?;
                self.told_again(caller, current).await
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The event that the same call has made before, as it is now.
    async fn made_before(&self, new: &NewEvent) -> Result<Option<Current>> {
        let current = match self.current(new.id).await {
            Err(Error::UnknownEvent) => return Ok(None),
            current => current?,
        };
        // What it is now may be something else than what it was made as.
        let first = log::after(self.database.read(), new.id, 0, 1).await?.pop();
        let is_same = first.is_some_and(|first| match &first.entry.fact {
            Fact::Created { federation, name, settings } => {
                (federation, name, &**settings) == (&new.federation, &new.name, &new.settings)
            }
            _ => false,
        });
        if is_same { Ok(Some(current)) } else { Err(crate::core::refusal::Refusal::RequestIdReused.into()) }
    }

    /// Changes the settings.
    pub(crate) async fn update(
        &self,
        caller: &Caller,
        change: &Change,
        settings: &SettingsChange,
        reason: String,
    ) -> Result<Current> {
        self.carry_out(caller, Act::EditSettings, change, |event, _| {
            let settings = settings.on(&event.settings).map_err(Error::Call)?;
            Ok(event.change_settings(settings, reason.clone(), self.env.now())?.into())
        })
        .await
    }

    /// Adopts the supplement.
    pub(crate) async fn adopt(&self, caller: &Caller, change: &Change) -> Result<Current> {
        self.carry_out(caller, Act::Adopt, change, |event, _| Ok(event.adopt(self.env.now())?.into())).await
    }

    /// Goes on to the next stage, which the caller names, so that two who do so at once go one stage and not two.
    pub(crate) async fn advance(&self, caller: &Caller, change: &Change, to: Stage) -> Result<Current> {
        self.carry_out(caller, Act::Advance, change, |event, _| {
            if event.stage.next() == Some(to) {
                Ok(event.advance(self.env.now())?.into())
            } else {
                Err(Refusal::NotAllowed(crate::core::event::NotAllowed::Stage(event.stage)).into())
            }
        })
        .await
    }

    /// Calls it off.
    pub(crate) async fn cancel(&self, caller: &Caller, change: &Change, reason: String) -> Result<Current> {
        self.carry_out(caller, Act::Cancel, change, |_, _| {
            Ok(vec![Fact::Cancelled { reason: reason.clone() }].into())
        })
        .await
    }

    /// Ticks an item off, or opens it again.
    pub(crate) async fn check_off(
        &self,
        caller: &Caller,
        change: &Change,
        item: CheckItem,
        done: bool,
    ) -> Result<Current> {
        self.carry_out(caller, Act::Check, change, |event, _| Ok(event.check_off(item, done)?.into())).await
    }

    /// Gives an office.
    pub(crate) async fn appoint(
        &self,
        caller: &Caller,
        change: &Change,
        account: AccountId,
        role: Role,
    ) -> Result<Current> {
        self.carry_out(caller, appointing(role), change, |event, _| Ok(event.appoint(account, role)?.into()))
            .await
    }

    /// Takes an office away.
    pub(crate) async fn dismiss(
        &self,
        caller: &Caller,
        change: &Change,
        (account, role): (AccountId, Role),
        reason: String,
    ) -> Result<Current> {
        let note = self.note(reason);
        self.carry_out(caller, appointing(role), change, |event, _| {
            let facts = event.dismiss(account, role, note.sealed())?;
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    /// Draws the secret of the draws, and commits to it.
    pub(crate) async fn commit_seed(&self, caller: &Caller, change: &Change) -> Result<Current> {
        let secret = self.env.bytes();
        self.carry_out(caller, Act::CommitSeed, change, |event, _| {
            let facts = event.commit_seed(seeds::head(&secret))?;
            Ok(Decided { facts, seed: Some(secret), ..Decided::default() })
        })
        .await
    }

    /// Enters somebody; with where he plays in other events at the same time, which is no reason not to.
    pub(crate) async fn enter(
        &self,
        caller: &Caller,
        change: &Change,
        entry: Entry,
    ) -> Result<(Current, Times)> {
        let act =
            if entry.member.is_some() || entry.is_of_officials() { Act::EnterOthers } else { Act::Enter };
        let current = self.current(change.event).await?;
        let asker = self.asker(&current.event, caller, act, None).await?;
        let member = entry.member.or(asker.member).ok_or(crate::core::refusal::Refusal::UnknownMember)?;
        let person = self
            .people
            .member(current.event.federation, member)
            .await?
            .ok_or(crate::core::refusal::Refusal::UnknownMember)?;
        let ids = self.people.by_every_id(current.event.federation, [person.id]).await?;
        let entered = self
            .carry_out(caller, act, change, |event, _| {
                let entrant = Entrant {
                    number: Number(0),
                    member: person.id,
                    account: person.account,
                    affiliations: entry.affiliations.clone(),
                    rating: entry.rating,
                    grade: entry.grade,
                    accepts: entry.version,
                    from_round: 0,
                };
                let facts = event.enter(entrant, self.env.now())?;
                event.none_entered(&ids)?;
                Ok(facts.into())
            })
            .await?;
        let conflicts = match person.account {
            Some(account) => self.conflicts(account, &entered.event).await,
            None => Ok(Times::new()),
        };
        let conflicts = conflicts.unwrap_or_else(|error| {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(event = %change.event, error, "nobody was warned of what collides with an entry");
            Times::new()
        });
        Ok((entered, conflicts))
    }

    /// Corrects an entry.
    pub(crate) async fn update_entry(
        &self,
        caller: &Caller,
        change: &Change,
        correction: &Correction,
    ) -> Result<Current> {
        let current = self.current(change.event).await?;
        self.asker(&current.event, caller, Act::EnterOthers, None).await?;
        let number = correction.number;
        let entered = current.event.participant(number).ok_or(Refusal::UnknownNumber(number))?;
        let person = self.people.member(current.event.federation, entered.entrant.member).await?;
        let account = person.and_then(|person| person.account);
        self.carry_out(caller, Act::EnterOthers, change, |event, _| {
            let update = EntryUpdate { account, ..correction.on(event.entry(number)?) };
            Ok(event.update_entry(update)?.into())
        })
        .await
    }

    /// Accepts the supplement.
    pub(crate) async fn accept(&self, caller: &Caller, change: &Change, version: u32) -> Result<Current> {
        // A captain accepts for his whole team.
        let is_captain = self.current(change.event).await?.event.captained_by(caller.id).is_some();
        let act = if is_captain { Act::LeadTeam } else { Act::Withdraw };
        self.carry_out(caller, act, change, |event, asker| {
            let facts = match event.captained_by(asker.account) {
                Some(team) => event.accept_of_team(team.number(), version)?,
                None => event.accept(asker.number()?, version)?,
            };
            Ok(facts.into())
        })
        .await
    }

    /// Writes one more row of what somebody is. A player leaves, is away or asks for a bye by himself.
    pub(crate) async fn change_entry(
        &self,
        caller: &Caller,
        change: &Change,
        (number, status): (Option<Number>, Status),
        reason: String,
    ) -> Result<Current> {
        let act = if number.is_none() && is_ones_own(status) { Act::Withdraw } else { Act::ChangeEntry };
        let note = (!reason.is_empty()).then(|| self.note(reason));
        self.carry_out(caller, act, change, |event, asker| {
            let number = match number {
                Some(number) => number,
                None => asker.number()?,
            };
            if act == Act::ChangeEntry {
                event.not_own_entry(&[number], &asker.official())?;
            }
            let reason = note.as_ref().map(Note::sealed);
            let facts = event.change_status(StatusChange { number, status, reason })?;
            Ok(Decided::noted(facts, &note))
        })
        .await
    }

    /// Forbids two to meet.
    pub(crate) async fn prohibit(
        &self,
        caller: &Caller,
        change: &Change,
        (pair, rounds): ([Number; 2], [u16; 2]),
        reason: String,
    ) -> Result<Current> {
        let note = self.note(reason);
        self.carry_out(caller, Act::Prohibit, change, |event, _| {
            let facts = event.prohibit(pair, rounds, note.sealed())?;
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    /// Has places shared, or drawn by lot, that a play-off was to decide.
    pub(crate) async fn settle_ties(
        &self,
        caller: &Caller,
        change: &Change,
        ties: Ties,
        reason: String,
    ) -> Result<Current> {
        self.carry_out(caller, Act::SettleTies, change, |event, asker| {
            Ok(event.settle_ties(ties, reason.clone(), &asker.official())?.into())
        })
        .await
    }

    /// Files the chief arbiter's report.
    pub(crate) async fn file_report(
        &self,
        caller: &Caller,
        change: &Change,
        text: String,
    ) -> Result<Current> {
        let note = self.note(text);
        self.carry_out(caller, Act::FilePapers, change, |_, _| {
            let facts = vec![Fact::ReportFiled { text: note.sealed() }];
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    /// Assesses an arbiter.
    pub(crate) async fn assess(
        &self,
        caller: &Caller,
        change: &Change,
        account: AccountId,
        text: String,
    ) -> Result<Current> {
        let note = self.note(text);
        self.carry_out(caller, Act::FilePapers, change, |event, _| {
            if !event.arbiters.contains(&account) {
                return Err(Refusal::Office("he was no arbiter of this event").into());
            }
            let facts = vec![Fact::ArbiterAssessed { account, text: note.sealed() }];
            Ok(Decided::noted(facts, [&note]))
        })
        .await
    }

    pub(super) fn note(&self, text: String) -> Note {
        Note::new(text, self.env.bytes())
    }
}

/// Whether an event is one of a season, whose id nobody else could have given it.
pub(super) fn follows_from_season(event: EventId) -> bool {
    event.uuid().get_version_num() == IDS_THAT_FOLLOW
}

/// What one says of oneself, and a captain of his team: that one leaves, is away, or asks for less than a win.
pub(super) const fn is_ones_own(status: Status) -> bool {
    use pairing::ResultCode::{ByeHalf, ByeZero};
    matches!(
        status,
        Status::Withdrawn { .. } | Status::Absent { .. } | Status::Bye { code: ByeHalf | ByeZero, .. }
    )
}
