//! Entries of logs, as they are hashed and stored.

use crate::core::name::Name;
use api::{
    DecodeError, ProtoEnum as _,
    federation::v1::{self as pb, event_log_body::Fact as Wire},
    time::{moment, timestamp},
};
use chassis::id::{AccountId, EventId, GameId};
use pairing::{
    Number, Status, Ties,
    swiss::{PairReason, Tiers, Why},
};
use prost::Message as _;
use sha2::{Digest as _, Sha256};

use super::enums;
use crate::core::event::{
    Actor, Board, BoardId, BoardResult, CheckItem, Entrant, EntryUpdate, Fact, LogEntry, PublishedRound,
    ResultSource, Role, Sealed, Stage, fact::Digest,
};

/// What every hash of an entry begins with, so that it is that of nothing else.
const LABEL: &[u8] = b"shoutan-federation/1/entry\0";

/// What the chain of hashes has of an entry.
pub(crate) fn hash(body: &[u8]) -> Digest {
    Sha256::new_with_prefix(LABEL).chain_update(body).finalize().into()
}

/// The bytes of an entry: what is hashed and stored.
pub(crate) fn encode(event: EventId, entry: &LogEntry, previous: Option<&Digest>) -> Vec<u8> {
    let (account_id, role, on_behalf_of) = match entry.actor {
        Actor::Server => (String::new(), 0, String::new()),
        Actor::Person { account, role, on_behalf_of } => {
            let behalf = on_behalf_of.map(|member| member.to_string()).unwrap_or_default();
            (account.to_string(), role.number(), behalf)
        }
    };
    let body = pb::EventLogBody {
        event_id: event.to_string(),
        sequence: entry.sequence,
        time: Some(timestamp(entry.at)),
        account_id,
        role,
        on_behalf_of,
        request_id: entry.request.map(|request| request.to_string()).unwrap_or_default(),
        previous_hash: previous.map(|hash| hash.to_vec()).unwrap_or_default(),
        fact: Some((&entry.fact).into()),
    };
    body.encode_to_vec()
}

/// An entry, and the hash of the one before it that it names.
///
/// # Errors
/// When the bytes are no entry of this event.
pub(crate) fn decode(event: EventId, body: &[u8]) -> Result<(LogEntry, Option<Digest>), DecodeError> {
    let body = pb::EventLogBody::decode(body).map_err(|_| DecodeError("not an entry of a log"))?;
    if body.event_id != event.to_string() {
        return Err(DecodeError("an entry of another event"));
    }
    let actor = if body.account_id.is_empty() {
        Actor::Server
    } else {
        let on_behalf_of = (!body.on_behalf_of.is_empty()).then(|| id(&body.on_behalf_of)).transpose()?;
        let role = Role::of(body.role).ok_or(DecodeError("the role of an entry"))?;
        Actor::Person { account: id(&body.account_id)?, role, on_behalf_of }
    };
    let request = (!body.request_id.is_empty()).then(|| id(&body.request_id)).transpose()?;
    let previous = (!body.previous_hash.is_empty()).then(|| digest(&body.previous_hash)).transpose()?;
    let at = body.time.as_ref().and_then(moment).ok_or(DecodeError("the time of an entry"))?;
    let fact = body.fact.ok_or(DecodeError("what an entry says"))?.try_into()?;
    Ok((LogEntry { sequence: body.sequence, at, actor, request, fact }, previous))
}

pub(super) fn id<T: From<uuid::Uuid>>(text: &str) -> Result<T, DecodeError> {
    uuid::Uuid::try_parse(text).map(T::from).map_err(|_| DecodeError("an id"))
}

pub(super) fn digest(bytes: &[u8]) -> Result<Digest, DecodeError> {
    bytes.try_into().map_err(|_| DecodeError("a hash"))
}

/// What stands beside the log, if anything does.
pub(super) fn sealed(bytes: &[u8]) -> Result<Option<Sealed>, DecodeError> {
    (!bytes.is_empty()).then(|| digest(bytes).map(Sealed)).transpose()
}

