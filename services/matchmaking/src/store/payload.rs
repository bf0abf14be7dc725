//! What matchmaking writes into live state.

use api::matchmaking::v1::{MatchPayload, MatchedPlayer, TicketPayload, TicketStanding, TicketStandings};
use bytes::Bytes;
use chassis::{
    id::{AccountId, TicketId},
    time::{from_micros, to_micros},
};
use live::LiveError;
use matching::{Meeting, Seeker, short};
use prost::Message;
use uuid::Uuid;

use crate::core::{
    Choice, Match, Met, Pair, Player, Settings, Standing, Status, Ticket, Waiting, dislike, who,
};

const CORRUPT_TICKET: LiveError = LiveError::Corrupt { what: "ticket" };

/// The payload of a ticket.
pub(super) fn of_ticket(ticket: &Ticket) -> Bytes {
    let Ticket { name, window, bot, allow_bots, .. } = ticket.clone();
    TicketPayload { name, max_rating_difference: window, bot, allow_bots }.encode_to_vec().into()
}

/// How the owner of a ticket stands.
pub(super) fn of_standing(ticket: &Ticket) -> Bytes {
    let pools = ticket.choices.iter().map(|choice| choice.standing.into()).collect();
    TicketStandings { pools }.encode_to_vec().into()
}

/// A ticket as live state knows it.
///
/// # Errors
/// When it is not what matchmaking writes.
pub(super) fn ticket(ticket: &live::Ticket) -> Result<Ticket, LiveError> {
    let (TicketPayload { name, max_rating_difference: window, bot, allow_bots }, pools) = read(ticket)?;
    let choice = |(pool, standing): (&String, TicketStanding)| {
        let settings = pool.parse().map_err(|_| LiveError::Corrupt { what: "pool" })?;
        Ok(Choice { settings, standing: standing.try_into()? })
    };
    Ok(Ticket {
        id: ticket.id.into(),
        account: ticket.owner.into(),
        name,
        choices: ticket.pools.iter().zip(pools).map(choice).collect::<Result<_, LiveError>>()?,
        window,
        bot,
        allow_bots,
        since: from_micros(ticket.since.as_micros()).ok_or(LiveError::Corrupt { what: "time" })?,
    })
}

/// The same as far as it matters to pairing: its settings are not looked at.
///
/// # Errors
/// When it is not what matchmaking writes.
pub(super) fn waiting(ticket: &live::Ticket) -> Result<Waiting, LiveError> {
    let (TicketPayload { max_rating_difference: window, bot, allow_bots, .. }, pools) = read(ticket)?;
    let since = u64::try_from(ticket.since.as_micros()).map_err(|_| CORRUPT_TICKET)?;
    let seeker = |place: usize, standing: &TicketStanding| -> Result<Seeker, LiveError> {
        let met =
            met(standing)?.map(|(whom, rest_until)| Meeting { whom: short(who(whom.into())), rest_until });
        Ok(Seeker {
            who: who(ticket.owner.into()),
            rating: i32::try_from(standing.rating).map_err(|_| CORRUPT_TICKET)?,
            deviation: standing.deviation,
            window,
            since,
            surplus: standing.surplus,
            met,
            dislike: dislike(place),
            is_bot: bot,
            plays_bots: allow_bots,
        })
    };
    let seekers = pools.iter().enumerate().map(|(place, standing)| seeker(place, standing));
    let choices = ticket.pools.iter().zip(seekers).map(|(pool, seeker)| Ok((pool.clone(), seeker?)));
    let (ticket, owner) = (ticket.id.into(), ticket.owner.into());
    Ok(Waiting { ticket, owner, choices: choices.collect::<Result<_, LiveError>>()? })
}

/// Whom somebody met last, and until when the two rest.
fn met(standing: &TicketStanding) -> Result<Option<(Uuid, u64)>, LiveError> {
    if standing.met_id.is_empty() {
        return Ok(None);
    }
    let whom = Uuid::from_slice(&standing.met_id).map_err(|_| CORRUPT_TICKET)?;
    Ok(Some((whom, standing.rest_until_us)))
}

