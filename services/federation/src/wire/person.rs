//! What is kept of a person, as JSON that he is given: in the words of the protos, and with ids where others are meant.

use std::fmt::Debug;

use api::{ProtoEnum as _, federation::v1 as pb};
use pairing::Number;
use serde_json::{Map, Value, json};
use time::{Date, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::core::{
    application::Application,
    club::Club,
    day,
    document::Document,
    event::{BoardState, Event, Participant, Role, Round, game_id, person::Note},
    federation::Federation,
    invitation::Invitation,
    league::Season,
    member::Member,
    name::Name,
    notice::{Kind, Notice},
    official::Official,
    proxy::Proxy,
    team::{Part, Team},
    title::{Award, Title},
};

/// The name of a value of an enum, in small letters: `ResultCode::ForfeitWin` is `forfeit_win`.
fn word(value: impl Debug) -> String {
    let mut word = String::new();
    // What belongs to the variant stands in fields of its own.
    for sign in format!("{value:?}").chars().take_while(|it| it.is_alphanumeric()) {
        if sign.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(sign.to_lowercase());
    }
    word
}

fn named(name: &Name) -> Value {
    json!({"native": name.native, "latin": name.latin})
}

fn at(moment: OffsetDateTime) -> Value {
    json!(moment.format(&Rfc3339).unwrap_or_default())
}

fn on(date: Option<Date>) -> Value {
    date.map_or(Value::Null, |date| json!(day::text(date)))
}

/// A member, with everything that is known of him.
pub(crate) fn member(it: &Member, doubles: &[Member], clubs: &[Club]) -> Value {
    let club = |id| clubs.iter().find(|club| club.id == id).map_or(Value::Null, |club| named(&club.name));
    let stays = it.stays.iter().map(|stay| {
        json!({
            "club_id": stay.club.to_string(),
            "club": club(stay.club),
            "from": on(Some(stay.from)),
            "to": on(stay.to),
        })
    });
    json!({
        "member_id": it.id.to_string(),
        "former_ids": doubles.iter().map(|it| it.id.to_string()).collect::<Vec<_>>(),
        "account_id": it.account.map(|account| account.to_string()),
        "name": named(&it.person.name),
        "sex": it.person.sex.map(word),
        "birth_date": on(it.person.born),
        "grade": it.person.grade,
        "numbers": it.person.numbers,
        "note": it.person.note,
        "state": word(it.state.kind()),
        "joined": on(Some(it.joined)),
        "stays": stays.collect::<Vec<_>>(),
    })
}

pub(crate) fn federation(it: &Federation) -> Value {
    json!({"federation_id": it.id.to_string(), "name": named(&it.name)})
}

pub(crate) fn team(it: &Team, member: &Member) -> Value {
    let part = it.members.iter().find(|(id, _)| *id == member.id).map(|(_, part)| word(*part));
    json!({"team_id": it.id.to_string(), "name": named(&it.name), "part": part})
}

pub(crate) fn proxy(it: &Proxy) -> Value {
    json!({
        "member_id": it.member.to_string(),
        "account_id": it.account.to_string(),
        "given": at(it.given),
        "withdrawn": it.withdrawn.map(|(_, moment)| at(moment)),
        "by_himself": it.himself,
        "reason": it.reason,
    })
}

pub(crate) fn award(it: &Award, titles: &[Title]) -> Value {
    let title = titles.iter().find(|title| title.id == it.title);
    json!({
        "award_id": it.id.to_string(),
        "title": title.map(|title| named(&title.name)),
        "kind": title.map(|title| word(title.kind)),
        "state": word(it.state),
        "reason": it.reason,
        "events": it.events.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "proposed": at(it.proposed),
        "decided": it.decided.map(|(_, moment)| at(moment)),
        "effective": on(it.effective),
        "refusal": it.refusal,
        "revoked": it.revoked.map(|(_, moment)| at(moment)),
        "revocation": it.revocation,
    })
}

/// A place in the squad of a season.
pub(crate) fn squad(season: &Season, (entrant, part): (uuid::Uuid, Part)) -> Value {
    json!({
        "season_id": season.id.to_string(),
        "season": named(&season.name),
        "entrant_id": entrant.to_string(),
        "part": word(part),
    })
}

pub(crate) fn application(it: &Application) -> Value {
    json!({
        "application_id": it.id.to_string(),
        "federation_id": it.federation.to_string(),
        "name": named(&it.name),
        "club_id": it.club.map(|club| club.to_string()),
        "note": it.note,
        "made": at(it.made),
        "answer": word(it.answer),
        "reply": it.reply,
        "answered": it.answered.map(|(_, moment)| at(moment)),
        "member_id": it.member.map(|member| member.to_string()),
    })
}

pub(crate) fn invitation(it: &Invitation) -> Value {
    json!({
        "invitation_id": it.id.to_string(),
        "federation_id": it.federation.to_string(),
        "member_id": it.member.map(|member| member.to_string()),
        "made": at(it.made),
        "expires": at(it.expires),
        "answer": word(it.answer),
    })
}

pub(crate) fn office(it: &Official) -> Value {
    json!({
        "federation_id": it.federation.to_string(),
        "role": word(it.role),
        "granted": at(it.granted),
        "revoked": it.revoked.map(|(_, moment)| at(moment)),
    })
}

pub(crate) fn notice(it: &Notice) -> Value {
    let about = &it.about;
    let text = |id: Option<String>| id.map_or(Value::Null, Value::String);
    json!({
        "number": it.number,
        "kind": notice_kind(it.kind),
        "time": at(it.at),
        "read": it.is_read,
        "federation_id": text(about.federation.map(|it| it.to_string())),
        "event_id": text(about.event.map(|it| it.to_string())),
        "round": about.round,
        "table": about.table,
        "number_in_event": about.number.map(|it| it.0),
        "opponent": about.opponent.map(|it| it.0),
        "member_id": text(about.member.map(|it| it.to_string())),
        "due": about.due.map(at),
    })
}

pub(crate) fn document(it: &Document) -> Value {
    json!({
        "document_id": it.id.to_string(),
        "event_id": it.board.event.map(|event| event.to_string()),
        "kind": word(it.kind),
        "title": it.title,
        "posted": at(it.posted),
    })
}

/// Somebody in an event, which is as he sees it, with the texts beside its log that are for him.
pub(crate) fn event(
    it: &Event,
    (his, offices): (&[&Participant], Vec<String>),
    notes: &[(u64, Note, String)],
) -> Value {
    let entries = his.iter().map(|participant| entry(it, participant));
    let notes = notes
        .iter()
        .map(|(sequence, note, text)| json!({"sequence": sequence, "kind": word(*note), "text": text}));
    json!({
        "event_id": it.id.to_string(),
        "name": named(&it.name),
        "stage": word(it.stage),
        "offices": offices,
        "entries": entries.collect::<Vec<_>>(),
        "texts": notes.collect::<Vec<_>>(),
    })
}

fn entry(event: &Event, participant: &Participant) -> Value {
    let number = participant.number();
    let (entrant, rounds) = (&participant.entrant, event.rounds.iter());
    let statuses = participant.statuses.iter().map(|status| json!(format!("{status:?}")));
    json!({
        "number": number.0,
        "member_id": entrant.member.to_string(),
        "rating": entrant.rating,
        "strength": entrant.grade,
        "accepted_supplement": participant.accepts,
        "team": participant.team.map(|team| team.0),
        "states": statuses.collect::<Vec<_>>(),
        "rounds": rounds.filter_map(|round| in_round(event, round, number)).collect::<Vec<_>>(),
    })
}

/// What somebody had in a round: a board, or a bye.
fn in_round(event: &Event, round: &Round, number: Number) -> Option<Value> {
    let played = round.published.round;
    if let Some((_, code)) = round.published.out.iter().find(|(out, _)| *out == number)
        && event.settings.teams.is_none()
    {
        return Some(json!({"round": played, "bye": code.name()}));
    }
    let (id, board, state) = round.laid().find(|(_, board, _)| board.players.contains(&number))?;
    let side = usize::from(board.players[1] == number);
    let BoardState { attempt, result, .. } = state;
    let games: Vec<String> =
        (1..=*attempt).map(|attempt| game_id(event.id, id, attempt).to_string()).collect();
    Some(json!({
        "round": played,
        "table": id.table,
        "first": side == 0,
        "opponent": board.players[1 - side].0,
        "result": result.as_ref().map(|it| it.codes[side].name()),
        "reason": result.as_ref().map(|it| it.reason.name()),
        "game_ids": games,
    }))
}

/// A kind of notices.
pub(crate) fn notice_kind(kind: Kind) -> String {
    let kind = pb::NoticeKind::try_from(kind.number()).unwrap_or_default();
    kind.as_str_name().trim_start_matches("NOTICE_KIND_").to_lowercase()
}

/// What somebody is to an event.
pub(crate) fn role(role: Role) -> String {
    word(role)
}

/// Sections of a document.
pub(crate) fn sections(sections: Vec<(&'static str, Value)>) -> Value {
    sections.into_iter().map(|(name, section)| (name.to_owned(), section)).collect::<Map<_, _>>().into()
}