pub(super) fn small(number: u32) -> Result<u16, DecodeError> {
    u16::try_from(number).map_err(|_| DecodeError("a round"))
}

impl From<&Fact> for Wire {
    fn from(fact: &Fact) -> Wire {
        use pb::event_log_body as body;
        match fact {
            Fact::Created { federation, name, settings } => Wire::Created(body::Created {
                federation_id: federation.to_string(),
                name: Some(name.into()),
                settings: Some((&**settings).into()),
            }),
            Fact::SettingsChanged { settings, text, reason } => {
                Wire::SettingsChanged(body::SettingsChanged {
                    settings: Some((&**settings).into()),
                    reason: reason.clone(),
                    text_hash: text.to_vec(),
                })
            }
            Fact::Adopted { version, text } => {
                Wire::Adopted(body::Adopted { version: *version, text_hash: text.to_vec() })
            }
            Fact::Advanced { to } => Wire::Advanced(body::Advanced { stage: to.number() }),
            Fact::Cancelled { reason } => Wire::Cancelled(body::Cancelled { reason: reason.clone() }),
            Fact::Checked { item, done } => Wire::Checked(body::Checked { item: item.number(), done: *done }),
            Fact::Appointed { account, role } => {
                Wire::Appointed(body::Appointed { account_id: account.to_string(), role: role.number() })
            }
            Fact::Dismissed { account, role, reason } => Wire::Dismissed(body::Dismissed {
                account_id: account.to_string(),
                role: role.number(),
                reason_hash: reason.0.to_vec(),
            }),
            Fact::Entered(entrant) => Wire::Entered(entrant.into()),
            Fact::EntryUpdated(it) => Wire::EntryUpdated(it.into()),
            Fact::Accepted { number, version } => {
                Wire::Accepted(body::Accepted { number: number.0, version: *version })
            }
            Fact::StatusAdded { number, status, reason } => Wire::StatusAdded(body::StatusAdded {
                number: number.0,
                status: Some(enums::status_to_wire(*status)),
                reason_hash: reason.map(|sealed| sealed.0.to_vec()).unwrap_or_default(),
            }),
            Fact::Prohibited { pair: [one, other], from_round, to_round, reason } => {
                Wire::Prohibited(body::Prohibited {
                    one: one.0,
                    other: other.0,
                    from_round: (*from_round).into(),
                    to_round: (*to_round).into(),
                    reason_hash: reason.0.to_vec(),
                })
            }
            Fact::SeedCommitted { head } => Wire::SeedCommitted(body::SeedCommitted { head: head.to_vec() }),
            Fact::RoundPublished(round) => {
                Wire::RoundPublished(body::RoundPublished { round: Some((&**round).into()) })
            }
            Fact::RoundRetracted { round, reason } => {
                Wire::RoundRetracted(body::RoundRetracted { round: (*round).into(), reason: reason.clone() })
            }
            Fact::RoundStarted { round } => Wire::RoundStarted(body::RoundStarted { round: (*round).into() }),
            Fact::Result { board, result } => Wire::ResultEntered(body::ResultEntered {
                round: board.round.into(),
                table: board.table,
                result: Some(result.into()),
            }),
            Fact::ReplayStarted { board } => {
                Wire::ReplayStarted(body::ReplayStarted { round: board.round.into(), table: board.table })
            }
            Fact::ReportFiled { text } => Wire::ReportFiled(body::ReportFiled { text_hash: text.0.to_vec() }),
            Fact::ArbiterAssessed { account, text } => Wire::ArbiterAssessed(body::ArbiterAssessed {
                account_id: account.to_string(),
                text_hash: text.0.to_vec(),
            }),
            Fact::Imported(origin) => Wire::Imported((&**origin).into()),
            Fact::Amended { reason } => Wire::Amended(body::Amended { reason: reason.clone() }),
            Fact::TiesSettled { ties, reason } => settled(*ties, reason),
            Fact::Team(fact) => fact.into(),
            Fact::Ladder(fact) => fact.into(),
            Fact::Incident(fact) => fact.into(),
            Fact::Timing(fact) => fact.into(),
            Fact::FairPlay(fact) => fact.into(),
            Fact::Arranging(fact) => fact.into(),
            Fact::Leave(fact) => fact.into(),
        }
    }
}