/// What a ticket says, and how its owner stands in each of its pools.
fn read(ticket: &live::Ticket) -> Result<(TicketPayload, Vec<TicketStanding>), LiveError> {
    let payload = TicketPayload::decode(&*ticket.payload).map_err(|_| CORRUPT_TICKET)?;
    let TicketStandings { pools } = TicketStandings::decode(&*ticket.standing).map_err(|_| CORRUPT_TICKET)?;
    if pools.len() == ticket.pools.len() { Ok((payload, pools)) } else { Err(CORRUPT_TICKET) }
}

impl From<Standing> for TicketStanding {
    fn from(Standing { rating, deviation, surplus, met }: Standing) -> Self {
        let (met_id, rest_until_us) = met.map_or_else(Default::default, |met| {
            let rest_until = u64::try_from(to_micros(met.rest_until)).unwrap_or_default();
            (met.whom.uuid().into_bytes().to_vec(), rest_until)
        });
        TicketStanding { rating, deviation, surplus, met_id, rest_until_us }
    }
}

impl TryFrom<TicketStanding> for Standing {
    type Error = LiveError;

    fn try_from(standing: TicketStanding) -> Result<Self, LiveError> {
        let met = match met(&standing)? {
            None => None,
            Some((whom, rest_until)) => {
                let rest_until = i64::try_from(rest_until).ok().and_then(from_micros);
                Some(Met { whom: whom.into(), rest_until: rest_until.ok_or(CORRUPT_TICKET)? })
            }
        };
        let TicketStanding { rating, deviation, surplus, .. } = standing;
        Ok(Standing { rating, deviation, surplus, met })
    }
}

/// A pair that was taken out of its pool.
///
/// # Errors
/// When it is not what matchmaking writes.
pub(super) fn pair(pending: &live::PendingMatch) -> Result<Pair, LiveError> {
    let [one, other] = &pending.tickets;
    let settings: Settings = pending.pool.parse().map_err(|_| LiveError::Corrupt { what: "pool" })?;
    let player = |of: &live::Ticket| ticket(of)?.player(&settings).ok_or(CORRUPT_TICKET);
    let players = [player(one)?, player(other)?];
    Ok(Pair { game: pending.match_id.into(), settings, players })
}

/// The message that somebody has blocked somebody else.
pub(super) fn of_block(owner: AccountId, account: AccountId) -> Bytes {
    [owner, account].map(|of| of.uuid().into_bytes()).concat().into()
}

/// Who has blocked whom by a message; `None` if it says nothing of it.
pub(crate) fn decode_block(message: &[u8]) -> Option<(AccountId, AccountId)> {
    let (owner, account) = message.split_at_checked(16)?;
    let id = |bytes: &[u8]| Some(Uuid::from_slice(bytes).ok()?.into());
    Some((id(owner)?, id(account)?))
}

/// The message that the game of a match exists.
pub(super) fn of_match(matched: &Match) -> Bytes {
    let Match { game, settings, first, second, .. } = matched;
    let (game_id, settings) = (game.to_string(), settings.to_string());
    let payload = MatchPayload { game_id, settings, first: Some(first.into()), second: Some(second.into()) };
    payload.encode_to_vec().into()
}

/// What a ticket has become by a message; `None` if it says nothing of it.
pub(crate) fn decode_status(message: &[u8], ticket: TicketId) -> Option<Status> {
    Status::matched(&matched(message)?, ticket)
}

/// The match that a message tells of; `None` if it is not such a message.
fn matched(message: &[u8]) -> Option<Match> {
    let MatchPayload { game_id, settings, first, second } = MatchPayload::decode(message).ok()?;
    Some(Match {
        game: game_id.parse::<Uuid>().ok()?.into(),
        settings: settings.parse().ok()?,
        first: player(first?)?,
        second: player(second?)?,
        challenge: None,
    })
}

fn player(player: MatchedPlayer) -> Option<Player> {
    Some(Player {
        account: player.account_id.parse::<Uuid>().ok()?.into(),
        name: player.name,
        rating: player.rating,
        ticket: player.ticket_id.parse::<Uuid>().ok()?.into(),
    })
}

impl From<&Player> for MatchedPlayer {
    fn from(player: &Player) -> Self {
        MatchedPlayer {
            account_id: player.account.to_string(),
            name: player.name.clone(),
            rating: player.rating,
            ticket_id: player.ticket.to_string(),
        }
    }
}
