//! From a file of OpenGotha to an event.

use std::collections::{BTreeMap, BTreeSet};

use pairing::{Number, ResultCode};

use super::{
    RESULTS, Seated, key_of, seats,
    xml::{Element, each},
};
use crate::{
    Bye, DoubtKind, Fault, Game, Grade, Halves, HandicapRule, Header, Ids, MacMahon, Name, Outcome, Overtime,
    PersonName, Place, Player, ReadError, Round, TimeControl, Tournament, day,
    doubt::Doubts,
    limits::{BOARD_MAX, BOARDS_MAX, GOTHA_ROUNDS_MAX, HANDICAP_MAX, PLAYERS_MAX, TEAMS_MAX},
    model::Date,
};

pub(crate) fn read(text: &str, doubts: &mut Doubts) -> Result<Tournament, ReadError> {
    let mut file = File::default();
    each(text, |element| file.take(element, doubts))?;
    file.event(doubts)
}

/// More games, byes and boards of teams than this have somebody in two places: everybody in every round has one, and one at a
/// board of his team.
const SEATS_MAX: usize = 2 * PLAYERS_MAX * GOTHA_ROUNDS_MAX as usize;

/// What a file has said so far. Games may come before the players whom they name, and are sorted out at the end.
#[derive(Default)]
struct File<'t> {
    has_root: bool,
    header: Header,
    rounds: usize,
    boards: usize,
    players: Vec<Player>,
    participating: Vec<String>,
    /// Numbers by keys; none where two players have the same key.
    keys: BTreeMap<String, Option<Number>>,
    /// Games, byes and boards so far.
    told: usize,
    games: Vec<Element<'t>>,
    byes: Vec<Element<'t>>,
    /// Each team with the elements of its boards.
    teams: Vec<(Element<'t>, Vec<Element<'t>>)>,
}

impl<'t> File<'t> {
    fn take(&mut self, element: Element<'t>, doubts: &mut Doubts) -> Result<(), ReadError> {
        if !self.has_root {
            self.has_root = true;
            let is_root = element.name == "Tournament";
            return if is_root { Ok(()) } else { Err(element.error(Fault::UnknownFormat, &element.name)) };
        }
        match element.name.as_str() {
            "Player" => self.player(&element, doubts)?,
            "Game" | "ByePlayer" | "Board" if self.told == SEATS_MAX => {
                return Err(element.error(Fault::TwiceInRound, ""));
            }
            "Game" => {
                self.told += 1;
                self.games.push(element);
            }
            "ByePlayer" => {
                self.told += 1;
                self.byes.push(element);
            }
            "Team" if self.teams.len() == TEAMS_MAX => return Err(element.error(Fault::TooManyTeams, "")),
            "Team" => self.teams.push((element, Vec::new())),
            "Board" => match self.teams.last_mut() {
                Some((_, boards)) => {
                    self.told += 1;
                    boards.push(element);
                }
                None => return Err(element.error(Fault::Missing, "Team")),
            },
            "GeneralParameterSet" => self.general(&element, doubts)?,
            "HandicapParameterSet" => self.header.handicaps = Some(handicaps(&element)?),
            "TeamGeneralParameterSet" if element.has("teamSize") => {
                self.boards = element.number("teamSize", u32::try_from(BOARDS_MAX).unwrap_or(0))? as usize;
            }
            _ => {}
        }
        Ok(())
    }

    fn general(&mut self, element: &Element<'_>, doubts: &mut Doubts) -> Result<(), ReadError> {
        let (name, native) = (element.get("name"), element.get("nativeName"));
        let header = &mut self.header;
        header.name = match native {
            "" => Name::of(name),
            native => Name { native: native.to_owned(), latin: name.to_owned() },
        };
        element.get("location").clone_into(&mut header.place);
        element.get("director").clone_into(&mut header.arbiter);
        header.start = date(element, "beginDate", doubts);
        header.end = date(element, "endDate", doubts);
        if element.has("size") {
            header.board_size = u8::try_from(element.number("size", 255)?).ok();
        }
        if let Some(komi) = Some(element.get("komi")).filter(|it| !it.is_empty()) {
            header.komi = Halves::parse(komi);
            if header.komi.is_none() {
                doubts.add(DoubtKind::Komi, Place::Event, komi);
            }
        }
        header.time = time(element, doubts)?;
        let grade = |name: &str| grade(element, name);
        header.macmahon = match (grade("genMMFloor")?, grade("genMMBar")?, grade("genMMZero")?) {
            (Some(floor), Some(bar), Some(zero)) => Some(MacMahon { floor, bar, zero }),
            _ => None,
        };
        if element.has("genNBW2ValueBye") {
            header.pab_points = element.number("genNBW2ValueBye", pairing::WIN_POINTS)?;
        }
        self.rounds = element.number("numberOfRounds", GOTHA_ROUNDS_MAX.into())? as usize;
        Ok(())
    }

