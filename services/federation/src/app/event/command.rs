//! The way of a change: who may, what it is, what is written.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use chassis::{
    auth::Caller,
    database::{Contention as _, StoreError, Transaction},
    id::{AccountId, EventId, MemberId, RequestId},
    outbox::OutboxMessage,
};
use pairing::Number;
use parking_lot::Mutex;

use super::{
    Events,
    engaging::{self, Sides},
    obligations::obligations,
    promotions,
    registry::Current,
};
use crate::{
    app::notices::Written,
    core::event::{
        Act, Actor, Event, Fact, LogEntry, Official, Opening, Participant, Refusal, Role, TeamFact,
        role::allowed, team::OfRound, told,
    },
    core::notice::Telling,
    core::refusal::Refusal::RequestIdReused,
    error::{Error, Result},
    store::event::{
        draft, draft_request, engagement, line_up, log,
        note::{self, Note},
        seed,
    },
    wire::event::request::Change,
};

/// Attempts at writing where others write to the same event; each failure means that somebody else got through.
pub(super) const ATTEMPTS_MAX: u32 = 32;

/// What is to be written.
#[derive(Default)]
pub(super) struct Decided {
    /// The facts.
    pub facts: Vec<Fact>,
    /// What stands beside the log.
    pub notes: Vec<Note>,
    /// The secret that is committed to.
    pub seed: Option<[u8; 32]>,
    /// What opens a line-up, and whose it is: kept beside the log until it is public.
    pub opening: Option<(OfRound, Opening)>,
    /// The role in which it is done, where that is not the first that may.
    pub as_role: Option<Role>,
    /// Who would be engaged by what two sides agree on; nobody of them plays elsewhere then.
    pub engages: Option<Sides>,
    /// The revision of the draft that becomes public.
    pub publishes: Option<RequestId>,
}

impl Decided {
    /// Facts with what stands beside the log for them.
    pub(super) fn noted<'a>(facts: Vec<Fact>, notes: impl IntoIterator<Item = &'a Note>) -> Decided {
        Decided { facts, notes: notes.into_iter().cloned().collect(), ..Decided::default() }
    }
}

impl From<Vec<Fact>> for Decided {
    fn from(facts: Vec<Fact>) -> Decided {
        Decided { facts, ..Decided::default() }
    }
}

/// Who asks for something, and as what.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    pub account: AccountId,
    pub role: Role,
    pub roles: BTreeSet<Role>,
    /// As which entrant he may act: himself, or the one for whom he is a proxy.
    pub player: Option<Number>,
    /// For whom he acts as a proxy.
    pub on_behalf_of: Option<MemberId>,
    pub member: Option<MemberId>,
    /// The members for whom he is a proxy, and he himself, by every id; asked for where he decides about others.
    represents: BTreeSet<MemberId>,
}

/// Acts by which somebody decides about others, and not where he has a part himself.
const DECISIONS: [Act; 13] = [
    Act::ChangeEntry,
    Act::ChangeTeam,
    Act::GrantLeave,
    Act::ChangeRoster,
    Act::Pair,
    Act::SettleTies,
    Act::AnswerForOthers,
    Act::EnterResult,
    Act::DecideResult,
    Act::ConfirmResult,
    Act::Rule,
    Act::RuleOnAppeal,
    Act::Amend,
];

impl Asker {
    /// The number of the entrant as whom he acts.
    pub(super) fn number(&self) -> Result<Number> {
        Ok(self.player.ok_or(Refusal::UnknownNumber(Number(0)))?)
    }

    /// Him, as one who decides.
    pub(super) fn official(&self) -> Official {
        Official { account: self.account, represents: self.represents.clone() }
    }
}

impl Events {
    /// The roles that somebody has in an event: by the event, and by its federation.
    pub(super) async fn roles(
        &self,
        event: &Event,
        account: AccountId,
    ) -> Result<(BTreeSet<Role>, Option<MemberId>)> {
        let standing = self.people.standing(event.federation, account).await?.unwrap_or_default();
        let mut roles = event.roles_of(account);
        roles.extend(standing.roles);
        roles.insert(Role::Public);
        Ok((roles, standing.member))
    }

