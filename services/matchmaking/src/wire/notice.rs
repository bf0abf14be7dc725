//! What accounts are told of arranged games, as it is owed to them; and what they play in events, as it is told.

use api::{
    clock::v1::Maintenance,
    federation::v1::{ComingGame, NoticeAbout, NoticeKind, PutNotice, PutNoticesRequest},
};
use chassis::{
    id::{AccountId, of_digest},
    outbox::{Kinds, OutboxMessage},
};
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::core::{Appointment, Arranged, ArrangedState, Occasion};

/// What matchmaking owes.
const NOTICE: &str = "matchmaking.notice";

/// The kinds of entries that are matchmaking's.
pub(crate) const NOTICES: Kinds = Kinds { all: &[NOTICE], many: &[NOTICE] };

/// What the players of a game are told of what has become of it; but for who knows it already.
pub(crate) fn notices(arranged: &Arranged, knows: Option<AccountId>) -> Vec<OutboxMessage> {
    let kind = match arranged.state {
        ArrangedState::Coming => NoticeKind::GameArranged,
        ArrangedState::Begun => NoticeKind::GameBegun,
        ArrangedState::CalledOff => NoticeKind::GameCalledOff,
    };
    let game = arranged.game.uuid();
    let key = of_digest(Sha256::new().chain_update(game).chain_update([kind as u8]).finalize().into());
    let [asked, accepted] = arranged.players.each_ref().map(|player| player.account);
    let told =
        [(asked, accepted), (accepted, asked)].into_iter().filter(|(account, _)| knows != Some(*account));
    let notice = |(account, opponent): (AccountId, AccountId)| PutNotice {
        account_id: account.to_string(),
        key: key.to_string(),
        kind: kind.into(),
        about: Some(NoticeAbout {
            account_id: opponent.to_string(),
            game_id: game.to_string(),
            due_time: Some(api::time::timestamp(arranged.starts)),
            ..NoticeAbout::default()
        }),
    };
    told.map(|of| OutboxMessage::new(NOTICE, notice(of).encode_to_vec())).collect()
}

/// Notices that are owed, in one request; what cannot be read is left out.
pub(crate) fn owed<'a>(payloads: impl Iterator<Item = &'a [u8]>) -> PutNoticesRequest {
    PutNoticesRequest { notices: payloads.filter_map(|payload| PutNotice::decode(payload).ok()).collect() }
}

/// What everybody leaves the queue for while the platform is worked on; none where it is not said when that is.
pub(crate) fn maintenance(planned: &Maintenance) -> Option<Appointment> {
    let ends = api::time::moment(planned.end_time.as_ref()?)?;
    let starts = api::time::moment(planned.begin_time.as_ref()?)?;
    Some(Appointment { starts, occasion: Occasion::Maintenance { ends } })
}

/// Who plays when in an event; `None` if that is not said.
pub(crate) fn of_event(game: &ComingGame) -> Option<(AccountId, Appointment)> {
    let account = AccountId::parse(&game.account_id, "account_id").ok()?;
    let event = Uuid::try_parse(&game.event_id).ok()?;
    let occasion = Occasion::Board { event, round: game.round, table: game.table };
    Some((account, Appointment { starts: api::time::moment(game.start_time.as_ref()?)?, occasion }))
}
