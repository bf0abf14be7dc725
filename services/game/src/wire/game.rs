//! Games and events.

use api::{PointNames, ProtoEnum as _, board::v1 as board, clock::v1::SpeedClass, game::v1 as pb};
use chassis::id::{AccountId, GameId};
use rules::{Actors, Author, Side, StoneColour};
use uuid::Uuid;

use super::{DecodeError, moment, optional, optional_moment, required};
use crate::core::{
    By, Event, EventKind, Forbidden, GameInfo, GameState, Header, Origin, Played, Progress, Sealed, Seat,
    Stage, TimeControl, short_result,
};

impl From<&GameInfo> for pb::GameInfo {
    fn from(info: &GameInfo) -> Self {
        let speed_class = info.time_control.map_or(SpeedClass::Unspecified, TimeControl::speed_class);
        pb::GameInfo {
            id: info.id.to_string(),
            variant: info.variant.id.to_owned(),
            rule_set: info.rule_set.clone(),
            options: info.options.clone().into_iter().collect(),
            time_control: info.time_control.map(Into::into),
            speed_class: speed_class as i32,
            rated: info.rated,
            first: Some((&info.seats[0]).into()),
            second: Some((&info.seats[1]).into()),
            origin: match info.origin {
                Origin::Match => pb::Origin::Match,
                Origin::Import => pb::Origin::Import,
            } as i32,
            create_time: Some(api::time::timestamp(info.created)),
            regulations: (info.origin == Origin::Match).then(|| (&info.regulations).into()),
        }
    }
}

/// A game of a list, without its board and acts.
impl TryFrom<&pb::Game> for Header {
    type Error = DecodeError;

    fn try_from(game: &pb::Game) -> Result<Self, DecodeError> {
        let state = game.state.as_ref().ok_or(DecodeError("a state"))?;
        Ok(Header {
            info: required(game.info.as_ref(), "game info")?,
            sequence: state.sequence,
            updated: moment(game.update_time.as_ref(), "time of a game")?,
            state: state.try_into()?,
        })
    }
}

impl TryFrom<&pb::GameInfo> for GameInfo {
    type Error = DecodeError;

    fn try_from(info: &pb::GameInfo) -> Result<Self, DecodeError> {
        let seat = |seat: &Option<pb::Seat>| required(seat.as_ref(), "a seat");
        Ok(GameInfo {
            id: GameId::from(Uuid::try_parse(&info.id).map_err(|_| DecodeError("game id"))?),
            variant: rules::variant(&info.variant).ok_or(DecodeError("variant"))?,
            rule_set: info.rule_set.clone(),
            options: info.options.clone().into_iter().collect(),
            time_control: match &info.time_control {
                None => None,
                Some(control) => {
                    Some(TimeControl::try_from(control).map_err(|_| DecodeError("time control"))?)
                }
            },
            rated: info.rated,
            seats: [seat(&info.first)?, seat(&info.second)?],
            origin: if info.origin == pb::Origin::Import as i32 { Origin::Import } else { Origin::Match },
            created: moment(info.create_time.as_ref(), "create time")?,
            regulations: optional(info.regulations.as_ref())?.unwrap_or_default(),
        })
    }
}

impl From<&Seat> for pb::Seat {
    fn from(seat: &Seat) -> Self {
        pb::Seat {
            account_id: seat.account.map_or_else(String::new, |account| account.to_string()),
            name: seat.name.clone(),
            rating: seat.rating,
        }
    }
}

impl TryFrom<&pb::Seat> for Seat {
    type Error = DecodeError;

    fn try_from(seat: &pb::Seat) -> Result<Self, DecodeError> {
        let account = match seat.account_id.as_str() {
            "" => None,
            id => Some(AccountId::from(Uuid::try_parse(id).map_err(|_| DecodeError("account id"))?)),
        };
        Ok(Seat { account, name: seat.name.clone(), rating: seat.rating })
    }
}

/// Where a game stands after the event of this number.
pub(crate) struct StateAt<'a>(pub u64, pub &'a GameState);

