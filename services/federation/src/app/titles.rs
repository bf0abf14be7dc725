//! Titles and grades: the catalogue, proposals, awards and revocations.

use chassis::{auth::Caller, id::MemberId};
use uuid::Uuid;

use super::{
    Change, Desk,
    desk::Made,
    turn::{Turn, room, standings},
};
use crate::{
    core::{
        limits::PROXIES_MAX,
        member::{Member, State as Standing},
        notice::{About, Kind as Told, To},
        official::Role,
        permit::{Act, Standing as Who, may},
        refusal::Refusal,
        title::{
            Award, Create, Decide, Judge, Kind, PROPOSALS_MAX, Propose, Retire, State, TITLES_MAX, Title,
            Undecided, Verdict, best_grade,
        },
    },
    error::{Error, Result},
    store::{self, award, event::head, title},
    wire::title::List,
};

/// Who is told that a proposal waits: those who may award it.
pub(super) const WHO_AWARDS: &[Role] = &[Role::Administrator, Role::Committee];

impl Change for Create {
    type Told = Title;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.federation).await?.id;
        turn.require(federation, Act::KeepTitles).await?;
        self.check().map_err(Refusal::BadTitle)?;
        let known = title::list(turn.on, federation).await?;
        room(known.len() as u64, TITLES_MAX as u64, "titles of a federation")?;
        let is_same = |other: &Title| {
            let same_rank = self.kind == Kind::Grade && other.kind == Kind::Grade && other.rank == self.rank;
            other.retired.is_none() && (same_rank || other.name.key() == self.name.key())
        };
        if known.iter().any(is_same) {
            return Err(Refusal::TitleExists.into());
        }
        let Create { name, kind, rank, .. } = self.clone();
        let title = Title { id: turn.desk.env.uuid(), federation, name, kind, rank, retired: None };
        title::insert(turn.on, &title).await?;
        Ok(title.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Title> {
        Ok(title::find(turn.on, made.id).await?.ok_or(Refusal::UnknownTitle)?)
    }
}

