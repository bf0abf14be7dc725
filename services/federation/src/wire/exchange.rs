//! Events as files, between protos and `core`.

use std::collections::BTreeMap;

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason, time::duration};
use chassis::id::{EventId, FederationId, FileId, MemberId, SeasonId};
use clock_pb::time_control::Control;
use exchange::{Doubt, Format, Loss, Overtime, TimeControl, Tournament, csv::Mark};
use pairing::{Number, lineup::LineupLaw};

use super::{
    event::{enums, request},
    fields::optional,
};
use crate::core::{
    event::{Event, Settings},
    held::{Known, Match, Played, TeamMatch},
    limits::NOTE_CHARS_MAX,
    name::{Name, text},
};
use api::clock::v1 as clock_pb;

proto_enum!(Known = pb::imported_player::Known { Said, ById, ByNumber, ByName, New });

/// What is to be taken over.
#[derive(Clone, Debug)]
pub(crate) struct EventFile {
    /// Who vouches for it.
    pub federation: FederationId,
    /// The file.
    pub file: FileId,
    /// The id that the event shall have.
    pub event: EventId,
    /// Whether it is only looked at.
    pub validate_only: bool,
    /// In which format it is; none to tell it by the file.
    pub format: Option<Format>,
    /// What the event is called; none for what the file says.
    pub name: Option<Name>,
    /// What was played; none for what the file says.
    pub game: Option<pb::EventGame>,
    /// By which format its table is worked out; none for what the file says.
    pub played_as: Option<pb::EventFormat>,
    /// How the caller comes to vouch for it.
    pub statement: String,
    /// Who of it is whom; none of one whom the federation does not know.
    pub said: BTreeMap<Number, Option<MemberId>>,
    /// Whether it is taken over as an event of players, whatever teams it has.
    pub without_teams: bool,
    /// How the players of its teams came to their boards; none to tell it by the file.
    pub line_up: Option<LineupLaw>,
}

/// An event that is asked for as a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Which.
    pub event: EventId,
    /// What of it.
    pub content: Content,
    /// Up to which round; 0 for all.
    pub round: u16,
    /// Whether CSV begins with a byte order mark.
    pub mark: Mark,
}

/// What of an event a file has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// The event, in a format.
    Event(Format),
    /// The players.
    Players,
    /// Every result.
    Results,
    /// The table.
    Standings,
}

/// Games that are asked for as an archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedGames {
    /// Whose.
    pub of: GamesOf,
    /// Only those of this round; 0 for all.
    pub round: u16,
}

/// Whose games are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GamesOf {
    /// An event's.
    Event(EventId),
    /// Those of all divisions and play-offs of a season.
    Season(SeasonId),
}

impl TryFrom<&pb::ExportGamesRequest> for WantedGames {
    type Error = api::Error;

    fn try_from(it: &pb::ExportGamesRequest) -> Result<WantedGames, api::Error> {
        let of = match optional(&it.event_id, "event_id", EventId::parse)? {
            Some(event) => GamesOf::Event(event),
            None => GamesOf::Season(SeasonId::parse(&it.season_id, "season_id")?),
        };
        Ok(WantedGames { of, round: request::round("round", it.round)? })
    }
}

impl TryFrom<pb::ImportEventRequest> for EventFile {
    type Error = api::Error;

    fn try_from(it: pb::ImportEventRequest) -> Result<EventFile, api::Error> {
        let statement = text(&it.statement, NOTE_CHARS_MAX).filter(|it| !it.is_empty());
        let statement = statement.ok_or_else(|| {
            let message = "say how you come to vouch for it, in 500 characters at most";
            api::Error::invalid(reason::BAD_TEXT, "statement", message)
        })?;
        let said =
            it.matches.iter().map(|it| Ok((Number(it.number), request::member_if_any(&it.member_id)?)));
        Ok(EventFile {
            federation: request::federation(&it.federation_id)?,
            file: FileId::parse(&it.file_id, "file_id")?,
            event: EventId::parse(&it.event_id, "event_id")?,
            validate_only: it.validate_only,
            format: if it.format.is_empty() { None } else { Some(format(&it.format)?) },
            name: it.name.as_ref().map(|name| request::name(Some(name))).transpose()?,
            game: it.game,
            played_as: it.event_format,
            statement,
            said: said.collect::<Result<_, api::Error>>()?,
            without_teams: it.without_teams,
            line_up: line_up(it.line_up)?,
        })
    }
}

