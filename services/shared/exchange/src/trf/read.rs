//! From a report to an event.

use std::collections::BTreeMap;

use pairing::{
    ColourLaw, Number, ResultCode,
    trf::{
        self, ByeKind, ByeMark, EventError, ForfeitKind, GameMark, PlayerRecord, Report, Side, Slot, Tenths,
        TrfError,
    },
};

use crate::{
    AnyFault, Bye, Doubt, DoubtKind, Fault, ForfeitedMatch, Game, Grade, Header, Ids, LineUp, MatchForfeit,
    Name, Outcome, Overtime, PersonName, Place, Player, Prohibition, ReadError, Round, Team, TeamBye,
    TimeControl, Tournament, doubt::Doubts, limits::BOARD_MAX, model::Date,
};

pub(crate) fn read(text: &str, doubts: &mut Doubts) -> Result<Tournament, ReadError> {
    let report = Report::read(text.as_bytes()).map_err(|it| from_trf(&it))?;
    of(&report, text, doubts)
}

/// The event of a report, and where its records stand in the text from which it was read.
fn of(report: &Report, text: &str, doubts: &mut Doubts) -> Result<Tournament, ReadError> {
    // It is read for its judgement alone: whether the records of opponents agree, and what the report leaves open.
    let judged = trf::Event::of(report, ColourLaw::Open).map_err(|it| contradiction(text, it))?;
    judged.doubts.iter().for_each(|it| doubt(doubts, *it));
    let declared = report.rounds.unwrap_or(judged.paired);
    if judged.paired > declared {
        doubts.add(DoubtKind::MoreRounds, Place::Event, judged.paired.to_string());
    }
    left_out(report, doubts);
    let mut event = Tournament {
        header: header(report, doubts),
        players: players(report, doubts),
        rounds: vec![Round::default(); declared.max(rounds_told(report)).into()],
        teams: Vec::new(),
        prohibitions: prohibitions(report),
    };
    event.players.sort_by_key(|it| it.number);
    event.teams = teams(report, &event, doubts);
    for (round, day) in event.rounds.iter_mut().zip(&report.header.dates) {
        round.date = date(day, doubts);
    }
    Seats::of(report).fill(&mut event.rounds, text, doubts)?;
    byes_asked(report, &mut event, doubts);
    teams_of_rounds(report, &mut event);
    event.rounds.iter_mut().for_each(Round::number_boards);
    Ok(event)
}

/// The event of a report that was made or read elsewhere, with what is doubtful in it. Errors have the first line for their
/// place, for a report knows no lines.
///
/// ```
/// use pairing::trf::{Form, Report};
/// let text = format!("{:<80} 0.0    1  0000 - U\n", "001    1      Dorje, Tashi");
/// let (event, _) = exchange::trf::event(&Report::read(text.as_bytes())?)?;
/// let report = exchange::trf::report(&event, Form::Trf26)?;
/// assert_eq!((event.players[0].name.first.as_str(), report.players[0].name.as_str()), ("Tashi", "Dorje, Tashi"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn event(report: &Report) -> Result<(Tournament, Vec<Doubt>), ReadError> {
    let mut doubts = Doubts::default();
    let event = crate::format::sound(of(report, "", &mut doubts)?)?;
    Ok((event, doubts.into_inner()))
}

fn from_trf(error: &TrfError) -> ReadError {
    let (line, column) = (error.line, error.column);
    ReadError { fault: AnyFault::Trf(error.fault), line, column, what: String::new() }
}

/// Where the record of a player says something of a round.
fn place(text: &str, number: Number, round: u16) -> (u32, u32) {
    let own = |line: &str| {
        let field: String = line.chars().skip(4).take(4).collect();
        line.starts_with("001") && field.trim().parse() == Ok(number.0)
    };
    let lines = text.replace("\r\n", "\n");
    let line = lines.split(['\n', '\r']).position(own).unwrap_or(0);
    (u32::try_from(line + 1).unwrap_or(u32::MAX), 82 + 10 * u32::from(round))
}