impl From<StateAt<'_>> for pb::GameState {
    fn from(StateAt(sequence, state): StateAt<'_>) -> Self {
        let colour = |side: Side| state.colours[side.index()].map_or("", StoneColour::name).to_owned();
        let actors = Side::BOTH.into_iter().filter(|side| state.actors.include(*side));
        pb::GameState {
            sequence,
            ply: state.ply,
            phase: state.phase.clone(),
            actors: actors.map(Side::number).collect(),
            clock: state.clock.as_ref().map(Into::into),
            draw_offer: state.draw_offer.number(),
            outcome: state.outcome.as_ref().map(|outcome| board::Outcome {
                short: short_result(state.colours, outcome),
                ..outcome.into()
            }),
            first_colour: colour(Side::First),
            second_colour: colour(Side::Second),
            expire_time: state.expires.map(api::time::timestamp),
            progress: Some((&state.progress).into()),
            position_hash: state.position_hash,
        }
    }
}

/// An event as everybody may read it; what is sealed in it is left behind.
pub(crate) fn public_event(event: &Event, names: PointNames<'_>) -> pb::GameEvent {
    use pb::game_event as kind;
    let kind = match &event.kind {
        EventKind::Created(info) => kind::Event::Created(kind::Created { info: Some(info.as_ref().into()) }),
        EventKind::Played(played) => kind::Event::Played(public_act(played, names)),
        EventKind::DrawOffered => kind::Event::DrawOffered(kind::DrawOffered {}),
        EventKind::DrawDeclined => kind::Event::DrawDeclined(kind::DrawDeclined {}),
        EventKind::OutageCredited { from, until } => kind::Event::OutageCredited(kind::OutageCredited {
            from_time: Some(api::time::timestamp(*from)),
            until_time: Some(api::time::timestamp(*until)),
        }),
        EventKind::Ended(_) => kind::Event::Ended(kind::Ended {}),
        EventKind::Proposed(proposal) => {
            kind::Event::Proposed(kind::Proposed { proposal: Some((*proposal).into()) })
        }
        EventKind::ProposalDropped(proposal) => {
            kind::Event::ProposalDropped(kind::ProposalDropped { proposal: Some((*proposal).into()) })
        }
        EventKind::Agreed(proposal) => {
            kind::Event::Agreed(kind::Agreed { proposal: Some((*proposal).into()) })
        }
        EventKind::TimeGiven(span) => {
            kind::Event::TimeGiven(kind::TimeGiven { given_duration: Some(api::time::duration(*span)) })
        }
        EventKind::Petitioned(petition) => kind::Event::Petitioned(petition.into()),
        EventKind::Ruled(ruling) => kind::Event::Ruled(ruling.as_ref().into()),
        EventKind::ForbiddenPlayed(forbidden) => kind::Event::ForbiddenPlayed(kind::ForbiddenPlayed {
            forbidden: Some(pb::ForbiddenAct {
                text: forbidden.text.clone(),
                rule: forbidden.rule.clone(),
                incident: Some((&forbidden.incident).into()),
            }),
            counts_as: forbidden.counts_as.as_ref().map(|played| public_act(played, names)),
        }),
        EventKind::Expired(expiry) => kind::Event::Expired((*expiry).into()),
        EventKind::Left { since, claim } => kind::Event::Left(kind::Left {
            since_time: Some(api::time::timestamp(*since)),
            claim_time: claim.map(api::time::timestamp),
        }),
        EventKind::Returned => kind::Event::Returned(kind::Returned {}),
        EventKind::CheckedIn => kind::Event::CheckedIn(kind::CheckedIn {}),
        EventKind::Started => kind::Event::Started(kind::Started {}),
        EventKind::Adjournment(step) => kind::Event::Adjournment(step.into()),
        EventKind::LeaveChanged { on_leave, event_sequence } => {
            let (on_leave, event_sequence) = (*on_leave, *event_sequence);
            kind::Event::LeaveChanged(kind::LeaveChanged { on_leave, event_sequence })
        }
        EventKind::MaintenanceBegun(maintenance) => {
            let maintenance = Some(maintenance.as_ref().into());
            kind::Event::MaintenanceBegun(kind::MaintenanceBegun { maintenance })
        }
        EventKind::MaintenanceEnded { from } => kind::Event::MaintenanceEnded(kind::MaintenanceEnded {
            from_time: Some(api::time::timestamp(*from)),
            until_time: Some(api::time::timestamp(event.time)),
        }),
    };
    pb::GameEvent {
        sequence: event.sequence,
        time: Some(api::time::timestamp(event.time)),
        author: event.by.side().number(),
        event: Some(kind),
        state: Some(StateAt(event.sequence, &event.state).into()),
        clock_entries: event.clock_entries.iter().map(Into::into).collect(),
        official: match &event.by {
            By::Official(official) => Some(official.into()),
            By::Platform | By::Side(_) => None,
        },
        board: None,
    }
}

