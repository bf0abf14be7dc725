//! Looks at events: what of them counts, and what has changed of what was counted.

use std::collections::BTreeMap;

use chassis::id::{EventId, RatingPolicyId};
use strength::EventGames;

use super::RatingLists;
use crate::{
    core::rating_list::{
        Counted, Policy, Refusal,
        limits::{EVENTS_MAX, REACH},
        plan::digest_of_games,
    },
    error::Result,
    store::{
        event::head,
        rating_list::{
            event::{self, LookedAt},
            policy,
        },
    },
    wire::rating_list::speed,
};

/// What there is to count.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Events that no list has counted.
    pub new: Vec<EventGames>,
    /// Events that count otherwise now, by the list that counted them first; without games where they count no more.
    pub changed: BTreeMap<u32, Vec<EventGames>>,
    /// How each event was looked at.
    pub notes: BTreeMap<EventId, LookedAt>,
    /// Events that have changed after too many lists.
    pub too_old: usize,
}

impl RatingLists {
    /// Looks at every event that is final, for the list of a number. What was looked at before, and has not changed, is not
    /// read again.
    pub(super) async fn look(&self, policy: &Policy, number: u32) -> Result<Seen> {
        let on = self.desk.database.read();
        let known = event::of(on, policy.id).await?;
        let mut seen = Seen::default();
        let mut rules = Rules { current: policy, earlier: BTreeMap::new() };
        for (id, sequence) in head::all_final(on, policy.federation).await? {
            let before = known.get(&id);
            if before.is_some_and(|it| it.sequence == sequence && it.looked == policy.version) {
                continue;
            }
            let counted_in = before.and_then(|it| it.step);
            if counted_in.is_some_and(|step| number - step > REACH) {
                seen.too_old += 1;
                continue;
            }
            let rule = match before.filter(|it| it.step.is_some()) {
                Some(it) => rules.of(self, it.version).await?,
                None => policy.counted.clone(),
            };
            let games = self.games(id, &rule).await?;
            seen.take(id, games, before, (policy.version, number));
            if seen.new.len() + seen.changed.values().map(Vec::len).sum::<usize>() > EVENTS_MAX {
                return Err(Refusal::TooLarge("events", EVENTS_MAX).into());
            }
        }
        Ok(seen)
    }

    /// The games of an event that count by a rule; an event without games where it does not.
    async fn games(&self, id: EventId, rule: &Counted) -> Result<EventGames> {
        let event = self.events.glance(id).await?;
        let games = rule.games(&event, speed(&event.settings.game.time_control));
        let none = EventGames { event: *id.uuid().as_bytes(), sequence: event.sequence, games: Vec::new() };
        Ok(games.unwrap_or(none))
    }
}

impl Seen {
    /// Takes an event in as it was looked at.
    fn take(
        &mut self,
        id: EventId,
        games: EventGames,
        before: Option<&LookedAt>,
        (looked, number): (u32, u32),
    ) {
        let (digest, sequence) = (digest_of_games(&games), games.sequence);
        let note = match before {
            Some(it) if it.step.is_some() => LookedAt { looked, sequence, digest, ..*it },
            _ => {
                let step = (!games.games.is_empty()).then_some(number);
                LookedAt { step, version: looked, looked, sequence, digest }
            }
        };
        self.notes.insert(id, note);
        match before.and_then(|it| it.step) {
            Some(step) if before.is_some_and(|it| it.digest != digest) => {
                self.changed.entry(step).or_default().push(games);
            }
            None if !games.games.is_empty() => self.new.push(games),
            _ => {}
        }
    }
}

/// By which rules events count: each by the version of the policy that counted it first, with what is excluded now.
struct Rules<'a> {
    current: &'a Policy,
    earlier: BTreeMap<u32, Counted>,
}

impl Rules<'_> {
    async fn of(&mut self, lists: &RatingLists, version: u32) -> Result<Counted> {
        if let Some(known) = self.earlier.get(&version) {
            return Ok(known.clone());
        }
        let (on, id): (_, RatingPolicyId) = (lists.desk.database.read(), self.current.id);
        let found = policy::find(on, id, Some(version)).await?.ok_or(Refusal::UnknownPolicy)?;
        let rule = Counted { excluded: self.current.counted.excluded.clone(), ..found.counted };
        self.earlier.insert(version, rule.clone());
        Ok(rule)
    }
}