fn contradiction(text: &str, error: EventError) -> ReadError {
    let (fault, number, round) = match error {
        EventError::UnknownOpponent { number, round, .. } => (Fault::UnknownPlayer, number, round),
        EventError::Contradiction { number, round } => (Fault::Contradiction, number, round),
        EventError::TooManyProhibitions => return ReadError::new(Fault::TooManyProhibitions, (1, 1), ""),
    };
    ReadError::new(fault, place(text, number, round), &error.to_string())
}

fn doubt(doubts: &mut Doubts, it: trf::Doubt) {
    match it {
        trf::Doubt::NoRounds => doubts.add(DoubtKind::NoRounds, Place::Event, ""),
        trf::Doubt::PabPoints => doubts.add(DoubtKind::PabPoints, Place::Event, ""),
        trf::Doubt::OddPoints => doubts.add(DoubtKind::OddPoints, Place::Event, "299"),
        trf::Doubt::PointsDiffer { number } => {
            doubts.add(DoubtKind::PointsDiffer, Place::Player(number), "");
        }
        trf::Doubt::Teams => doubts.add(DoubtKind::NoTeam, Place::Event, ""),
        // These are of no moment unless somebody judges the pairing.
        _ => {}
    }
}

/// Records that an event has no place for.
fn left_out(report: &Report, doubts: &mut Doubts) {
    let mut left_out = |is_there: bool, record: &str| {
        if is_there {
            doubts.add(DoubtKind::LeftOut, Place::Event, record);
        }
    };
    let header = &report.header;
    left_out(!report.accelerations.is_empty(), "250");
    left_out(!report.player_accelerations.is_empty(), "XXA");
    left_out(!header.deputies.is_empty(), "112");
    left_out(!header.tie_breaks.is_empty(), "202");
    left_out(report.initial_colour.is_some(), "152");
    left_out(report.team_points != trf::TeamPoints::default(), "362");
    for line in &report.other {
        left_out(true, line);
    }
}

fn header(report: &Report, doubts: &mut Doubts) -> Header {
    let said = &report.header;
    Header {
        name: Name::of(&said.name),
        place: said.city.trim().to_owned(),
        country: said.federation.trim().to_owned(),
        start: date(&said.start, doubts),
        end: date(&said.end, doubts),
        arbiter: said.chief_arbiter.trim().to_owned(),
        time: time(report, doubts),
        pab_points: pab_points(report, doubts),
        white_boards: report.board_colours.iter().map(|it| *it == Side::White).collect(),
        ..Header::default()
    }
}

/// `YYYY/MM/DD`, and with other signs between them.
fn date(text: &str, doubts: &mut Doubts) -> Option<Date> {
    if text.is_empty() {
        return None;
    }
    let date = crate::day::parse(text);
    if date.is_none() {
        doubts.add(DoubtKind::Date, Place::Event, text);
    }
    date
}

fn time(report: &Report, doubts: &mut Doubts) -> Option<TimeControl> {
    let said = report.time_control.as_ref()?;
    let simple = match said.periods.as_slice() {
        [one] if said.black.is_none() && one.moves.is_none() => Some(TimeControl {
            basic_seconds: one.seconds,
            overtime: match one.increment {
                None | Some(0) => Overtime::None,
                Some(seconds) => Overtime::Fischer { seconds },
            },
        }),
        _ => None,
    };
    let sound = simple.filter(|it| it.is_sound());
    if sound.is_none() {
        doubts.add(DoubtKind::TimeControl, Place::Event, said.to_string());
    }
    sound
}

