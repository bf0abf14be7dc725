//! From an event, as far as a report carries it, to the report.

use std::collections::BTreeMap;

use pairing::{
    Number, ResultCode,
    trf::{
        self, AskedByes, BoardOrder, ByeKind, ByeMark, ForfeitKind, ForfeitedMatch, Form, GameMark, LineEnd,
        National, Period, PlayerRecord, PointSystem, Report, Side, Slot, TeamByes, Tenths, TimeControl,
    },
};

use crate::{
    Format, Game, MatchForfeit, Overtime, Place, Player, Refusal, Round, Tournament, WriteError, day,
};

/// The federation of records for players of no country that is one: three capital letters that nobody has.
const NO_FEDERATION: &str = "NAT";

/// The report of what a format carries of an event. Lines end with LF, which every engine takes and every editor shows.
pub(crate) fn write(event: &Tournament, form: Form) -> Result<Vec<u8>, WriteError> {
    let report = carried(event, form);
    let text = report.write_lines(form, LineEnd::Lf);
    let text = text.map_err(|it| WriteError::new(Refusal::Format, Place::Event, it.to_string()))?;
    Ok(text.into_bytes())
}

/// The report of an event, as far as it carries it.
pub fn report(event: &Tournament, form: Form) -> Result<Report, WriteError> {
    event.check()?;
    let format = if form == Form::Trf16 { Format::Trf16 } else { Format::Trf26 };
    Ok(carried(&event.as_carried_by(format)?, form))
}

fn carried(event: &Tournament, form: Form) -> Report {
    let header = &event.header;
    let open = event.rounds.iter().flat_map(|it| &it.games).any(|it| it.outcome.is_open());
    let unknown = open.then_some(Tenths(0));
    let date = |it: Option<_>| it.map_or_else(String::new, |it| day::text(it, '/'));
    let mut dates: Vec<String> = event.rounds.iter().map(|it| date(it.date)).collect();
    while dates.last().is_some_and(String::is_empty) {
        dates.pop();
    }
    let side = |white: &bool| if *white { Side::White } else { Side::Black };
    Report {
        header: trf::Header {
            name: header.name.shown().to_owned(),
            city: header.place.clone(),
            federation: header.country.clone(),
            start: date(header.start),
            end: date(header.end),
            chief_arbiter: header.arbiter.clone(),
            dates,
            ..trf::Header::default()
        },
        rounds: u16::try_from(event.rounds.len()).ok().filter(|it| *it > 0),
        points: PointSystem { unknown, ..PointSystem::two_one_nought(header.pab_points) },
        time_control: header.time.map(|it| TimeControl {
            periods: vec![Period {
                moves: None,
                seconds: it.basic_seconds,
                increment: match it.overtime {
                    Overtime::Fischer { seconds } => Some(seconds),
                    _ => None,
                },
            }],
            black: None,
        }),
        board_colours: header.white_boards.iter().map(side).collect(),
        players: records(event),
        national: match form {
            Form::Trf26 => event.players.iter().filter_map(national).collect(),
            Form::Trf16 => Vec::new(),
        },
        prohibitions: event
            .prohibitions
            .iter()
            .map(|it| trf::Prohibition { rounds: it.rounds, who: it.who.clone() })
            .collect(),
        ..teams(event)
    }
}

fn records(event: &Tournament) -> Vec<PlayerRecord> {
    let played = Tournament {
        rounds: event.rounds[..event.paired_rounds().into()].to_vec(),
        players: event.players.clone(),
        header: event.header.clone(),
        ..Tournament::default()
    };
    let points = played.points();
    let mut falling = points.clone();
    falling.sort_unstable_by(|a, b| b.cmp(a));
    let mut slots = slots(event);
    let record = |(player, made): (&Player, &u32)| {
        let above = falling.partition_point(|it| it > made);
        let latin = player.name.latin();
        PlayerRecord {
            number: player.number,
            title: player.title.clone(),
            name: if latin.is_empty() { player.name.native.clone() } else { latin },
            rating: player.rating.and_then(|it| u32::try_from(it).ok()),
            federation: player.country.clone(),
            id: player.ids.fide.clone(),
            points: Some(Tenths(10 * i32::try_from(*made).unwrap_or(i32::MAX / 10))),
            rank: u32::try_from(above + 1).ok(),
            rounds: slots.remove(&player.number).unwrap_or_default(),
            ..PlayerRecord::default()
        }
    };
    event.players.iter().zip(&points).map(record).collect()
}