impl TryFrom<&pb::ExportEventRequest> for Wanted {
    type Error = api::Error;

    fn try_from(it: &pb::ExportEventRequest) -> Result<Wanted, api::Error> {
        use pb::export_event_request::Content as Wire;
        let unknown = |field, message: &str| api::Error::invalid(reason::UNKNOWN_VALUE, field, message);
        let content = match Wire::try_from(it.content) {
            Ok(Wire::Unspecified | Wire::Event) if it.format.is_empty() => Content::Event(Format::Trf26),
            Ok(Wire::Unspecified | Wire::Event) => Content::Event(format(&it.format)?),
            Ok(Wire::Players) => Content::Players,
            Ok(Wire::Results) => Content::Results,
            Ok(Wire::Standings) => Content::Standings,
            Err(_) => return Err(unknown("content", "there is no such file")),
        };
        Ok(Wanted {
            event: EventId::parse(&it.event_id, "event_id")?,
            content,
            round: u16::try_from(it.round).map_err(|_| unknown("round", "there is no such round"))?,
            mark: if it.byte_order_mark { Mark::Bom } else { Mark::None },
        })
    }
}

fn format(name: &str) -> Result<Format, api::Error> {
    Format::named(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|it| it.name()).collect();
        let message = format!("there is no such format; there are {}", known.join(", "));
        api::Error::invalid(reason::UNKNOWN_VALUE, "format", message)
    })
}

/// What an event was, from its file and from what is said beside it.
///
/// # Errors
/// When that makes no sense, or the file does not say what was played and nobody else does.
pub(crate) fn settings(
    read: &Tournament,
    game: Option<pb::EventGame>,
    played_as: Option<pb::EventFormat>,
    teams: Option<Played>,
) -> Result<Settings, api::Error> {
    let rounds = u32::from(read.paired_rounds());
    let zone = if read.header.zone.is_empty() { "UTC".to_owned() } else { read.header.zone.clone() };
    let played_as = played_as.or_else(|| Some(pb::EventFormat { format: Some(format_of(read, rounds)) }));
    let mut game = game.unwrap_or_default();
    if game.variant.is_empty() {
        game.variant.clone_from(&read.header.variant);
    }
    if game.time_control.is_none() {
        game.time_control =
            Some(clock_pb::TimeControl { control: Some(control(read.header.time)), second: None });
    }
    // Nothing of it is played here, so that no rating of the platform moves.
    game.rated = false;
    let entries = if teams.is_some() { read.teams.len() } else { read.players.len() };
    let pab = read.header.pab_points;
    let readings = if pab == pairing::WIN_POINTS {
        BTreeMap::new()
    } else {
        BTreeMap::from([("pab_points".to_owned(), pab.to_string())])
    };
    request::settings(Some(pb::EventSettings {
        game: Some(game),
        format: played_as,
        readings,
        entries_max: u32::try_from(entries).unwrap_or(u32::MAX).max(2),
        teams: teams.map(team_settings),
        schedule: Some(pb::EventSchedule { zone, ..pb::EventSchedule::default() }),
        ..pb::EventSettings::default()
    }))
}

/// How the players of teams came to their boards. A match that goes on over several rounds no file tells from several.
fn line_up(number: i32) -> Result<Option<LineupLaw>, api::Error> {
    if number == 0 {
        return Ok(None);
    }
    let law = enums::law(number).filter(|it| *it != LineupLaw::WholeTeam);
    let none =
        || api::Error::invalid(reason::UNKNOWN_VALUE, "line_up", "no way in which a file's teams play");
    law.map(Some).ok_or_else(none)
}