impl TryFrom<Wire> for Fact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<Fact, DecodeError> {
        Ok(match fact {
            Wire::Created(it) => Fact::Created {
                federation: id(&it.federation_id)?,
                name: it.name.ok_or(DecodeError("a name"))?.into(),
                settings: Box::new(settings(it.settings)?),
            },
            Wire::SettingsChanged(it) => Fact::SettingsChanged {
                settings: Box::new(settings(it.settings)?),
                text: digest(&it.text_hash)?,
                reason: it.reason,
            },
            Wire::Adopted(it) => Fact::Adopted { version: it.version, text: digest(&it.text_hash)? },
            Wire::Advanced(it) => Fact::Advanced { to: Stage::of(it.stage).ok_or(DecodeError("a stage"))? },
            Wire::Cancelled(it) => Fact::Cancelled { reason: it.reason },
            Wire::Checked(it) => {
                Fact::Checked { item: CheckItem::of(it.item).ok_or(DecodeError("an item"))?, done: it.done }
            }
            Wire::Appointed(it) => Fact::Appointed { account: id(&it.account_id)?, role: role(it.role)? },
            Wire::Dismissed(it) => Fact::Dismissed {
                account: id(&it.account_id)?,
                role: role(it.role)?,
                reason: Sealed(digest(&it.reason_hash)?),
            },
            Wire::Entered(it) => {
                Fact::Entered(entrant(it.entrant.ok_or(DecodeError("an entrant"))?, small(it.from_round)?)?)
            }
            Wire::EntryUpdated(it) => Fact::EntryUpdated(it.try_into()?),
            Wire::Accepted(it) => Fact::Accepted { number: Number(it.number), version: it.version },
            Wire::StatusAdded(it) => status_added(&it)?,
            Wire::Prohibited(it) => Fact::Prohibited {
                pair: [Number(it.one), Number(it.other)],
                from_round: small(it.from_round)?,
                to_round: small(it.to_round)?,
                reason: Sealed(digest(&it.reason_hash)?),
            },
            Wire::SeedCommitted(it) => Fact::SeedCommitted { head: digest(&it.head)? },
            Wire::RoundPublished(it) => {
                Fact::RoundPublished(Box::new(it.round.ok_or(DecodeError("a round"))?.try_into()?))
            }
            Wire::RoundRetracted(it) => Fact::RoundRetracted { round: small(it.round)?, reason: it.reason },
            Wire::RoundStarted(it) => Fact::RoundStarted { round: small(it.round)? },
            Wire::ResultEntered(it) => Fact::Result {
                board: BoardId { round: small(it.round)?, table: it.table },
                result: it.result.ok_or(DecodeError("a result"))?.try_into()?,
            },
            Wire::ReplayStarted(it) => {
                Fact::ReplayStarted { board: BoardId { round: small(it.round)?, table: it.table } }
            }
            Wire::ReportFiled(it) => Fact::ReportFiled { text: Sealed(digest(&it.text_hash)?) },
            Wire::ArbiterAssessed(it) => {
                Fact::ArbiterAssessed { account: id(&it.account_id)?, text: Sealed(digest(&it.text_hash)?) }
            }
            Wire::Imported(it) => Fact::Imported(Box::new(it.try_into()?)),
            Wire::Amended(it) => Fact::Amended { reason: it.reason },
            fact @ (Wire::ChallengeMade(_) | Wire::ChallengeAnswered(_)) => Fact::Ladder(fact.try_into()?),
            Wire::TiesSettled(it) => Fact::TiesSettled { ties: ties(it.by_lot), reason: it.reason },
            fact @ (Wire::TeamEntered(_)
            | Wire::TeamStatusAdded(_)
            | Wire::TeamAccepted(_)
            | Wire::CaptainChanged(_)
            | Wire::RosterChanged(_)
            | Wire::LineUpDeclared(_)
            | Wire::LineUpHandedIn(_)
            | Wire::LineUpRevealed(_)
            | Wire::BoardsLaid(_)) => Fact::Team(fact.try_into()?),
            fact @ (Wire::IncidentReported(_)
            | Wire::IncidentRuled(_)
            | Wire::RulingAppealed(_)
            | Wire::GameNoticed(_)) => Fact::Incident(fact.try_into()?),
            fact @ (Wire::GameProposed(_)
            | Wire::ProposalAnswered(_)
            | Wire::ArrangingReminded(_)
            | Wire::BoardUnarranged(_)) => Fact::Arranging(fact.try_into()?),
            fact @ (Wire::LeaveTaken(_) | Wire::LeaveEnded(_) | Wire::LeaveBegun(_) | Wire::LeaveOver(_)) => {
                Fact::Leave(fact.try_into()?)
            }
            Wire::StatementFiled(it) => Fact::FairPlay(it.try_into()?),
            Wire::ArbitersSeated(it) => Fact::FairPlay(it.try_into()?),
            fact => Fact::Timing(fact.try_into()?),
        })
    }
}