impl Change for Retire {
    type Told = Title;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut title = of_catalogue(turn, self.id).await?;
        turn.require(title.federation, Act::KeepTitles).await?;
        if title.retired.is_none() {
            title.retired = Some(turn.now());
            title::update(turn.on, &title).await?;
        }
        Ok(self.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Title> {
        Ok(title::find(turn.on, made.id).await?.ok_or(Refusal::UnknownTitle)?)
    }
}

impl Change for Propose {
    type Told = Award;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let title = of_catalogue(turn, self.title).await?;
        let federation = title.federation;
        turn.require(federation, Act::AwardTitles).await?;
        if self.reason.is_empty() {
            return Err(Refusal::BadTitle("say why").into());
        }
        if title.retired.is_some() {
            return Err(Refusal::Ended.into());
        }
        let member = store::member::find(turn.on, self.member).await?;
        let member = member.filter(|member| member.federation == federation).ok_or(Refusal::UnknownMember)?;
        can_be_awarded(turn, &member, &title).await?;
        let open = award::of_member(turn.on, member.id, State::Proposed).await?;
        if open.iter().any(|award| award.title == title.id) {
            return Err(Refusal::TitleProposed.into());
        }
        room(award::waiting(turn.on, federation).await?, PROPOSALS_MAX, "proposals of titles that wait")?;
        for event in &self.events {
            let _known = head::of(turn.on, *event).await?.ok_or(Error::UnknownEvent)?;
        }
        let award = Award {
            id: turn.desk.env.uuid(),
            federation,
            title: title.id,
            member: member.id,
            state: State::Proposed,
            reason: self.reason.clone(),
            events: self.events.clone(),
            proposed_by: turn.caller.id,
            proposed: turn.now(),
            decided: None,
            effective: None,
            refusal: String::new(),
            revoked: None,
            revocation: String::new(),
        };
        award::insert(turn.on, std::slice::from_ref(&award)).await?;
        turn.inform(To::Officials(federation, WHO_AWARDS), Told::TitleWaits, about(&award), &[award.id]);
        Ok(award.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Award> {
        tell(turn, made).await
    }
}

impl Change for Decide {
    type Told = Award;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let found = award::find(turn.on, self.id).await?.ok_or(Refusal::UnknownAward)?;
        turn.federation(found.federation).await?;
        let award = award::find(turn.on, self.id).await?.ok_or(Refusal::UnknownAward)?;
        turn.require(award.federation, Act::AwardTitles).await?;
        if let Verdict::Refuse(why) | Verdict::Revoke(why) = &self.verdict
            && why.is_empty()
        {
            return Err(Refusal::BadTitle("say why").into());
        }
        let title = title::find(turn.on, award.title).await?.ok_or(Refusal::UnknownTitle)?;
        let member = store::member::find(turn.on, award.member).await?.ok_or(Refusal::UnknownMember)?;
        let decided = award.decide(&self.verdict, judge(turn, &member).await?, turn.now());
        let award = decided.map_err(|undecided| match undecided {
            Undecided::Decided => Refusal::AlreadyAnswered,
            Undecided::SecondPerson => Refusal::SecondPerson,
            Undecided::Date => Refusal::TitleAhead,
        })?;
        let told = match self.verdict {
            Verdict::Award(_) => {
                can_be_awarded(turn, &member, &title).await?;
                Told::TitleAwarded
            }
            Verdict::Refuse(_) => Told::TitleRefused,
            Verdict::Revoke(_) => Told::TitleRevoked,
        };
        award::update(turn.on, &award).await?;
        if title.kind == Kind::Grade && !matches!(self.verdict, Verdict::Refuse(_)) {
            grade(turn, member).await?;
        }
        // That he was proposed he need not have known: of a refusal the one is told who has proposed it.
        let to = match self.verdict {
            Verdict::Refuse(_) => To::Account(award.proposed_by),
            Verdict::Award(_) | Verdict::Revoke(_) => To::Member(award.member),
        };
        turn.inform(to, told, about(&award), &[award.id]);
        tracing::info!(award.id = %award.id, member.id = %award.member, account.id = %turn.caller.id, state = ?award.state, "a title was decided on");
        Ok(self.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Award> {
        tell(turn, made).await
    }
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Award> {
    Ok(award::find(turn.on, made.id).await?.ok_or(Refusal::UnknownAward)?)
}

fn about(award: &Award) -> About {
    About {
        federation: Some(award.federation),
        member: Some(award.member),
        title: Some(award.title),
        award: Some(award.id),
        ..About::default()
    }
}

/// A title, of a federation that is locked then.
async fn of_catalogue(turn: &Turn<'_>, id: Uuid) -> Result<Title> {
    let found = title::find(turn.on, id).await?.ok_or(Refusal::UnknownTitle)?;
    turn.federation(found.federation).await?;
    Ok(title::find(turn.on, id).await?.ok_or(Refusal::UnknownTitle)?)
}

/// Makes sure that a member is one now, and can get a title that he does not have.
async fn can_be_awarded(turn: &Turn<'_>, member: &Member, title: &Title) -> Result<()> {
    if title.retired.is_some() {
        return Err(Refusal::Ended.into());
    }
    if member.state != Standing::Active {
        return Err(Refusal::NotActive.into());
    }
    let held = award::of_member(turn.on, member.id, State::Awarded).await?;
    if held.iter().any(|award| award.title == title.id) {
        return Err(Refusal::TitleHeld.into());
    }
    Ok(())
}

/// Who decides about an award of a member.
async fn judge(turn: &Turn<'_>, member: &Member) -> Result<Judge> {
    let account = turn.caller.id;
    let proxies = store::proxy::list(turn.on, member.id, false, None, PROXIES_MAX + 1).await?;
    let is_partial = member.account == Some(account) || proxies.iter().any(|proxy| proxy.account == account);
    Ok(Judge { account, is_partial })
}

/// Has a member have the best grade that he holds, or none. Of one who was forgotten nothing is written.
async fn grade(turn: &Turn<'_>, mut member: Member) -> Result<()> {
    if !matches!(member.state, Standing::Active | Standing::Left(_)) {
        return Ok(());
    }
    let held = award::of_member(turn.on, member.id, State::Awarded).await?;
    let titles = title::list(turn.on, member.federation).await?;
    let holds = |title: &&Title| held.iter().any(|award| award.title == title.id);
    let best = best_grade(titles.iter().filter(holds));
    let grade = best.map(|title| title.name.native.clone()).unwrap_or_default();
    if member.person.grade != grade {
        member.person.grade = grade;
        member.revision += 1;
        store::member::update(turn.on, &[member]).await?;
    }
    Ok(())
}

impl Desk {
    /// The titles of a federation.
    pub(crate) async fn titles(&self, federation: chassis::id::FederationId) -> Result<Vec<Title>> {
        self.federation(federation).await?;
        Ok(title::list(self.database.read(), federation).await?)
    }

    /// An award as a caller may see it.
    pub(crate) async fn award(&self, caller: Option<&Caller>, id: Uuid) -> Result<Award> {
        let found = award::find(self.database.read(), id).await?.ok_or(Refusal::UnknownAward)?;
        let is_insider = self.is_insider(caller, &found.federation, Some(found.member)).await?;
        Ok(seen(found, is_insider).ok_or(Refusal::UnknownAward)?)
    }

    /// Awards of a federation as a caller may see them.
    pub(crate) async fn awards(&self, caller: Option<&Caller>, list: &List) -> Result<(Vec<Award>, String)> {
        self.federation(list.federation).await?;
        let is_insider = self.is_insider(caller, &list.federation, list.member).await?;
        if !is_insider && !matches!(list.state, State::Awarded | State::Revoked) {
            return Err(Refusal::NotAnOfficial.into());
        }
        let (on, page) = (self.database.read(), &list.page);
        let of = (list.federation, list.member);
        let found = award::list(on, of, list.state, page.after, page.fetch()).await?;
        let (found, next) = page.cut(found, |last| last.id);
        Ok((found.into_iter().filter_map(|award| seen(award, is_insider)).collect(), next))
    }

    /// Whether somebody is an official of a federation, or this member of it.
    async fn is_insider(
        &self,
        caller: Option<&Caller>,
        federation: &chassis::id::FederationId,
        member: Option<MemberId>,
    ) -> Result<bool> {
        let Some(caller) = caller else { return Ok(false) };
        let on = self.database.read();
        let mut who = standings(on, *federation, caller.id).await?;
        if let Some(member) = member {
            let found = store::member::find(on, member).await?;
            let is_he =
                |member: &Member| member.account == Some(caller.id) && member.federation == *federation;
            who.extend(found.filter(is_he).map(|_| Who::Oneself));
        }
        Ok(may(who, Act::ReadAccounts))
    }
}

/// An award as somebody sees it. Why it was given and taken is for officials and the member.
fn seen(award: Award, is_insider: bool) -> Option<Award> {
    if is_insider {
        return Some(award);
    }
    let (reason, revocation) = (String::new(), String::new());
    award.is_public().then_some(Award { reason, revocation, ..award })
}
