//! From an event, as far as OpenGotha has it, to a file.

use pairing::{Number, ResultCode};
use quick_xml::{
    events::{BytesDecl, BytesEnd, BytesStart, Event},
    writer::Writer,
};

use super::{RESULTS, key, parts, seats};
use crate::{
    Grade, Header, Ids, Overtime, Place, Player, Refusal, Tournament, WriteError, day,
    limits::GOTHA_ROUNDS_MAX,
};

/// The version of the format, of OpenGotha 3.4 and up.
const DATA_VERSION: &str = "201";

/// The file of what OpenGotha carries of an event.
pub(crate) fn write(event: &Tournament) -> Result<Vec<u8>, WriteError> {
    let mut file = File(Writer::new_with_indent(Vec::new(), b' ', 1));
    let written = file.event(event);
    written.map_err(|it| WriteError::new(Refusal::Format, Place::Event, it.to_string()))?;
    let mut bytes = file.0.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// Attributes with their values.
type Attributes = Vec<(&'static str, String)>;

struct File(Writer<Vec<u8>>);

impl File {
    fn begin(&mut self, name: &'static str, attributes: &Attributes) -> std::io::Result<()> {
        self.0.write_event(Event::Start(tag(name, attributes)))
    }

    fn end(&mut self, name: &'static str) -> std::io::Result<()> {
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    fn empty(&mut self, name: &'static str, attributes: &Attributes) -> std::io::Result<()> {
        self.0.write_event(Event::Empty(tag(name, attributes)))
    }

    fn event(&mut self, event: &Tournament) -> std::io::Result<()> {
        self.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))?;
        self.begin("Tournament", &vec![("dataVersion", DATA_VERSION.to_owned())])?;
        self.players(event)?;
        self.games(event)?;
        self.byes(event)?;
        self.teams(event)?;
        self.begin("TournamentParameterSet", &Vec::new())?;
        self.empty("GeneralParameterSet", &general(event))?;
        if let Some(rule) = event.header.handicaps {
            let mut attributes = vec![
                ("hdBasedOnMMS", rule.by_score.to_string()),
                ("hdCorrection", rule.reduction.to_string()),
                ("hdCeiling", rule.most.to_string()),
            ];
            attributes.extend(rule.none_from.map(|it| ("hdNoHdRankThreshold", capital(it))));
            self.empty("HandicapParameterSet", &attributes)?;
        }
        self.end("TournamentParameterSet")?;
        if !event.teams.is_empty() {
            self.begin("TeamTournamentParameterSet", &Vec::new())?;
            let size = event.header.white_boards.len().to_string();
            self.empty("TeamGeneralParameterSet", &vec![("teamSize", size)])?;
            self.end("TeamTournamentParameterSet")?;
        }
        self.end("Tournament")
    }

    fn players(&mut self, event: &Tournament) -> std::io::Result<()> {
        let away = event.absences();
        self.begin("Players", &Vec::new())?;
        for it in &event.players {
            let (name, first) = parts(&it.name);
            let flag = |round: &u16| if away.contains(&(it.number, *round)) { '0' } else { '1' };
            let mut attributes = vec![
                ("name", name.to_owned()),
                ("firstName", first.to_owned()),
                ("country", it.country.clone()),
                ("club", it.club.clone()),
                ("egfPin", it.ids.egf.clone()),
                ("ffgLicence", String::new()),
                ("ffgLicenceStatus", String::new()),
                ("agaId", aga_id(&it.ids)),
                ("agaExpirationDate", String::new()),
                ("rank", rank(it.grade)),
                ("rating", rating(it).to_string()),
                ("ratingOrigin", if it.rating.is_some() { "MAN" } else { "INI" }.to_owned()),
                ("grade", it.grade.map_or_else(String::new, capital)),
                ("smmsCorrection", "0".to_owned()),
                ("participating", (1..=GOTHA_ROUNDS_MAX).map(|round| flag(&round)).collect()),
                ("registeringStatus", "FIN".to_owned()),
            ];
            if !it.name.last.is_empty() && !it.name.native.is_empty() {
                attributes.push(("nativeName", it.name.native.clone()));
            }
            self.empty("Player", &attributes)?;
        }
        self.end("Players")
    }

    fn games(&mut self, event: &Tournament) -> std::io::Result<()> {
        self.begin("Games", &Vec::new())?;
        for (number, round) in event.numbered_rounds() {
            for game in &round.games {
                let result = RESULTS.iter().find(|it| it.1 == game.outcome).map_or(RESULTS[0].0, |it| it.0);
                self.empty(
                    "Game",
                    &vec![
                        ("roundNumber", number.to_string()),
                        ("tableNumber", game.board.to_string()),
                        ("whitePlayer", key_of(event, game.white)),
                        ("blackPlayer", key_of(event, game.black)),
                        ("knownColor", game.coloured.to_string()),
                        ("handicap", game.handicap.to_string()),
                        ("result", result.to_owned()),
                    ],
                )?;
            }
        }
        self.end("Games")
    }

    fn byes(&mut self, event: &Tournament) -> std::io::Result<()> {
        self.begin("ByePlayers", &Vec::new())?;
        for (number, round) in event.numbered_rounds() {
            for bye in round.byes.iter().filter(|it| it.code == ResultCode::Pab) {
                let player = key_of(event, bye.player);
                self.empty("ByePlayer", &vec![("roundNumber", number.to_string()), ("player", player)])?;
            }
        }
        self.end("ByePlayers")
    }

    fn teams(&mut self, event: &Tournament) -> std::io::Result<()> {
        if event.teams.is_empty() {
            return Ok(());
        }
        self.begin("Teams", &Vec::new())?;
        for team in &event.teams {
            let number = team.number.to_string();
            self.begin("Team", &vec![("teamNumber", number), ("teamName", team.name.clone())])?;
            for (number, round) in event.numbered_rounds() {
                let line_up = round.line_ups.iter().find(|it| it.team == team.number);
                let default = || seats(&team.players, event.header.white_boards.len());
                let seats = line_up.map_or_else(default, |it| it.players.clone());
                for (board, player) in (1..).zip(seats).filter_map(|(board, it): (u32, _)| Some((board, it?)))
                {
                    self.empty(
                        "Board",
                        &vec![
                            ("roundNumber", number.to_string()),
                            ("boardNumber", board.to_string()),
                            ("player", key_of(event, player)),
                        ],
                    )?;
                }
            }
            self.end("Team")?;
        }
        self.end("Teams")
    }
}

fn tag<'a>(name: &'static str, attributes: &'a Attributes) -> BytesStart<'a> {
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    BytesStart::new(name).with_attributes(attributes)
}

fn key_of(event: &Tournament, number: Number) -> String {
    event.player(number).map_or_else(String::new, |it| key(&it.name))
}

fn aga_id(ids: &Ids) -> String {
    if ids.member.is_empty() { ids.aga.clone() } else { ids.member.clone() }
}

/// A grade in capitals, as OpenGotha writes it.
fn capital(grade: Grade) -> String {
    grade.to_string().to_uppercase()
}

/// The rank by which OpenGotha pairs: it knows no professionals, and everybody has one.
fn rank(grade: Option<Grade>) -> String {
    let grade = grade.unwrap_or(Grade::Kyu(Grade::KYU_MAX));
    capital(if let Grade::Pro(_) = grade { Grade::Dan(Grade::DAN_MAX) } else { grade })
}

/// A rating, made from the grade where there is none: a hundred a grade, and 2100 for the first dan.
fn rating(player: &Player) -> i32 {
    let from_grade = || player.grade.map_or(0, |it| 2_000 + 100 * it.strength());
    player.rating.unwrap_or_else(from_grade)
}

fn general(event: &Tournament) -> Attributes {
    let header: &Header = &event.header;
    let name = &header.name;
    let shown = if name.latin.is_empty() { &name.native } else { &name.latin };
    let mut attributes = vec![
        ("shortName", shown.clone()),
        ("name", shown.clone()),
        ("location", header.place.clone()),
        ("director", header.arbiter.clone()),
        ("numberOfRounds", event.rounds.len().to_string()),
        ("numberOfCategories", "1".to_owned()),
        ("genNBW2ValueBye", header.pab_points.to_string()),
        ("genMMS2ValueBye", header.pab_points.to_string()),
        ("genNBW2ValueAbsent", "0".to_owned()),
        ("genMMS2ValueAbsent", "0".to_owned()),
    ];
    if !name.latin.is_empty() && !name.native.is_empty() {
        attributes.push(("nativeName", name.native.clone()));
    }
    attributes.extend(header.start.map(|it| ("beginDate", day::text(it, '-'))));
    attributes.extend(header.end.map(|it| ("endDate", day::text(it, '-'))));
    attributes.extend(header.board_size.map(|it| ("size", it.to_string())));
    attributes.extend(header.komi.map(|it| ("komi", it.to_string())));
    if let Some(it) = header.macmahon {
        let grades = [("genMMFloor", it.floor), ("genMMBar", it.bar), ("genMMZero", it.zero)];
        attributes.extend(grades.map(|(name, grade)| (name, capital(grade))));
    }
    if let Some(time) = header.time {
        attributes.push(("basicTime", (time.basic_seconds / 60).to_string()));
        let (system, more) = match time.overtime {
            Overtime::None => ("SUDDENDEATH", vec![]),
            Overtime::ByoYomi { seconds } => ("STDBYOYOMI", vec![("stdByoYomiTime", seconds)]),
            Overtime::Canadian { moves, seconds } => {
                ("CANBYOYOMI", vec![("nbMovesCanTime", moves), ("canByoYomiTime", seconds)])
            }
            Overtime::Fischer { seconds } => ("FISCHER", vec![("fischerTime", seconds)]),
        };
        attributes.push(("complementaryTimeSystem", system.to_owned()));
        attributes.extend(more.into_iter().map(|(name, value)| (name, value.to_string())));
    }
    attributes
}