fn settled(ties: Ties, reason: &str) -> Wire {
    Wire::TiesSettled(pb::TiesSettled { by_lot: ties == Ties::Lot, reason: reason.to_owned() })
}

fn status_added(it: &pb::event_log_body::StatusAdded) -> Result<Fact, DecodeError> {
    let (number, reason) = (Number(it.number), sealed(&it.reason_hash)?);
    Ok(Fact::StatusAdded { number, status: status(it.status)?, reason })
}

fn settings(it: Option<pb::EventSettings>) -> Result<crate::core::event::Settings, DecodeError> {
    it.ok_or(DecodeError("settings"))?.try_into().map_err(|_| DecodeError("settings"))
}

/// What is done with places that nothing has decided.
pub(crate) const fn ties(by_lot: bool) -> Ties {
    if by_lot { Ties::Lot } else { Ties::Shared }
}

fn role(number: i32) -> Result<Role, DecodeError> {
    Role::of(number).ok_or(DecodeError("a role"))
}

pub(super) fn status(it: Option<pb::EntrantStatus>) -> Result<Status, DecodeError> {
    enums::status_from_wire(it.ok_or(DecodeError("a status"))?)
}

impl From<&Entrant> for pb::event_log_body::Entered {
    fn from(entrant: &Entrant) -> pb::event_log_body::Entered {
        pb::event_log_body::Entered {
            entrant: Some(super::view::entrant(entrant, entrant.accepts, &[])),
            from_round: entrant.from_round.into(),
        }
    }
}

impl From<&EntryUpdate> for pb::event_log_body::EntryUpdated {
    fn from(it: &EntryUpdate) -> pb::event_log_body::EntryUpdated {
        pb::event_log_body::EntryUpdated {
            number: it.number.0,
            account_id: it.account.map(|account| account.to_string()).unwrap_or_default(),
            affiliations: it.affiliations.clone(),
            rating: it.rating,
            grade: it.grade,
        }
    }
}

impl TryFrom<pb::event_log_body::EntryUpdated> for EntryUpdate {
    type Error = DecodeError;

    fn try_from(it: pb::event_log_body::EntryUpdated) -> Result<EntryUpdate, DecodeError> {
        Ok(EntryUpdate {
            number: Number(it.number),
            account: account(&it.account_id)?,
            affiliations: it.affiliations,
            rating: it.rating,
            grade: it.grade,
        })
    }
}

fn account(it: &str) -> Result<Option<AccountId>, DecodeError> {
    (!it.is_empty()).then(|| id(it)).transpose()
}

pub(super) fn entrant(it: pb::Entrant, from_round: u16) -> Result<Entrant, DecodeError> {
    Ok(Entrant {
        number: Number(it.number),
        member: id(&it.member_id)?,
        account: account(&it.account_id)?,
        affiliations: it.affiliations,
        rating: it.rating,
        grade: it.grade,
        accepts: it.accepted_version,
        from_round,
    })
}

impl From<&Name> for pb::Name {
    fn from(name: &Name) -> pb::Name {
        pb::Name { native: name.native.clone(), latin: name.latin.clone() }
    }
}