    fn player(&mut self, element: &Element<'_>, doubts: &mut Doubts) -> Result<(), ReadError> {
        if self.players.len() == PLAYERS_MAX {
            return Err(element.error(Fault::TooManyPlayers, ""));
        }
        let number = Number(u32::try_from(self.players.len() + 1).unwrap_or(u32::MAX));
        let (name, first) = (element.get("name"), element.get("firstName"));
        let key = key_of(name, first);
        self.keys.entry(key).and_modify(|it| *it = None).or_insert(Some(number));
        let mut grade = Grade::parse(element.get("grade"));
        if grade.is_none() && !element.get("grade").is_empty() {
            doubts.add(DoubtKind::Grade, Place::Player(number), element.get("grade"));
        }
        // Older files have a rank alone.
        if !element.has("grade") {
            grade = Grade::parse(element.get("rank"));
        }
        let stated = element.get("rating");
        let is_stated = element.get("ratingOrigin") != "INI" && !stated.is_empty();
        let rating: Option<i32> = stated.parse().ok().filter(|it: &i32| it.abs() <= Player::RATING_MAX);
        if is_stated && rating.is_none() {
            doubts.add(DoubtKind::Number, Place::Player(number), stated);
        }
        let id = element.get("agaId");
        let is_ours = !id.bytes().all(|it| it.is_ascii_digit());
        let (member, aga) = if is_ours { (id, "") } else { ("", id) };
        let (egf, member, aga) = (element.get("egfPin").to_owned(), member.to_owned(), aga.to_owned());
        self.players.push(Player {
            number,
            name: PersonName::new(element.get("nativeName"), name, first),
            club: element.get("club").to_owned(),
            country: element.get("country").to_owned(),
            rating: rating.filter(|_| is_stated),
            grade,
            title: String::new(),
            ids: Ids { member, egf, aga, fide: String::new() },
        });
        self.participating.push(element.get("participating").to_owned());
        Ok(())
    }

    /// Whom an element names by his key.
    fn find(&self, element: &Element<'_>, attribute: &str) -> Result<Number, ReadError> {
        let key = element.must(attribute)?;
        match self.keys.get(&key.replace(' ', "").to_uppercase()) {
            Some(Some(number)) => Ok(*number),
            Some(None) => Err(element.error(Fault::Double, key)),
            None => Err(element.error(Fault::UnknownPlayer, key)),
        }
    }