/// An act by its text alone.
pub(crate) fn played_act(author: Author, text: &str) -> pb::PlayedAct {
    pb::PlayedAct { side: author.side().number(), text: text.to_owned() }
}

fn public_act(played: &Played, names: PointNames<'_>) -> pb::game_event::Played {
    let revealed = |(ply, text): &(u32, String)| pb::RevealedAct { ply: *ply, text: text.clone() };
    pb::game_event::Played {
        act: Some(played_act(played.author, &played.text)),
        changes: played.changes.iter().map(|change| names.change(change)).collect(),
        marks: played.marks.iter().map(|mark| names.mark(mark)).collect(),
        revealed: played.revealed.iter().map(revealed).collect(),
    }
}

/// An act, with what was sealed in it.
impl TryFrom<(&pb::game_event::Played, Option<String>)> for Played {
    type Error = DecodeError;

    fn try_from((played, sealed): (&pb::game_event::Played, Option<String>)) -> Result<Self, DecodeError> {
        let act = played.act.as_ref().ok_or(DecodeError("an act"))?;
        Ok(Played {
            author: Side::of(act.side).map_or(Author::System, Author::Side),
            text: act.text.clone(),
            sealed: sealed.map(Sealed),
            changes: played.changes.iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
            marks: played.marks.iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
            revealed: played.revealed.iter().map(|act| (act.ply, act.text.clone())).collect(),
        })
    }
}

/// An event, with what was sealed in it.
impl TryFrom<(&pb::GameEvent, Option<String>)> for Event {
    type Error = DecodeError;

    fn try_from((event, sealed): (&pb::GameEvent, Option<String>)) -> Result<Self, DecodeError> {
        let state: GameState = required(event.state.as_ref(), "a state")?;
        let kind = event.event.as_ref().ok_or(DecodeError("an event"))?;
        Ok(Event {
            sequence: event.sequence,
            time: moment(event.time.as_ref(), "time of an event")?,
            by: match (&event.official, Side::of(event.author)) {
                (Some(official), _) => By::Official(official.try_into()?),
                (None, Some(side)) => By::Side(side),
                (None, None) => By::Platform,
            },
            kind: event_kind(kind, sealed, &state)?,
            clock_entries: event.clock_entries.iter().map(Into::into).collect(),
            state,
        })
    }
}