/// What an event asks of teams that played so.
fn team_settings(it: Played) -> pb::TeamSettings {
    let changes = matches!(it.law, LineupLaw::DeclaredBoards | LineupLaw::FixedBoardsSubs);
    pb::TeamSettings {
        boards: it.boards,
        line_up: enums::law_number(it.law),
        reserves_max: if changes {
            it.reserves.min(u32::try_from(pairing::lineup::RESERVES_MAX).unwrap_or(u32::MAX))
        } else {
            0
        },
        ..pb::TeamSettings::default()
    }
}

/// By which format the table of a file is worked out if nobody says otherwise.
fn format_of(read: &Tournament, rounds: u32) -> pb::event_format::Format {
    use pb::event_format::{Format as Wire, MacMahon, Swiss};
    // Teams that meet have no scores to begin with.
    match read.header.macmahon.filter(|_| read.teams.is_empty()) {
        None => Wire::Swiss(Swiss { rounds }),
        Some(macmahon) => Wire::MacMahon(MacMahon {
            rounds,
            bar: macmahon.bar.strength(),
            floor: macmahon.floor.strength(),
            reduction: read.header.handicaps.map_or(0, |it| it.reduction.into()),
            handicap_max: read.header.handicaps.map_or(0, |it| it.most.into()),
        }),
    }
}

/// The time control of a file; without one nobody knows how long they had.
fn control(time: Option<TimeControl>) -> Control {
    use clock_pb::time_control::{Absolute, ByoYomi, Canadian, Fischer, Unlimited};
    let span = |seconds: u32| Some(duration(std::time::Duration::from_secs(seconds.into())));
    let Some(TimeControl { basic_seconds, overtime }) = time else { return Control::Unlimited(Unlimited {}) };
    let main_duration = span(basic_seconds);
    match overtime {
        Overtime::None => Control::Absolute(Absolute { main_duration }),
        Overtime::ByoYomi { seconds } => {
            Control::ByoYomi(ByoYomi { main_duration, period_duration: span(seconds), periods: 1 })
        }
        Overtime::Canadian { moves, seconds } => {
            Control::Canadian(Canadian { main_duration, period_duration: span(seconds), moves })
        }
        Overtime::Fischer { seconds } => {
            Control::Fischer(Fischer { main_duration, increment_duration: span(seconds), cap_duration: None })
        }
    }
}

/// What came of an import, or would.
pub(crate) fn imported(
    event: &Event,
    told: pb::Event,
    (format, doubts): (Format, &[Doubt]),
    (matches, teams): (&[Match], &[TeamMatch]),
    is_preview: bool,
) -> pb::ImportedEvent {
    let player = |(found, participant): (&Match, &crate::core::event::Participant)| pb::ImportedPlayer {
        number: found.number.0,
        name: found.name.clone(),
        known: found.known.number(),
        member_id: match found.member {
            Some(member) => member.to_string(),
            None if is_preview => String::new(),
            None => participant.entrant.member.to_string(),
        },
    };
    let team = |it: &TeamMatch| pb::ImportedTeam {
        number: it.number,
        name: it.name.clone(),
        is_known: it.is_known,
        team_id: if it.is_known || !is_preview { it.team.to_string() } else { String::new() },
    };
    let doubt = |doubt: &Doubt| pb::FileDoubt {
        what: doubt.kind.name().to_owned(),
        place: doubt.place.to_string(),
        message: doubt.to_string(),
    };
    let games = event.rounds.iter().map(|round| round.boards.len()).sum::<usize>();
    pb::ImportedEvent {
        event: Some(told),
        format: format.name().to_owned(),
        players: matches.iter().zip(&event.participants).map(player).collect(),
        games: u32::try_from(games).unwrap_or(u32::MAX),
        doubts: doubts.iter().map(doubt).collect(),
        teams: teams.iter().map(team).collect(),
    }
}

/// What a format cannot carry.
pub(crate) fn loss(loss: &Loss) -> pb::FileLoss {
    pb::FileLoss { what: loss.what.name().to_owned(), count: loss.count, message: loss.to_string() }
}