impl From<pb::Name> for Name {
    fn from(name: pb::Name) -> Name {
        Name { native: name.native, latin: name.latin }
    }
}

impl From<&PublishedRound> for pb::Round {
    fn from(round: &PublishedRound) -> pb::Round {
        pb::Round {
            number: round.round.into(),
            state: pb::round::State::Published.into(),
            pairings: round.boards.iter().map(Into::into).collect(),
            matches: round.matches.iter().map(Into::into).collect(),
            out: round
                .out
                .iter()
                .map(|(number, code)| pb::Out { number: number.0, code: enums::code_number(*code) })
                .collect(),
            seed: round.seed.to_vec(),
            input_hash: round.input.to_vec(),
            relaxed: enums::relaxed_number(round.relaxed),
            pools: round.tiers.iter().map(pool_cost).collect(),
            edits: round.edits.clone(),
            start_time: round.start.map(timestamp),
            begin_time: None,
            play_off: round.play_off,
        }
    }
}

fn pool_cost(tiers: &Tiers) -> pb::PoolCost {
    let Tiers {
        left_over,
        same_parity,
        same_affiliation,
        gap,
        floats,
        strong_colour,
        mild_colour,
        fold,
        rematches,
    } = *tiers;
    pb::PoolCost {
        left_over,
        same_parity,
        same_affiliation,
        gap,
        floats,
        strong_colour,
        mild_colour,
        fold,
        rematches,
    }
}

impl From<&Board> for pb::Pairing {
    fn from(board: &Board) -> pb::Pairing {
        let [first, second] = board.players;
        pb::Pairing {
            table: board.table,
            first: first.0,
            second: second.0,
            coloured: board.coloured,
            handicap: board.handicap,
            reasons: board.reasons.iter().copied().map(pair_reason).collect(),
            bracket: board.place.map(|place| pb::BracketPlace {
                part: enums::part_number(place.part),
                round: place.round.into(),
                place: place.place,
            }),
            ..pb::Pairing::default()
        }
    }
}

fn pair_reason(reason: PairReason) -> pb::PairReason {
    use pb::pair_reason::Why as Wire;
    let (why, round) = match reason.why {
        Why::Met { round } => (Wire::Met, round),
        Why::AbsoluteColours => (Wire::AbsoluteColours, 0),
        Why::Prohibited => (Wire::Prohibited, 0),
        Why::SameAffiliation => (Wire::SameAffiliation, 0),
        Why::Gap => (Wire::Gap, 0),
        Why::RepeatedFloat => (Wire::RepeatedFloat, 0),
        Why::Colours => (Wire::Colours, 0),
        Why::Pool => (Wire::Pool, 0),
    };
    pb::PairReason { not: reason.not.0, why: why.into(), round: round.into(), text: reason.to_string() }
}

fn why(reason: &pb::PairReason) -> Result<PairReason, DecodeError> {
    use pb::pair_reason::Why as Wire;
    let why = match reason.why() {
        Wire::Met => Why::Met { round: small(reason.round)? },
        Wire::AbsoluteColours => Why::AbsoluteColours,
        Wire::Prohibited => Why::Prohibited,
        Wire::SameAffiliation => Why::SameAffiliation,
        Wire::Gap => Why::Gap,
        Wire::RepeatedFloat => Why::RepeatedFloat,
        Wire::Colours => Why::Colours,
        Wire::Pool => Why::Pool,
        Wire::Unspecified => return Err(DecodeError("why two did not meet")),
    };
    Ok(PairReason { not: Number(reason.not), why })
}

impl TryFrom<pb::Round> for PublishedRound {
    type Error = DecodeError;