/// What the pairing bye is worth beside a win and a draw.
fn pab_points(report: &Report, doubts: &mut Doubts) -> u32 {
    let scoring = report.scoring();
    let (opponent, colour) = (Number(1), Some(Side::White));
    let worth = |mark| scoring.points(Slot::Game { opponent, colour, result: Some(mark) });
    let of = [worth(GameMark::Win), worth(GameMark::Draw), worth(GameMark::Loss)];
    if of[0] <= of[2] || of[1].0 * 2 != of[0].0 + of[2].0 {
        let said = of.map(|it: Tenths| it.to_string()).join(" ");
        doubts.add(DoubtKind::PointSystem, Place::Event, said);
    }
    let pab = scoring.points(Slot::Bye(ByeMark::Pab));
    let worth = [pairing::WIN_POINTS, pairing::DRAW_POINTS, 0].into_iter().zip(of).find(|it| it.1 == pab);
    worth.map_or(pairing::WIN_POINTS, |it| it.0)
}

fn players(report: &Report, doubts: &mut Doubts) -> Vec<Player> {
    let mut national: BTreeMap<Number, Vec<&trf::National>> = BTreeMap::new();
    for it in &report.national {
        national.entry(it.number).or_default().push(it);
    }
    let mut player = |record: &PlayerRecord| {
        let own = national.get(&record.number).map_or(&[] as &[_], Vec::as_slice);
        let first = |field: fn(&trf::National) -> &String| {
            own.iter().map(|it| field(it).trim()).find(|it| !it.is_empty()).unwrap_or_default()
        };
        let name = PersonName::of(&record.name);
        let native = first(|it| &it.name);
        let native = if native.is_empty() { &name.native } else { native };
        let grade = first(|it| &it.class);
        if !grade.is_empty() && Grade::parse(grade).is_none() {
            doubts.add(DoubtKind::Grade, Place::Player(record.number), grade);
        }
        Player {
            number: record.number,
            name: PersonName::new(native, &name.last, &name.first),
            club: String::new(),
            country: record.federation.trim().to_owned(),
            rating: record.rating.and_then(|it| i32::try_from(it).ok()),
            grade: Grade::parse(grade),
            title: record.title.trim().to_owned(),
            ids: Ids {
                member: first(|it| &it.id).to_owned(),
                fide: record.id.trim().to_owned(),
                ..Ids::default()
            },
        }
    };
    report.players.iter().map(&mut player).collect()
}

fn prohibitions(report: &Report) -> Vec<Prohibition> {
    let of_two = report.prohibitions.iter().filter(|it| it.who.len() > 1);
    of_two.map(|it| Prohibition { rounds: it.rounds, who: it.who.clone() }).collect()
}

/// How many rounds anything is said of.
fn rounds_told(report: &Report) -> u16 {
    let slots = report.players.iter().map(|it| it.rounds.len()).max().unwrap_or(0);
    let byes = report.byes.iter().map(|it| it.round);
    let forfeits = report.forfeited_matches.iter().map(|it| it.round);
    let teams = report.team_byes.iter().map(|it| u16::try_from(it.teams.len()).unwrap_or(0));
    let orders = report.board_orders.iter().map(|it| it.round);
    let slots = u16::try_from(slots).unwrap_or(u16::MAX);
    byes.chain(forfeits).chain(teams).chain(orders).chain([slots]).max().unwrap_or(0)
}

/// The records of players, by their numbers.
struct Seats<'a>(BTreeMap<Number, &'a PlayerRecord>);

