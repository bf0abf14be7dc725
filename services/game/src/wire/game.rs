//! Games and events.

use api::{clock::v1::SpeedClass, game::v1 as pb};
use chassis::id::{AccountId, GameId};
use rules::{Actors, Author, Point, Side, StoneColour};
use uuid::Uuid;

use super::{
    DecodeError, Numbered as _,
    adjournment::{step_from_pb, step_to_pb},
    arbitration::{expiry_from_pb, expiry_to_pb, petition_from_pb, petition_to_pb},
    change_to_pb, changes_from_pb, control_to_pb,
    incident::{incident_from_pb, incident_to_pb},
    marks_from_pb, marks_to_pb, moment, optional_moment, optional_number, outcome_to_pb,
    presence::{left_from_pb, left_to_pb},
    progress::{
        official_from_pb, official_to_pb, progress_from_pb, progress_to_pb, proposal_from_pb, proposal_to_pb,
    },
    reading_from_pb, reading_to_pb,
    regulations::{regulations_from_pb, regulations_to_pb},
    ruling::{ruling_from_pb, ruling_to_pb},
};
use crate::core::{
    By, Event, EventKind, Forbidden, GameInfo, GameState, Header, Origin, Played, Progress, Sealed, Seat,
    Stage, TimeControl, short_result,
};

pub(crate) fn info_to_pb(info: &GameInfo) -> pb::GameInfo {
    let speed_class = info.time_control.map_or(SpeedClass::Unspecified, TimeControl::speed_class);
    pb::GameInfo {
        id: info.id.to_string(),
        variant: info.variant.id.to_owned(),
        rule_set: info.rule_set.clone(),
        options: info.options.clone().into_iter().collect(),
        time_control: info.time_control.map(control_to_pb),
        speed_class: speed_class as i32,
        rated: info.rated,
        first: Some(seat_to_pb(&info.seats[0])),
        second: Some(seat_to_pb(&info.seats[1])),
        origin: match info.origin {
            Origin::Match => pb::Origin::Match,
            Origin::Import => pb::Origin::Import,
        } as i32,
        create_time: Some(api::time::timestamp(info.created)),
        regulations: (info.origin == Origin::Match).then(|| regulations_to_pb(&info.regulations)),
    }
}

/// A game of a list, without its board and acts.
pub(crate) fn header_from_pb(game: &pb::Game) -> Result<Header, DecodeError> {
    let state = game.state.as_ref().ok_or(DecodeError("a state"))?;
    Ok(Header {
        info: info_from_pb(game.info.as_ref().ok_or(DecodeError("game info"))?)?,
        sequence: state.sequence,
        updated: moment(game.update_time.as_ref(), "time of a game")?,
        state: state_from_pb(state)?,
    })
}

fn info_from_pb(info: &pb::GameInfo) -> Result<GameInfo, DecodeError> {
    let seat = |seat: &Option<pb::Seat>| seat_from_pb(seat.as_ref().ok_or(DecodeError("a seat"))?);
    Ok(GameInfo {
        id: GameId::from(Uuid::try_parse(&info.id).map_err(|_| DecodeError("game id"))?),
        variant: rules::variant(&info.variant).ok_or(DecodeError("variant"))?,
        rule_set: info.rule_set.clone(),
        options: info.options.clone().into_iter().collect(),
        time_control: match &info.time_control {
            None => None,
            Some(control) => Some(TimeControl::try_from(control).map_err(|_| DecodeError("time control"))?),
        },
        rated: info.rated,
        seats: [seat(&info.first)?, seat(&info.second)?],
        origin: if info.origin == pb::Origin::Import as i32 { Origin::Import } else { Origin::Match },
        created: moment(info.create_time.as_ref(), "create time")?,
        regulations: info.regulations.as_ref().map(regulations_from_pb).transpose()?.unwrap_or_default(),
    })
}

pub(crate) fn seat_to_pb(seat: &Seat) -> pb::Seat {
    pb::Seat {
        account_id: seat.account.map_or_else(String::new, |account| account.to_string()),
        name: seat.name.clone(),
        rating: seat.rating,
    }
}

pub(crate) fn seat_from_pb(seat: &pb::Seat) -> Result<Seat, DecodeError> {
    let account = match seat.account_id.as_str() {
        "" => None,
        id => Some(AccountId::from(Uuid::try_parse(id).map_err(|_| DecodeError("account id"))?)),
    };
    Ok(Seat { account, name: seat.name.clone(), rating: seat.rating })
}

