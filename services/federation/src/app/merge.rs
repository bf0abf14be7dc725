//! Makes one member of two who are the same person.

use super::{Change, desk::Made, turn::Turn};
use crate::{
    core::{
        member::{Member, Merge, Person, Seen, State},
        permit::Act,
        refusal::Refusal,
        stay,
    },
    error::Result,
    store,
};

impl Change for Merge {
    type Told = Seen;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        if self.keep == self.double {
            return Err(Refusal::NoDouble.into());
        }
        let mut keep = turn.active(self.keep).await?;
        turn.require(keep.federation, Act::KeepPersons).await?;
        let found = store::member::find(turn.on, self.double).await?.ok_or(Refusal::UnknownMember)?;
        if found.federation != keep.federation {
            return Err(Refusal::NoDouble.into());
        }
        let mut double = found;
        if !matches!(double.state, State::Active | State::Left(_)) {
            return Err(Refusal::NotActive.into());
        }
        if keep.account.is_some() && double.account.is_some() {
            return Err(Refusal::AccountsDiffer.into());
        }
        unite(&mut keep, &mut double);
        // Whoever led to the double leads to the one who stays, so that no way is longer than one step.
        let mut written = store::member::doubles(turn.on, &double).await?;
        for before in &mut written {
            before.state = State::Merged(keep.id);
        }
        // The double first: an account and a number are one member's at any moment.
        written.push(double);
        store::member::update(turn.on, &written).await?;
        store::member::update(turn.on, &[keep]).await?;
        for mut team in store::team::with(turn.on, self.double).await? {
            team.replace(self.double, self.keep);
            team.revision += 1;
            store::team::update(turn.on, &team).await?;
        }
        store::proxy::hand_over(turn.on, self.double, self.keep).await?;
        store::award::hand_over(turn.on, self.double, self.keep).await?;
        tracing::info!(member.id = %self.keep, double.id = %self.double, account.id = %turn.caller.id, "two members were made one");
        Ok(self.keep.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Seen> {
        turn.seen(made.id.into()).await
    }
}

/// Gives what the double has to the one who stays. The double keeps its name alone, for whoever looks the id up.
fn unite(keep: &mut Member, double: &mut Member) {
    keep.stays = stay::unite(&keep.stays, &double.stays);
    keep.joined = keep.joined.min(double.joined);
    keep.account = keep.account.or(double.account.take());
    keep.revision += 1;
    let name = double.person.name.clone();
    keep.person.complete(std::mem::take(&mut double.person));
    double.person = Person { name, ..Person::default() };
    double.stays = Vec::new();
    double.state = State::Merged(keep.id);
    double.revision += 1;
}
