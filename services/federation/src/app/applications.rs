//! Applies for membership, and answers applications.

use chassis::id::MemberId;
use uuid::Uuid;

use super::{
    Change,
    desk::Made,
    members::{bind, enrol},
    turn::{Turn, room},
};
use crate::{
    core::{
        application::{Answer, AnswerApplication, Application, Apply, Reply},
        limits::{APPLICATIONS_MAX, APPLICATIONS_PER_ACCOUNT_MAX},
        member::{Enrol, Person, State},
        notice::{About, Detail, Kind, To},
        official::Role,
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store,
};

/// Who is told that somebody waits: those who may answer.
const WHO_ANSWERS: &[Role] = &[Role::Administrator, Role::Committee];

impl Change for Apply {
    type Told = Application;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        if turn.caller.guest {
            return Err(Refusal::Guest.into());
        }
        let (federation, account) = (turn.federation(self.federation).await?, turn.caller.id);
        if !federation.open {
            return Err(Refusal::NotOpen.into());
        }
        let known = store::member::of_account(turn.on, federation.id, account).await?;
        if let Some(member) = known.filter(|member| member.state == State::Active) {
            return Err(Refusal::AccountBound(member.id).into());
        }
        let waiting = store::application::waiting(turn.on, account).await?;
        if waiting.iter().any(|application| application.federation == federation.id) {
            return Err(Refusal::AlreadyApplied.into());
        }
        room(waiting.len() as u64, APPLICATIONS_PER_ACCOUNT_MAX, "applications of an account that wait")?;
        let count = store::application::count_in(turn.on, federation.id).await?;
        room(count, APPLICATIONS_MAX, "applications that wait in a federation")?;
        if let Some(club) = self.club {
            turn.club_of(federation.id, club).await?;
        }
        let Apply { name, club, note, .. } = self.clone();
        let application = Application {
            id: turn.desk.env.uuid(),
            federation: federation.id,
            account,
            name,
            club,
            note,
            answer: Answer::Pending,
            reply: String::new(),
            answered: None,
            member: None,
            made: turn.now(),
        };
        store::application::insert(turn.on, &application).await?;
        // Who applies, takes it back and applies again tells it once a day.
        let today = Uuid::from_u64_pair(0, u64::from(turn.today().to_julian_day().cast_unsigned()));
        let about = About { federation: Some(federation.id), account: Some(account), ..About::default() };
        let officials = To::Officials(federation.id, WHO_ANSWERS);
        turn.inform(officials, Kind::ApplicationWaits, about, &[federation.id.uuid(), account.uuid(), today]);
        Ok(application.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Application> {
        tell(turn, made).await
    }
}

impl Change for AnswerApplication {
    type Told = Application;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let unknown = Refusal::UnknownApplication;
        let found = store::application::find(turn.on, self.id).await?.ok_or(unknown.clone())?;
        turn.federation(found.federation).await?;
        let mut application = store::application::find(turn.on, self.id).await?.ok_or(unknown.clone())?;
        match self.answer {
            Reply::Withdraw if application.account == turn.caller.id => {}
            Reply::Withdraw => return Err(unknown.into()),
            Reply::Accept { .. } | Reply::Refuse => turn.require(application.federation, Act::Answer).await?,
        }
        if application.answer != Answer::Pending {
            return Err(Refusal::AlreadyAnswered.into());
        }
        application.answer = match self.answer {
            Reply::Accept { member, namesake } => {
                application.member = Some(admit(turn, &application, member, namesake).await?);
                Answer::Accepted
            }
            Reply::Refuse => Answer::Refused,
            Reply::Withdraw => Answer::Withdrawn,
        };
        application.reply = self.reply.clone();
        application.answered = Some((turn.caller.id, turn.now()));
        store::application::update(turn.on, &application).await?;
        let about = About {
            federation: Some(application.federation),
            member: application.member,
            detail: Some(Detail::Application(application.answer)),
            ..About::default()
        };
        turn.inform(To::Account(application.account), Kind::ApplicationAnswered, about, &[self.id]);
        Ok(self.id.into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Application> {
        tell(turn, made).await
    }
}

/// Who the account is from now on: the member that is named, the one that it was before, or a new one.
async fn admit(
    turn: &Turn<'_>,
    application: &Application,
    named: Option<MemberId>,
    namesake: bool,
) -> Result<MemberId> {
    let (federation, account) = (application.federation, application.account);
    let before = store::member::of_account(turn.on, federation, account).await?;
    let known = match named {
        Some(id) => {
            let found = store::member::find(turn.on, id).await?;
            Some(found.filter(|member| member.federation == federation).ok_or(Refusal::UnknownMember)?)
        }
        None => before,
    };
    let Some(mut member) = known else {
        let person = Person { name: application.name.clone(), ..Person::default() };
        let club = application.club;
        let enrolled = Enrol { federation, person, account: Some(account), club, joined: None, namesake };
        return enrol(turn, &enrolled).await;
    };
    if !matches!(member.state, State::Active | State::Left(_)) {
        return Err(Refusal::NotActive.into());
    }
    bind(turn, &mut member, account).await?;
    member.state = State::Active;
    member.revision += 1;
    let id = member.id;
    store::member::update(turn.on, &[member]).await?;
    Ok(id)
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Application> {
    Ok(store::application::find(turn.on, made.id).await?.ok_or(Refusal::UnknownApplication)?)
}