    /// As what somebody may do something in an event, and as which entrant.
    pub(super) async fn asker(
        &self,
        event: &Event,
        caller: &Caller,
        act: Act,
        as_number: Option<Number>,
    ) -> Result<Asker> {
        let (mut roles, member) = self.roles(event, caller.id).await?;
        let own = event.of_account(caller.id).map(Participant::number);
        // Who enters does so for himself.
        let acts_himself = act == Act::Enter || own.is_some() && (as_number.is_none() || as_number == own);
        let mut represents = if acts_himself && !DECISIONS.contains(&act) {
            BTreeSet::new()
        } else {
            self.represented(event, caller.id).await?
        };
        let represented = if acts_himself { None } else { only_one(event, &represents, as_number) };
        let player =
            represented.map(|it| it.0).or(own).filter(|it| as_number.is_none_or(|asked| asked == *it));
        if player.is_some() {
            roles.insert(Role::Player);
        } else {
            roles.remove(&Role::Player);
        }
        if event.stage == crate::core::event::Stage::Draft
            && allowed(Act::ReadDraft, &roles, event.stage).is_err()
        {
            return Err(Error::UnknownEvent);
        }
        let role = allowed(act, &roles, event.stage).map_err(Refusal::from)?;
        let on_behalf_of = represented.filter(|_| role == Role::Player).map(|it| it.1);
        if DECISIONS.contains(&act) {
            represents.extend(self.people.by_every_id(event.federation, member).await?);
        }
        Ok(Asker { account: caller.id, role, roles, member, player, on_behalf_of, represents })
    }

    /// Somebody as one who decides.
    pub(crate) async fn official(&self, event: &Event, account: AccountId) -> Result<Official> {
        let mut represents = self.represented(event, account).await?;
        let standing = self.people.standing(event.federation, account).await?.unwrap_or_default();
        represents.extend(self.people.by_every_id(event.federation, standing.member).await?);
        Ok(Official { account, represents })
    }

    /// The members for whom somebody is a proxy, by every id.
    async fn represented(&self, event: &Event, account: AccountId) -> Result<BTreeSet<MemberId>> {
        let members = self.people.represented(event.federation, account).await?;
        Ok(self.people.by_every_id(event.federation, members).await?)
    }

    /// An event for somebody whose act it knows already: he is told what he was told then, whoever has looked at it since.
    pub(super) async fn told_again(&self, caller: &Caller, current: Current) -> Result<Current> {
        let roles = self.roles(&current.event, caller.id).await?.0;
        Ok(Current { by_official: sees_behind(&roles, &current.event), ..current })
    }

    /// Carries a change out: decides by the event as it is, writes, and begins again when somebody else was faster.
    pub(super) async fn carry_out(
        &self,
        caller: &Caller,
        act: Act,
        change: &Change,
        decide: impl Fn(&Event, &Asker) -> Result<Decided> + Send + Sync,
    ) -> Result<Current> {
        for _ in 0..ATTEMPTS_MAX {
            let current = self.current(change.event).await?;
            if self.is_made(change).await? {
                return self.told_again(caller, current).await;
            }
            if change.expected.is_some_and(|expected| expected != current.event.sequence) {
                return Err(Error::SequenceMoved(current.event.sequence));
            }
            let asker = self.asker(&current.event, caller, act, change.as_number).await?;
            let decided = decide(&current.event, &asker)?;
            let role = decided.as_role.unwrap_or(asker.role);
            let (account, on_behalf_of) = (asker.account, asker.on_behalf_of);
            let actor = Actor::Person { account, role, on_behalf_of };
            match self.write(&current, actor, Some(change), decided).await {
                Err(Error::Store(error)) if error.is_contended() => {}
                written => {
                    let by_official = sees_behind(&asker.roles, &current.event);
                    return written.map(|current| Current { by_official, ..current });
                }
            }
        }
        Err(StoreError::Contended.into())
    }

    /// Whether a change was made before: in the log, or in a draft beside it.
    ///
    /// # Errors
    /// When its request asked for something else then.
    pub(super) async fn is_made(&self, change: &Change) -> Result<bool> {
        let on = self.database.read();
        let mut digest = log::request(on, change.event, change.request).await?;
        if digest.is_none() {
            digest = draft_request::find(on, change.event, change.request).await?;
        }
        match digest {
            Some(digest) if digest != change.digest => Err(RequestIdReused.into()),
            digest => Ok(digest.is_some()),
        }
    }

    /// Carries out what nobody asked for: the server by itself.
    pub(super) async fn carry_out_itself(
        &self,
        event: EventId,
        decide: impl Fn(&Event) -> Result<Vec<Fact>> + Send + Sync,
    ) -> Result<Current> {
        for _ in 0..ATTEMPTS_MAX {
            let current = self.current(event).await?;
            let facts = decide(&current.event)?;
            match self.write(&current, Actor::Server, None, facts.into()).await {
                Err(Error::Store(error)) if error.is_contended() => {}
                written => return written,
            }
        }
        Err(StoreError::Contended.into())
    }