pub(crate) fn state_to_pb(sequence: u64, state: &GameState) -> pb::GameState {
    let colour = |side: Side| state.colours[side.index()].map_or("", StoneColour::name).to_owned();
    pb::GameState {
        sequence,
        ply: state.ply,
        phase: state.phase.clone(),
        actors: Side::BOTH.into_iter().filter(|side| state.actors.include(*side)).map(Side::number).collect(),
        clock: state.clock.as_ref().map(reading_to_pb),
        draw_offer: optional_number(state.draw_offer),
        outcome: state
            .outcome
            .as_ref()
            .map(|outcome| outcome_to_pb(outcome, short_result(state.colours, outcome))),
        first_colour: colour(Side::First),
        second_colour: colour(Side::Second),
        expire_time: state.expires.map(api::time::timestamp),
        progress: Some(progress_to_pb(&state.progress)),
    }
}

/// An event as everybody may read it; what is sealed in it is left behind.
pub(crate) fn event_to_pb(event: &Event, name: &dyn Fn(Point) -> String) -> pb::GameEvent {
    use pb::game_event as kind;
    let kind = match &event.kind {
        EventKind::Created(info) => kind::Event::Created(kind::Created { info: Some(info_to_pb(info)) }),
        EventKind::Played(played) => kind::Event::Played(played_to_pb(played, name)),
        EventKind::DrawOffered => kind::Event::DrawOffered(kind::DrawOffered {}),
        EventKind::DrawDeclined => kind::Event::DrawDeclined(kind::DrawDeclined {}),
        EventKind::OutageCredited { from, until } => kind::Event::OutageCredited(kind::OutageCredited {
            from_time: Some(api::time::timestamp(*from)),
            until_time: Some(api::time::timestamp(*until)),
        }),
        EventKind::Ended(_) => kind::Event::Ended(kind::Ended {}),
        EventKind::Proposed(proposal) => {
            kind::Event::Proposed(kind::Proposed { proposal: Some(proposal_to_pb(*proposal)) })
        }
        EventKind::ProposalDropped(proposal) => {
            kind::Event::ProposalDropped(kind::ProposalDropped { proposal: Some(proposal_to_pb(*proposal)) })
        }
        EventKind::Agreed(proposal) => {
            kind::Event::Agreed(kind::Agreed { proposal: Some(proposal_to_pb(*proposal)) })
        }
        EventKind::TimeGiven(span) => {
            kind::Event::TimeGiven(kind::TimeGiven { given_duration: Some(api::time::duration(*span)) })
        }
        EventKind::Petitioned(petition) => kind::Event::Petitioned(petition_to_pb(petition)),
        EventKind::Ruled(ruling) => kind::Event::Ruled(ruling_to_pb(ruling)),
        EventKind::ForbiddenPlayed(forbidden) => kind::Event::ForbiddenPlayed(kind::ForbiddenPlayed {
            forbidden: Some(pb::ForbiddenAct {
                text: forbidden.text.clone(),
                rule: forbidden.rule.clone(),
                incident: Some(incident_to_pb(&forbidden.incident)),
            }),
            counts_as: forbidden.counts_as.as_ref().map(|played| played_to_pb(played, name)),
        }),
        EventKind::Expired(expiry) => kind::Event::Expired(expiry_to_pb(*expiry)),
        EventKind::Left { since, claim } => kind::Event::Left(left_to_pb(*since, *claim)),
        EventKind::Returned => kind::Event::Returned(kind::Returned {}),
        EventKind::CheckedIn => kind::Event::CheckedIn(kind::CheckedIn {}),
        EventKind::Started => kind::Event::Started(kind::Started {}),
        EventKind::Adjournment(step) => kind::Event::Adjournment(step_to_pb(step)),
    };
    pb::GameEvent {
        sequence: event.sequence,
        time: Some(api::time::timestamp(event.time)),
        author: optional_number(event.by.side()),
        event: Some(kind),
        state: Some(state_to_pb(event.sequence, &event.state)),
        clock_entries: event.clock_entries.iter().map(Into::into).collect(),
        official: match &event.by {
            By::Official(official) => Some(official_to_pb(official)),
            By::Platform | By::Side(_) => None,
        },
        board: None,
    }
}

pub(crate) fn act_to_pb(author: Author, text: &str) -> pb::PlayedAct {
    pb::PlayedAct { side: optional_number(author.side()), text: text.to_owned() }
}

fn played_to_pb(played: &Played, name: &dyn Fn(Point) -> String) -> pb::game_event::Played {
    pb::game_event::Played {
        act: Some(act_to_pb(played.author, &played.text)),
        changes: played.changes.iter().map(|change| change_to_pb(change, name)).collect(),
        marks: marks_to_pb(&played.marks, name),
        revealed: played
            .revealed
            .iter()
            .map(|(ply, text)| pb::RevealedAct { ply: *ply, text: text.clone() })
            .collect(),
    }
}