    fn event(mut self, doubts: &mut Doubts) -> Result<Tournament, ReadError> {
        let mut seats: BTreeSet<(usize, Number)> = BTreeSet::new();
        let mut sit = |element: &Element<'_>, round: usize, players: &[Number]| {
            let free = players.iter().all(|it| seats.insert((round, *it)));
            if free { Ok(()) } else { Err(element.error(Fault::TwiceInRound, "")) }
        };
        let (mut games, mut byes) = (Vec::new(), Vec::new());
        for element in &self.games {
            let (round, table) = self.game(element)?;
            sit(element, round, &table.players())?;
            games.push((round, table));
        }
        for element in &self.byes {
            let (round, player) = (round(element)?, self.find(element, "player")?);
            sit(element, round, &[player])?;
            byes.push((round, player));
        }
        let seats = self.seats()?;
        let told = games.iter().map(|it| it.0).chain(byes.iter().map(|it| it.0)).max().unwrap_or(0);
        if told > self.rounds && self.rounds > 0 {
            doubts.add(DoubtKind::MoreRounds, Place::Event, told.to_string());
        }
        let mut rounds = vec![Round::default(); self.rounds.max(told)];
        for (number, game) in games {
            let round = &mut rounds[number - 1];
            match game {
                Table::Game(game) => round.games.push(game),
                Table::Draw(players) => {
                    let code = ResultCode::ByeHalf;
                    let place =
                        Place::Entry { round: u16::try_from(number).unwrap_or(u16::MAX), player: players[0] };
                    doubts.add(DoubtKind::DefaultDraw, place, "");
                    round.byes.extend(players.map(|player| Bye { player, code }));
                }
            }
        }
        for (number, player) in byes {
            rounds[number - 1].byes.push(Bye { player, code: ResultCode::Pab });
        }
        for (at, round) in rounds.iter_mut().enumerate().filter(|(_, it)| !it.is_paired()) {
            let away = self.players.iter().zip(&self.participating);
            let away = away.filter(|(_, flags)| flags.as_bytes().get(at) == Some(&b'0'));
            round.byes = away.map(|it| Bye { player: it.0.number, code: ResultCode::ByeZero }).collect();
        }
        let mut event = Tournament { players: std::mem::take(&mut self.players), ..Tournament::default() };
        if !seats.is_empty() {
            self.header.white_boards = (0..self.boards).map(|it| it % 2 == 0).collect();
            let rounds_of = |it: Seated| self.whole(it, rounds.len());
            let seats = seats.into_iter().map(rounds_of).collect();
            let (teams, line_ups) = Seated::teams(seats, self.boards);
            event.teams = teams;
            rounds.iter_mut().zip(line_ups).for_each(|(round, line_ups)| round.line_ups = line_ups);
        }
        (event.header, event.rounds) = (self.header, rounds);
        Ok(event)
    }

    fn game(&self, element: &Element<'_>) -> Result<(usize, Table), ReadError> {
        let (white, black) = (self.find(element, "whitePlayer")?, self.find(element, "blackPlayer")?);
        if white == black {
            return Err(element.error(Fault::Himself, element.get("whitePlayer")));
        }
        let result = element.must("result")?;
        if result == "RESULT_EQUAL_BYDEF" {
            return Ok((round(element)?, Table::Draw([white, black])));
        }
        let outcome = RESULTS.iter().find(|it| it.0 == result).map(|it| it.1);
        // The name had another spelling once.
        let outcome = outcome.or((result == "RESULT_BOTHLOOSE").then_some(Outcome::BothLose));
        let outcome = outcome.ok_or_else(|| element.error(Fault::Code, result))?;
        let board = element.number("tableNumber", BOARD_MAX)?;
        if board == 0 {
            return Err(element.error(Fault::Range, "tableNumber"));
        }
        let handicap = match element.get("handicap") {
            "" => 0,
            _ => u8::try_from(element.number("handicap", HANDICAP_MAX.into())?).unwrap_or(0),
        };
        let game = Game { handicap, ..Game::new(board, white, black, outcome) };
        let game = if element.get("knownColor") == "false" { game.uncoloured() } else { game };
        Ok((round(element)?, Table::Game(game)))
    }

    /// Who sat where, as far as boards say.
    fn seats(&mut self) -> Result<Vec<Seated>, ReadError> {
        let mut owners: BTreeMap<Number, u32> = BTreeMap::new();
        let mut all: Vec<Seated> = Vec::new();
        let mut most = 0;
        for (team, boards) in &self.teams {
            let number = team.number("teamNumber", u32::try_from(TEAMS_MAX).unwrap_or(0))?;
            if number == 0 || all.iter().any(|it| it.number == number) {
                return Err(team.error(Fault::Double, team.get("teamNumber")));
            }
            let mut rounds: Vec<Vec<Option<Number>>> = Vec::new();
            for element in boards {
                let round = round(element)?;
                let board = element.number("boardNumber", u32::try_from(BOARDS_MAX).unwrap_or(0))? as usize;
                let player = self.find(element, "player")?;
                if board == 0 {
                    return Err(element.error(Fault::Range, "boardNumber"));
                }
                if *owners.entry(player).or_insert(number) != number {
                    return Err(element.error(Fault::TwiceInRound, element.get("player")));
                }
                rounds.resize(rounds.len().max(round), Vec::new());
                let seats = &mut rounds[round - 1];
                seats.resize(seats.len().max(board), None);
                seats[board - 1] = Some(player);
                most = most.max(board);
            }
            all.push(Seated { number, name: team.get("teamName").to_owned(), rounds });
        }
        self.boards = self.boards.max(most);
        all.sort_by_key(|it| it.number);
        Ok(all)
    }

    /// The same for every round: of a round of which nothing is said, the order of those who have sat so far.
    fn whole(&self, mut team: Seated, rounds: usize) -> Seated {
        let mut sat: Vec<Number> = Vec::new();
        for player in team.rounds.iter().flatten().flatten() {
            if !sat.contains(player) {
                sat.push(*player);
            }
        }
        team.rounds.resize(rounds, Vec::new());
        for seats_of in &mut team.rounds {
            if seats_of.is_empty() {
                *seats_of = seats(&sat, self.boards);
            }
            seats_of.resize(self.boards, None);
        }
        team
    }
}