    async fn write(
        &self,
        current: &Current,
        actor: Actor,
        change: Option<&Change>,
        decided: Decided,
    ) -> Result<Current> {
        if decided.facts.is_empty() {
            return Ok(current.clone());
        }
        let request = change.map(|change| change.request);
        let entries = numbered(&current.event, self.env.now(), actor, request, decided.facts);
        let mut next = current.clone();
        let mut owed: Vec<OutboxMessage> = Vec::new();
        let mut tellings: Vec<Telling> = Vec::new();
        for entry in &entries {
            tellings.extend(told(&next.event, entry));
            let event = Arc::make_mut(&mut next.event);
            event.apply(entry)?;
            owed.extend(obligations(event, &entry.fact));
        }
        if change.is_some_and(|change| change.validate_only) {
            return Ok(next);
        }
        let engagements = next.event.engagements(&entries);
        let opened: Vec<OfRound> = entries.iter().filter_map(|entry| opened(&entry.fact)).collect();
        let stored = log::sealed(current.event.id, entries, Some(current.hash));
        let promotions = self.promotions(&next.event, &stored).await?;
        next.hash = stored.last().map_or(current.hash, |last| last.hash);
        let id = current.event.id;
        let Decided { notes, seed: secret, opening, publishes, engages, .. } = decided;
        let is_changed = AtomicBool::new(false);
        let is_refused: Mutex<Option<Refusal>> = Mutex::new(None);
        let refused = &is_refused;
        let changed = &is_changed;
        let written = Mutex::new(Written::default());
        let mailed = &written;
        let notes = placed(&stored, notes);
        let promoting = Arc::clone(&next.event);
        let beside = |transaction: Arc<Transaction>| async move {
            note::insert(&*transaction, id, &notes).await?;
            if let Some(secret) = secret {
                seed::insert(&*transaction, &self.vault, id, &secret).await?;
            }
            if let Some((of, opening)) = opening {
                line_up::put(&*transaction, &self.vault, id, of, &opening).await?;
            }
            line_up::delete(&*transaction, id, &opened).await?;
            if let Some(read) = publishes
                && !draft::delete(&*transaction, id, read).await?
            {
                changed.store(true, Ordering::Relaxed);
                return Err(StoreError::Contended);
            }
            if let Some((sides, by)) = engages.zip(actor.account()) {
                engagement::lock(&*transaction, &sides.concat()).await?;
                if let Some(refusal) = engaging::refused(&*transaction, id, by, &sides).await? {
                    *refused.lock() = Some(refusal);
                    return Err(StoreError::Contended);
                }
            }
            engagement::write(&*transaction, id, &engagements).await?;
            self.outbox.insert(&*transaction, owed).await?;
            if let Some(promotions) = promotions {
                tellings.extend(promotions::propose(&transaction, &promoting, promotions).await?);
            }
            // Last: whoever tells the same accounts something waits from here on.
            let written = self.notices.write(&transaction, tellings).await?;
            *mailed.lock() = written;
            Ok(())
        };
        let appended = self.append(&next, &stored, change.map(|change| &change.digest), beside).await;
        // What was decided is of a draft that is no more: to write it again would not help.
        if is_changed.into_inner() {
            return Err(Error::DraftChanged);
        }
        if let Some(refusal) = is_refused.into_inner() {
            return Err(refusal.into());
        }
        appended?;
        self.notices.tell(written.into_inner()).await;
        Ok(next)
    }
}

/// The entrant for whom the proxy of these members acts: the one he names, or the only one. Who is one for several and
/// names none says nothing that could be told apart, and so acts for none of them.
fn only_one(
    event: &Event,
    members: &BTreeSet<MemberId>,
    as_number: Option<Number>,
) -> Option<(Number, MemberId)> {
    let mut entered = members
        .iter()
        .filter_map(|member| Some((event.of_member(*member)?.number(), *member)))
        .filter(|(number, _)| as_number.is_none_or(|asked| asked == *number));
    let first = entered.next();
    if entered.next().is_some() { None } else { first }
}

/// Whether somebody of these roles sees what is not for the public.
pub(super) fn sees_behind(roles: &BTreeSet<Role>, event: &Event) -> bool {
    allowed(Act::SeeUndelayed, roles, event.stage).is_ok()
}

/// Notes with the entries that have their hashes.
fn placed(entries: &[log::Stored], notes: Vec<Note>) -> Vec<(u64, Note)> {
    let entry_of = |note: &Note| entries.iter().find(|it| it.entry.fact.sealed() == Some(note.sealed()));
    notes
        .into_iter()
        .filter_map(|note| entry_of(&note).map(|it| it.entry.sequence).map(|sequence| (sequence, note)))
        .collect()
}

/// The line-up that a fact makes public.
const fn opened(fact: &Fact) -> Option<OfRound> {
    match fact {
        Fact::Team(TeamFact::Revealed { round, team, .. }) => Some((*round, *team)),
        _ => None,
    }
}

/// Facts as the next entries of a log.
pub(super) fn numbered(
    event: &Event,
    at: time::OffsetDateTime,
    actor: Actor,
    request: Option<RequestId>,
    facts: Vec<Fact>,
) -> Vec<LogEntry> {
    // Time never runs backwards in a log, whatever the platform's does.
    let at = at.max(event.updated);
    (event.sequence + 1..)
        .zip(facts)
        .map(|(sequence, fact)| LogEntry { sequence, at, actor, request, fact })
        .collect()
}