fn played_from_pb(played: &pb::game_event::Played, sealed: Option<String>) -> Result<Played, DecodeError> {
    let act = played.act.as_ref().ok_or(DecodeError("an act"))?;
    Ok(Played {
        author: Side::of(act.side).map_or(Author::System, Author::Side),
        text: act.text.clone(),
        sealed: sealed.map(Sealed),
        changes: changes_from_pb(&played.changes)?,
        marks: marks_from_pb(&played.marks)?,
        revealed: played.revealed.iter().map(|act| (act.ply, act.text.clone())).collect(),
    })
}

/// An event, with what was sealed in it.
pub(crate) fn event_from_pb(event: &pb::GameEvent, sealed: Option<String>) -> Result<Event, DecodeError> {
    use pb::game_event::Event as Pb;
    let state = state_from_pb(event.state.as_ref().ok_or(DecodeError("a state"))?)?;
    let proposal = |proposal: &Option<pb::Proposal>| {
        proposal_from_pb(proposal.as_ref()).ok_or(DecodeError("a proposal"))
    };
    let kind = match event.event.as_ref().ok_or(DecodeError("an event"))? {
        Pb::Created(created) => EventKind::Created(Box::new(info_from_pb(
            created.info.as_ref().ok_or(DecodeError("game info"))?,
        )?)),
        Pb::Played(played) => EventKind::Played(played_from_pb(played, sealed)?),
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
        Pb::Petitioned(petition) => EventKind::Petitioned(petition_from_pb(petition)?),
        Pb::Ruled(ruling) => EventKind::Ruled(Box::new(ruling_from_pb(ruling)?)),
        Pb::ForbiddenPlayed(played) => {
            let forbidden = played.forbidden.as_ref().ok_or(DecodeError("a forbidden act"))?;
            let incident = forbidden.incident.as_ref().ok_or(DecodeError("an incident"))?;
            EventKind::ForbiddenPlayed(Box::new(Forbidden {
                text: forbidden.text.clone(),
                rule: forbidden.rule.clone(),
                incident: incident_from_pb(incident)?,
                counts_as: played.counts_as.as_ref().map(|act| played_from_pb(act, sealed)).transpose()?,
            }))
        }
        Pb::Expired(expiry) => EventKind::Expired(expiry_from_pb(*expiry)?),
        Pb::Left(left) => left_from_pb(left)?,
        Pb::Returned(_) => EventKind::Returned,
        Pb::CheckedIn(_) => EventKind::CheckedIn,
        Pb::Started(_) => EventKind::Started,
        Pb::Adjournment(step) => EventKind::Adjournment(step_from_pb(step, sealed)?),
    };
    Ok(Event {
        sequence: event.sequence,
        time: moment(event.time.as_ref(), "time of an event")?,
        by: match (&event.official, Side::of(event.author)) {
            (Some(official), _) => By::Official(official_from_pb(official)?),
            (None, Some(side)) => By::Side(side),
            (None, None) => By::Platform,
        },
        kind,
        clock_entries: event.clock_entries.iter().map(Into::into).collect(),
        state,
    })
}

fn state_from_pb(state: &pb::GameState) -> Result<GameState, DecodeError> {
    let sides: Vec<Side> = state.actors.iter().filter_map(|side| Side::of(*side)).collect();
    Ok(GameState {
        ply: state.ply,
        phase: state.phase.clone(),
        actors: match sides.as_slice() {
            [] => Actors::Nobody,
            [one] => Actors::One(*one),
            _ => Actors::Both,
        },
        clock: state.clock.as_ref().map(reading_from_pb).transpose()?,
        draw_offer: Side::of(state.draw_offer),
        outcome: state.outcome.as_ref().map(super::board::outcome_from_pb).transpose()?,
        colours: [colour_from_pb(&state.first_colour)?, colour_from_pb(&state.second_colour)?],
        expires: optional_moment(state.expire_time.as_ref(), "expire time")?,
        progress: match (&state.progress, &state.outcome) {
            (Some(progress), _) => progress_from_pb(progress)?,
            // Logs from before their progress was kept.
            (None, Some(_)) => Progress::new(Stage::Final),
            (None, None) => Progress::new(Stage::Playing),
        },
    })
}

fn colour_from_pb(name: &str) -> Result<Option<StoneColour>, DecodeError> {
    match [StoneColour::Black, StoneColour::White].into_iter().find(|colour| colour.name() == name) {
        None if !name.is_empty() => Err(DecodeError("a colour")),
        colour => Ok(colour),
    }
}