impl<'a> Seats<'a> {
    fn of(report: &'a Report) -> Seats<'a> {
        Seats(report.players.iter().map(|it| (it.number, it)).collect())
    }

    fn slot(&self, number: Number, round: usize) -> Slot {
        self.0.get(&number).and_then(|it| it.rounds.get(round)).copied().unwrap_or_default()
    }

    /// Puts games and byes where they belong.
    fn fill(&self, rounds: &mut [Round], text: &str, doubts: &mut Doubts) -> Result<(), ReadError> {
        for (at, round) in rounds.iter_mut().enumerate() {
            let number = u16::try_from(at + 1).unwrap_or(u16::MAX);
            for player in self.0.keys() {
                let at_table = |fault| ReadError::new(fault, place(text, *player, number), "");
                match self.slot(*player, at) {
                    Slot::Blank => {}
                    Slot::Bye(mark) => round.byes.push(Bye { player: *player, code: bye(mark) }),
                    Slot::Walkover { won } => round.byes.push(Bye { player: *player, code: forfeit(won) }),
                    Slot::Game { opponent, colour, result } => {
                        let theirs = self.slot(opponent, at);
                        let Slot::Game { result: their_result, colour: their_colour, .. } = theirs else {
                            let place = Place::Entry { round: number, player: *player };
                            doubts.add(DoubtKind::NoOpponent, place, opponent.to_string());
                            let won = result == Some(GameMark::ForfeitWin);
                            round.byes.push(Bye { player: *player, code: forfeit(won) });
                            continue;
                        };
                        if *player > opponent {
                            continue;
                        }
                        let unrated = |it: Option<GameMark>| {
                            matches!(it, Some(GameMark::UnratedWin | GameMark::UnratedDraw))
                        };
                        if unrated(result) || unrated(their_result) {
                            let place = Place::Entry { round: number, player: *player };
                            doubts.add(DoubtKind::Unrated, place, "");
                        }
                        let of_both = outcome(result, their_result);
                        let outcome = of_both.ok_or_else(|| at_table(Fault::Contradiction))?;
                        let colour = colour.or_else(|| their_colour.map(other));
                        round.games.push(game(*player, opponent, colour, outcome));
                    }
                }
            }
        }
        Ok(())
    }
}

/// A game of two, the outcome as the first of them would have it with white.
fn game(player: Number, opponent: Number, colour: Option<Side>, outcome: Outcome) -> Game {
    match colour {
        Some(Side::White) => Game::new(BOARD_MAX, player, opponent, outcome),
        Some(Side::Black) => Game::new(BOARD_MAX, opponent, player, outcome.turned()),
        None => Game::new(BOARD_MAX, player, opponent, outcome).uncoloured(),
    }
}

const fn other(side: Side) -> Side {
    match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    }
}

const fn bye(mark: ByeMark) -> ResultCode {
    match mark {
        ByeMark::Zero => ResultCode::ByeZero,
        ByeMark::Half => ResultCode::ByeHalf,
        ByeMark::Full => ResultCode::ByeFull,
        ByeMark::Pab => ResultCode::Pab,
    }
}

const fn forfeit(won: bool) -> ResultCode {
    if won { ResultCode::ForfeitWin } else { ResultCode::ForfeitLoss }
}

/// What came of a game, from what both records say.
fn outcome(own: Option<GameMark>, theirs: Option<GameMark>) -> Option<Outcome> {
    let code = |it: GameMark| match it {
        GameMark::Win | GameMark::UnratedWin => ResultCode::Win,
        GameMark::Draw | GameMark::UnratedDraw => ResultCode::Draw,
        GameMark::Loss | GameMark::UnratedLoss => ResultCode::Loss,
        GameMark::ForfeitWin => ResultCode::ForfeitWin,
        GameMark::ForfeitLoss => ResultCode::ForfeitLoss,
    };
    match (own, theirs) {
        (None, None) => Some(Outcome::Adjourned),
        (Some(GameMark::UnratedLoss), Some(GameMark::UnratedLoss)) => Some(Outcome::Annulled),
        (Some(own), Some(theirs)) => Outcome::of([code(own), code(theirs)]),
        _ => None,
    }
}

/// Records 240 and `XXZ`. In an event of teams the former are of teams.
fn byes_asked(report: &Report, event: &mut Tournament, doubts: &mut Doubts) {
    let kind = |it: ByeKind| bye(it.mark());
    let next = report.paired_rounds() + 1;
    let asked = report.byes.iter().flat_map(|it| it.who.iter().map(|who| (it.round, *who, kind(it.kind))));
    let away = report.absent.iter().map(|who| (next, *who, ResultCode::ByeZero));
    let of_teams = report.is_of_teams();
    let mut by_round: BTreeMap<u16, Vec<(Number, ResultCode)>> = BTreeMap::new();
    for (number, who, code) in asked.filter(|_| !of_teams).chain(away) {
        by_round.entry(number).or_default().push((who, code));
    }
    let Tournament { players, rounds, .. } = event;
    for (number, asked) in by_round {
        let Some(round) = rounds.get_mut(usize::from(number).wrapping_sub(1)) else { continue };
        let mut all: BTreeMap<Number, ResultCode> = round.codes().collect();
        let known = |who: Number| players.binary_search_by_key(&who, |it| it.number).is_ok();
        for (who, code) in asked.into_iter().filter(|it| known(it.0)) {
            let had = *all.entry(who).or_insert_with(|| {
                round.byes.push(Bye { player: who, code });
                code
            });
            if had != code {
                doubts.add(DoubtKind::ByeAndGame, Place::Entry { round: number, player: who }, "");
            }
        }
    }
}