fn event_kind(
    kind: &pb::game_event::Event,
    sealed: Option<String>,
    state: &GameState,
) -> Result<EventKind, DecodeError> {
    use pb::game_event::Event as Pb;
    let proposal = |proposal: &Option<pb::Proposal>| required(proposal.as_ref(), "a proposal");
    Ok(match kind {
        Pb::Created(created) => EventKind::Created(Box::new(required(created.info.as_ref(), "game info")?)),
        Pb::Played(played) => EventKind::Played((played, sealed).try_into()?),
        Pb::DrawOffered(_) => EventKind::DrawOffered,
        Pb::DrawDeclined(_) => EventKind::DrawDeclined,
        Pb::OutageCredited(credited) => EventKind::OutageCredited {
            from: moment(credited.from_time.as_ref(), "start of an outage")?,
            until: moment(credited.until_time.as_ref(), "end of an outage")?,
        },
        Pb::Ended(_) => EventKind::Ended(state.outcome.clone().ok_or(DecodeError("an outcome"))?),
        Pb::Proposed(proposed) => EventKind::Proposed(proposal(&proposed.proposal)?),
        Pb::ProposalDropped(dropped) => EventKind::ProposalDropped(proposal(&dropped.proposal)?),
        Pb::Agreed(agreed) => EventKind::Agreed(proposal(&agreed.proposal)?),
        Pb::TimeGiven(given) => {
            let span = given.given_duration.as_ref().and_then(api::time::span);
            EventKind::TimeGiven(span.ok_or(DecodeError("given time"))?)
        }
        Pb::Petitioned(petition) => EventKind::Petitioned(petition.try_into()?),
        Pb::Ruled(ruling) => EventKind::Ruled(Box::new(ruling.try_into()?)),
        Pb::ForbiddenPlayed(played) => {
            let forbidden = played.forbidden.as_ref().ok_or(DecodeError("a forbidden act"))?;
            EventKind::ForbiddenPlayed(Box::new(Forbidden {
                text: forbidden.text.clone(),
                rule: forbidden.rule.clone(),
                incident: required(forbidden.incident.as_ref(), "an incident")?,
                counts_as: played.counts_as.as_ref().map(|act| (act, sealed).try_into()).transpose()?,
            }))
        }
        Pb::Expired(expiry) => EventKind::Expired((*expiry).try_into()?),
        Pb::Left(left) => EventKind::Left {
            since: moment(left.since_time.as_ref(), "begin of an absence")?,
            claim: optional_moment(left.claim_time.as_ref(), "claim time")?,
        },
        Pb::Returned(_) => EventKind::Returned,
        Pb::CheckedIn(_) => EventKind::CheckedIn,
        Pb::Started(_) => EventKind::Started,
        Pb::LeaveChanged(it) => {
            EventKind::LeaveChanged { on_leave: it.on_leave, event_sequence: it.event_sequence }
        }
        Pb::MaintenanceBegun(begun) => {
            EventKind::MaintenanceBegun(Box::new(required(begun.maintenance.as_ref(), "a maintenance")?))
        }
        Pb::MaintenanceEnded(ended) => {
            EventKind::MaintenanceEnded { from: moment(ended.from_time.as_ref(), "begin of a maintenance")? }
        }
        Pb::Adjournment(step) => EventKind::Adjournment((step, sealed).try_into()?),
    })
}

impl TryFrom<&pb::GameState> for GameState {
    type Error = DecodeError;

    fn try_from(state: &pb::GameState) -> Result<Self, DecodeError> {
        let sides: Vec<Side> = state.actors.iter().filter_map(|side| Side::of(*side)).collect();
        Ok(GameState {
            ply: state.ply,
            phase: state.phase.clone(),
            actors: match sides.as_slice() {
                [] => Actors::Nobody,
                [one] => Actors::One(*one),
                _ => Actors::Both,
            },
            clock: optional(state.clock.as_ref())?,
            draw_offer: Side::of(state.draw_offer),
            outcome: optional(state.outcome.as_ref())?,
            colours: [colour(&state.first_colour)?, colour(&state.second_colour)?],
            expires: optional_moment(state.expire_time.as_ref(), "expire time")?,
            progress: match (&state.progress, &state.outcome) {
                (Some(progress), _) => progress.try_into()?,
                // Logs from before their progress was kept.
                (None, Some(_)) => Progress::new(Stage::Final),
                (None, None) => Progress::new(Stage::Playing),
            },
            position_hash: state.position_hash,
        })
    }
}

fn colour(name: &str) -> Result<Option<StoneColour>, DecodeError> {
    match [StoneColour::Black, StoneColour::White].into_iter().find(|colour| colour.name() == name) {
        None if !name.is_empty() => Err(DecodeError("a colour")),
        colour => Ok(colour),
    }
}
