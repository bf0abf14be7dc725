//! Computes lists anew from what is stored of them.

use strength::Digest;

use super::RatingLists;
use crate::{
    core::rating_list::{
        Published, Refusal,
        plan::{Verdict, verify},
    },
    error::Result,
    store::rating_list::step::{self, Packed, Stored},
    wire::rating_list::Which,
};

impl RatingLists {
    /// What comes of the steps to a list when they are made once more: the number of each, the digest of its input, and
    /// whether it is what was published.
    pub(crate) async fn verify(&self, which: Which) -> Result<Vec<(u32, Digest, Verdict)>> {
        let list = self.list(which).await?;
        let on = self.desk.database.read();
        let mut before = match list.recomputed_from {
            1 => None,
            first => step::last(on, list.policy, first - 1, Some(list.number)).await?.map(|it| it.list),
        };
        let mut verdicts = Vec::new();
        for made in list.recomputed_from..=list.number {
            let stored = step::find(on, list.policy, list.number, made).await?.ok_or(Refusal::UnknownList)?;
            let (input, after) = (stored.input.digest, stored.list.clone());
            let published = (made == list.number).then(|| list.clone());
            let work = move || judge(&stored, before.as_ref(), published.as_ref());
            verdicts.push((made, input, self.verified.work(work).await??));
            before = Some(after);
        }
        Ok(verdicts)
    }
}

/// Holds a step to what is stored, and the last one also to what was published.
fn judge(stored: &Stored, before: Option<&Packed>, published: Option<&Published>) -> Result<Verdict> {
    let before = before.map(Packed::open).transpose()?;
    let digests = (stored.input.digest, stored.list.digest);
    let mut verdict = verify(&stored.input.open()?, &stored.list.open()?, digests, before.as_deref());
    if published.is_some_and(|published| (published.input, published.list) != digests) {
        verdict.fault.get_or_insert_with(|| "what is stored is not what was published".to_owned());
    }
    Ok(verdict)
}