/// What a federation's record tells beside the player's own.
fn national(player: &Player) -> Option<National> {
    let beside = if player.name.last.is_empty() { String::new() } else { player.name.native.clone() };
    let class = player.grade.map_or_else(String::new, |it| it.to_string());
    let id = player.ids.member.clone();
    if beside.is_empty() && class.is_empty() && id.is_empty() {
        return None;
    }
    let code = &player.country;
    let is_code = code.len() == 3 && code.bytes().all(|it| it.is_ascii_uppercase());
    let is_taken = code.starts_with("XX") || code.starts_with("BB");
    let federation = if is_code && !is_taken { code.clone() } else { NO_FEDERATION.to_owned() };
    Some(National { federation, number: player.number, class, name: beside, id, ..National::default() })
}

/// What each player has of the rounds, as far as the last of which anything is said.
fn slots(event: &Tournament) -> BTreeMap<Number, Vec<Slot>> {
    let mut all: BTreeMap<Number, Vec<Slot>> = BTreeMap::new();
    let mut put = |at: usize, number: Number, slot: Slot| {
        let own = all.entry(number).or_default();
        own.resize(at, Slot::Blank);
        own.push(slot);
    };
    for (at, round) in event.rounds.iter().enumerate() {
        for it in &round.games {
            let [white, black] = marks(it);
            let colour = |side| it.coloured.then_some(side);
            let of_white = Slot::Game { opponent: it.black, colour: colour(Side::White), result: white };
            let of_black = Slot::Game { opponent: it.white, colour: colour(Side::Black), result: black };
            put(at, it.white, of_white);
            put(at, it.black, of_black);
        }
        for bye in &round.byes {
            put(at, bye.player, slot(bye.code));
        }
    }
    all
}

const fn slot(code: ResultCode) -> Slot {
    match code {
        ResultCode::Pab => Slot::Bye(ByeMark::Pab),
        ResultCode::ByeFull => Slot::Bye(ByeMark::Full),
        ResultCode::ByeHalf => Slot::Bye(ByeMark::Half),
        ResultCode::ForfeitWin => Slot::Walkover { won: true },
        ResultCode::ForfeitLoss => Slot::Walkover { won: false },
        _ => Slot::Bye(ByeMark::Zero),
    }
}

fn marks(game: &Game) -> [Option<GameMark>; 2] {
    game.outcome.codes().map(|code| match code {
        ResultCode::Win => Some(GameMark::Win),
        ResultCode::Draw => Some(GameMark::Draw),
        ResultCode::Loss => Some(GameMark::Loss),
        ResultCode::ForfeitWin => Some(GameMark::ForfeitWin),
        ResultCode::ForfeitLoss | ResultCode::DoubleForfeit => Some(GameMark::ForfeitLoss),
        ResultCode::Annulled => Some(GameMark::UnratedLoss),
        _ => None,
    })
}

/// The records of teams; nothing else is in this report.
fn teams(event: &Tournament) -> Report {
    let mut report = Report::default();
    for team in &event.teams {
        let (number, name, players) = (team.number, team.name.clone(), team.players.clone());
        report.teams.push(trf::Team { number, name, players, ..trf::Team::default() });
    }
    let mut pairing_byes = Vec::new();
    for (number, round) in event.numbered_rounds() {
        let opponents = event.opponents_of_teams(round);
        report.board_orders.extend(round.line_ups.iter().filter_map(|it| {
            let opponent = *opponents.get(&it.team)?;
            Some(BoardOrder { round: number, team: it.team, opponent, players: it.players.clone() })
        }));
        report.byes.extend(asked(number, round));
        let free = round.team_byes.iter().find(|it| it.code == ResultCode::Pab);
        pairing_byes.push(free.map(|it| it.team));
        report.forfeited_matches.extend(round.forfeited.iter().map(|it| ForfeitedMatch {
            kind: match it.won {
                MatchForfeit::White => ForfeitKind::WhiteWins,
                MatchForfeit::Black => ForfeitKind::BlackWins,
                MatchForfeit::Neither => ForfeitKind::Double,
            },
            round: number,
            white: it.white,
            black: it.black,
        }));
    }
    while pairing_byes.last().is_some_and(Option::is_none) {
        pairing_byes.pop();
    }
    if !pairing_byes.is_empty() {
        report.team_byes = Some(TeamByes { match_points: None, game_points: None, teams: pairing_byes });
    }
    report
}

/// The byes that teams have asked for in a round.
fn asked(number: u16, round: &Round) -> Vec<AskedByes> {
    let kinds = [
        (ByeKind::Zero, ResultCode::ByeZero),
        (ByeKind::Half, ResultCode::ByeHalf),
        (ByeKind::Full, ResultCode::ByeFull),
    ];
    let of_kind = |(kind, code): (ByeKind, ResultCode)| AskedByes {
        kind,
        round: number,
        who: round.team_byes.iter().filter(|it| it.code == code).map(|it| Number(it.team)).collect(),
    };
    kinds.into_iter().map(of_kind).filter(|it| !it.who.is_empty()).collect()
}