/// What came of a table: a game, or a draw of two who did not play.
enum Table {
    Game(Game),
    Draw([Number; 2]),
}

impl Table {
    fn players(&self) -> [Number; 2] {
        match self {
            Table::Game(game) => [game.white, game.black],
            Table::Draw(players) => *players,
        }
    }
}

/// The round of an element, from 1.
fn round(element: &Element<'_>) -> Result<usize, ReadError> {
    match element.number("roundNumber", GOTHA_ROUNDS_MAX.into())? {
        0 => Err(element.error(Fault::Range, "roundNumber")),
        round => Ok(round as usize),
    }
}

fn date(element: &Element<'_>, name: &str, doubts: &mut Doubts) -> Option<Date> {
    let said = element.get(name);
    let date = day::parse(said);
    if date.is_none() && !said.is_empty() {
        doubts.add(DoubtKind::Date, Place::Event, said);
    }
    date
}

/// A grade, or none where nothing is said.
fn grade(element: &Element<'_>, name: &str) -> Result<Option<Grade>, ReadError> {
    match element.get(name) {
        "" => Ok(None),
        said => Grade::parse(said).map(Some).ok_or_else(|| element.error(Fault::Code, said)),
    }
}

fn handicaps(element: &Element<'_>) -> Result<HandicapRule, ReadError> {
    let stones = |name: &str| match element.get(name) {
        "" => Ok(0),
        _ => Ok(u8::try_from(element.number(name, HANDICAP_MAX.into())?).unwrap_or(0)),
    };
    Ok(HandicapRule {
        by_score: element.get("hdBasedOnMMS") == "true",
        reduction: stones("hdCorrection")?,
        most: stones("hdCeiling")?,
        none_from: grade(element, "hdNoHdRankThreshold")?,
    })
}

fn time(element: &Element<'_>, doubts: &mut Doubts) -> Result<Option<TimeControl>, ReadError> {
    if element.get("basicTime").is_empty() {
        return Ok(None);
    }
    let seconds = |name: &str| element.number(name, TimeControl::SECONDS_MAX);
    let basic_seconds = 60 * element.number("basicTime", TimeControl::SECONDS_MAX / 60)?;
    let overtime = match element.get("complementaryTimeSystem") {
        "STDBYOYOMI" => Overtime::ByoYomi { seconds: seconds("stdByoYomiTime")? },
        "CANBYOYOMI" => Overtime::Canadian {
            moves: element.number("nbMovesCanTime", TimeControl::MOVES_MAX)?,
            seconds: seconds("canByoYomiTime")?,
        },
        "FISCHER" => Overtime::Fischer { seconds: seconds("fischerTime")? },
        "SUDDENDEATH" | "" => Overtime::None,
        other => return Err(element.error(Fault::Code, other)),
    };
    let time = TimeControl { basic_seconds, overtime };
    if !time.is_sound() {
        doubts.add(DoubtKind::TimeControl, Place::Event, element.get("complementaryTimeSystem"));
    }
    Ok(Some(time).filter(|it| it.is_sound()))
}