fn teams(report: &Report, event: &Tournament, doubts: &mut Doubts) -> Vec<Team> {
    let mut seen = std::collections::BTreeSet::new();
    let mut team = |number: u32, name: &str, players: &[Number]| {
        let mut once = |it: &Number| {
            let first = event.player(*it).is_some() && seen.insert(*it);
            if !first {
                doubts.add(DoubtKind::TwoTeams, Place::Player(*it), name);
            }
            first
        };
        let players = players.iter().copied().filter(|it| once(it)).collect();
        Team { number, name: name.trim().to_owned(), players }
    };
    if report.teams.is_empty() {
        let old = (1..).zip(&report.old_teams);
        return old.map(|(number, it)| team(number, &it.name, &it.players)).collect();
    }
    let mut teams: Vec<Team> = report.teams.iter().map(|it| team(it.number, &it.name, &it.players)).collect();
    teams.sort_by_key(|it| it.number);
    teams.dedup_by_key(|it| it.number);
    teams
}

/// Line-ups, byes and forfeited matches, as far as they are of teams and rounds that there are.
fn teams_of_rounds(report: &Report, event: &mut Tournament) {
    let known: Vec<u32> = event.teams.iter().map(|it| it.number).collect();
    let is_known = |it: u32| known.binary_search(&it).is_ok();
    let round_of = |number: u16| usize::from(number).wrapping_sub(1);
    for it in report.board_orders.iter().filter(|it| is_known(it.team)) {
        let there = |it: &Number| event.player(*it).is_some();
        let players = it.players.iter().map(|it| it.filter(there)).collect();
        if let Some(round) = event.rounds.get_mut(round_of(it.round)) {
            round.line_ups.push(LineUp { team: it.team, players });
        }
    }
    let pairing_byes = report.team_byes.iter().flat_map(|it| (0..).zip(&it.teams));
    let pairing_byes = pairing_byes.filter_map(|(at, team)| Some((at, (*team)?, ResultCode::Pab)));
    let asked = report
        .byes
        .iter()
        .filter(|_| report.is_of_teams())
        .flat_map(|it| it.who.iter().map(move |who| (round_of(it.round), who.0, bye(it.kind.mark()))));
    for (at, team, code) in pairing_byes.chain(asked).filter(|it| is_known(it.1)) {
        if let Some(round) = event.rounds.get_mut(at) {
            round.team_byes.push(TeamBye { team, code });
        }
    }
    let both = |it: &&trf::ForfeitedMatch| is_known(it.white) && is_known(it.black) && it.white != it.black;
    for it in report.forfeited_matches.iter().filter(both) {
        let won = match it.kind {
            ForfeitKind::WhiteWins => MatchForfeit::White,
            ForfeitKind::BlackWins => MatchForfeit::Black,
            ForfeitKind::Double => MatchForfeit::Neither,
        };
        if let Some(round) = event.rounds.get_mut(round_of(it.round)) {
            round.forfeited.push(ForfeitedMatch { white: it.white, black: it.black, won });
        }
    }
    for round in &mut event.rounds {
        round.tidy();
        round.line_ups.dedup_by_key(|it| it.team);
        round.team_byes.dedup_by_key(|it| it.team);
        round.forfeited.dedup_by_key(|it| it.white);
    }
}
