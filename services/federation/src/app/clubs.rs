//! Makes clubs, changes and closes them.

use chassis::id::ClubId;

use super::{
    Change,
    desk::Made,
    turn::{Turn, next, room},
};
use crate::{
    core::{
        club::{Close, Club, Edit, Open},
        limits::CLUBS_MAX,
        permit::Act,
        refusal::Refusal,
    },
    error::Result,
    store,
};

impl Change for Open {
    type Told = Club;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let federation = turn.federation(self.federation).await?.id;
        turn.require(federation, Act::KeepClubs).await?;
        room(store::club::count(turn.on, federation).await?, CLUBS_MAX, "clubs of a federation")?;
        let Open { name, place, .. } = self.clone();
        let id = ClubId::from(turn.desk.env.uuid());
        let club = Club { id, federation, name, place, made: turn.now(), closed: None, revision: 1 };
        is_free(turn, &club).await?;
        store::club::insert(turn.on, &club).await?;
        Ok(id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Club> {
        tell(turn, made).await
    }
}

impl Change for Edit {
    type Told = Club;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut club = turn.club(self.id).await?;
        turn.require(club.federation, Act::KeepClubs).await?;
        club.revision = next(self.revision, club.revision)?;
        club.name = self.name.clone().unwrap_or(club.name);
        club.place = self.place.clone().unwrap_or(club.place);
        is_free(turn, &club).await?;
        store::club::update(turn.on, &club).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Club> {
        tell(turn, made).await
    }
}

impl Change for Close {
    type Told = Club;

    async fn make(&self, turn: &Turn<'_>) -> Result<Made> {
        let mut club = turn.club(self.id).await?;
        turn.require(club.federation, Act::KeepClubs).await?;
        club.revision = next(self.revision, club.revision)?;
        if store::stay::has_anybody(turn.on, self.id, turn.today()).await? {
            return Err(Refusal::ClubNotEmpty.into());
        }
        club.closed = Some(turn.now());
        store::club::update(turn.on, &club).await?;
        Ok(self.id.uuid().into())
    }

    async fn tell(&self, turn: &Turn<'_>, made: &Made) -> Result<Club> {
        tell(turn, made).await
    }
}

async fn is_free(turn: &Turn<'_>, club: &Club) -> Result<()> {
    let taken = store::club::is_named(turn.on, club.federation, club.name.key(), club.id).await?;
    if taken { Err(Refusal::NameTaken.into()) } else { Ok(()) }
}

async fn tell(turn: &Turn<'_>, made: &Made) -> Result<Club> {
    Ok(store::club::find(turn.on, made.id.into()).await?.ok_or(Refusal::UnknownClub)?)
}