    fn try_from(round: pb::Round) -> Result<PublishedRound, DecodeError> {
        let out = round.out.iter().map(|out| {
            Ok((Number(out.number), enums::code(out.code).ok_or(DecodeError("what a bye is worth"))?))
        });
        let start = round.start_time.as_ref().map(|time| moment(time).ok_or(DecodeError("a start")));
        let tiers = |cost: &pb::PoolCost| {
            let pb::PoolCost {
                left_over,
                same_parity,
                same_affiliation,
                gap,
                floats,
                strong_colour,
                mild_colour,
                fold,
                rematches,
            } = *cost;
            Tiers {
                left_over,
                same_parity,
                same_affiliation,
                gap,
                floats,
                strong_colour,
                mild_colour,
                fold,
                rematches,
            }
        };
        Ok(PublishedRound {
            round: small(round.number)?,
            play_off: round.play_off,
            out: out.collect::<Result<_, DecodeError>>()?,
            seed: digest(&round.seed)?,
            input: digest(&round.input_hash)?,
            relaxed: enums::relaxed(round.relaxed).ok_or(DecodeError("what was lifted"))?,
            tiers: round.pools.iter().map(tiers).collect(),
            edits: round.edits,
            start: start.transpose()?,
            boards: round.pairings.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
            matches: round.matches.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<pb::Pairing> for Board {
    type Error = DecodeError;

    fn try_from(board: pb::Pairing) -> Result<Board, DecodeError> {
        let place = board.bracket.map(|it| {
            let part = enums::part(it.part).ok_or(DecodeError("a part of a bracket"))?;
            Ok::<_, DecodeError>(pairing::knockout::MatchId {
                part,
                round: small(it.round)?,
                place: it.place,
            })
        });
        Ok(Board {
            table: board.table,
            players: [Number(board.first), Number(board.second)],
            coloured: board.coloured,
            place: place.transpose()?,
            reasons: board.reasons.iter().map(why).collect::<Result<_, DecodeError>>()?,
            handicap: board.handicap,
        })
    }
}

impl From<&BoardResult> for pb::BoardResult {
    fn from(result: &BoardResult) -> pb::BoardResult {
        use pb::board_result::{self as wire, Source};
        let source = match result.source {
            ResultSource::Game { game, sequence } => {
                Source::Game(wire::Game { game_id: game.to_string(), sequence })
            }
            ResultSource::OverTheBoard { confirmed_by } => Source::OverTheBoard(wire::OverTheBoard {
                confirmed_by: confirmed_by.map(|account| account.to_string()).unwrap_or_default(),
            }),
            ResultSource::Decision => Source::Decision(wire::Decision {}),
            ResultSource::Departure => Source::Departure(wire::Departure {}),
            ResultSource::Unarranged => Source::Unarranged(wire::Unarranged {}),
        };
        pb::BoardResult {
            first: enums::code_number(result.codes[0]),
            second: enums::code_number(result.codes[1]),
            reason: enums::reason_number(result.reason),
            played_turned: result.played_turned,
            assigned_turned: result.assigned_turned,
            first_warnings: result.warnings[0],
            second_warnings: result.warnings[1],
            source: Some(source),
        }
    }
}

impl TryFrom<pb::BoardResult> for BoardResult {
    type Error = DecodeError;

    fn try_from(result: pb::BoardResult) -> Result<BoardResult, DecodeError> {
        use pb::board_result::Source;
        let code = |number: i32| enums::code(number).ok_or(DecodeError("a result"));
        let source = match result.source.ok_or(DecodeError("where a result comes from"))? {
            Source::Game(it) => {
                ResultSource::Game { game: id::<GameId>(&it.game_id)?, sequence: it.sequence }
            }
            Source::OverTheBoard(it) => {
                let by = (!it.confirmed_by.is_empty()).then(|| id(&it.confirmed_by)).transpose()?;
                ResultSource::OverTheBoard { confirmed_by: by }
            }
            Source::Decision(_) => ResultSource::Decision,
            Source::Departure(_) => ResultSource::Departure,
            Source::Unarranged(_) => ResultSource::Unarranged,
        };
        Ok(BoardResult {
            codes: [code(result.first)?, code(result.second)?],
            reason: enums::reason(result.reason).ok_or(DecodeError("why a board ended"))?,
            played_turned: result.played_turned,
            assigned_turned: result.assigned_turned,
            warnings: [result.first_warnings, result.second_warnings],
            source,
        })
    }
}
