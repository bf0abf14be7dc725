//! What is left of an event in each format. Writers write what these functions leave, and tests hold readers to it.

use std::collections::{BTreeMap, btree_map::Entry};

use pairing::{DRAW_POINTS, ResultCode, WIN_POINTS, trf::fit_name};

use crate::{
    Bye, Format, Game, Grade, HandicapRule, Header, Ids, LineUp, MacMahon, Name, Outcome, Overtime,
    PersonName, Place, Player, Refusal, Round, Team, TimeControl, Tournament, WriteError, ascii,
    gotha::{Seated, seats},
    limits::{BOARDS_MAX, GOTHA_ROUNDS_MAX, HANDICAP_MAX},
};

/// Columns of the id of a player in reports.
const TRF_ID_COLUMNS: usize = 11;
/// Columns of the name of a team in reports.
const TRF_TEAM_COLUMNS: usize = 32;
/// Columns of a code of three letters in reports: a country, a title.
const TRF_CODE_COLUMNS: usize = 3;

impl Tournament {
    /// The event as it is after it was written in a format and read again; an error where it cannot be written.
    ///
    /// ```
    /// use exchange::{Format, PersonName, Player, Tournament};
    /// let mut event = Tournament::default();
    /// event.players.push(Player { name: PersonName::new("བཀྲ་ཤིས་", "Tashi", ""), ..Player::new(1) });
    /// let name = |format| event.as_carried_by(format).map(|it| it.players[0].name.shown());
    /// assert_eq!(name(Format::Trf26).as_deref(), Ok("བཀྲ་ཤིས་"));
    /// assert_eq!(name(Format::H9).as_deref(), Ok("Tashi"));
    /// event.players[0].name = PersonName::new("བཀྲ་ཤིས་", "", "");
    /// assert_eq!(event.as_carried_by(Format::H9).unwrap_err().refusal.name(), "native_name_only");
    /// ```
    pub fn as_carried_by(&self, format: Format) -> Result<Tournament, WriteError> {
        match format {
            Format::Trf16 => trf(self, true),
            Format::Trf26 => trf(self, false),
            Format::OpenGotha => gotha(self),
            Format::H9 => h9(self),
            Format::Csv => Ok(csv(self)),
        }
    }
}

/// The first characters of a text, as many as there are columns.
fn cut(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect::<String>().trim().to_owned()
}

/// A text if it is short enough, else nothing: half an id is another one.
fn within(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns { text.to_owned() } else { String::new() }
}

/// A text in ASCII, or nothing where it has no such form.
fn plain(text: &str) -> String {
    ascii(text).map(|it| it.trim().to_owned()).unwrap_or_default()
}

/// The parts of a name in ASCII; an error where it has another script only.
fn plain_name(player: &Player) -> Result<(String, String), WriteError> {
    let name = &player.name;
    let part = |text: &str| {
        ascii(text)
            .ok_or_else(|| WriteError::new(Refusal::NativeOnly, Place::Player(player.number), name.shown()))
    };
    let (last, first) = (part(&name.last)?, part(&name.first)?);
    if last.is_empty() && !name.native.is_empty() {
        return Err(WriteError::new(Refusal::NativeOnly, Place::Player(player.number), &name.native));
    }
    Ok((last, first))
}

/// Both forms, in ASCII or not.
fn trf(event: &Tournament, is_ascii: bool) -> Result<Tournament, WriteError> {
    let text = |it: &str| if is_ascii { plain(it) } else { it.to_owned() };
    let header = &event.header;
    let name =
        if is_ascii && !header.name.latin.is_empty() { &header.name.latin } else { header.name.shown() };
    let simple = |it: &TimeControl| matches!(it.overtime, Overtime::None | Overtime::Fischer { .. });
    let header = Header {
        name: Name::of(&text(name)),
        place: text(&header.place),
        country: text(&header.country),
        start: header.start,
        end: header.end,
        arbiter: text(&header.arbiter),
        time: header.time.filter(simple),
        pab_points: header.pab_points,
        white_boards: header.white_boards.clone(),
        ..Header::default()
    };
    let team = |it: &Team| Team { name: cut(&text(&it.name), TRF_TEAM_COLUMNS), ..it.clone() };
    Ok(Tournament {
        header,
        players: event.players.iter().map(|it| trf_player(it, is_ascii)).collect::<Result<_, _>>()?,
        rounds: event.rounds.iter().map(|it| trf_round(event, it)).collect(),
        teams: event.teams.iter().map(team).collect(),
        prohibitions: event.prohibitions.clone(),
    })
}

fn trf_player(player: &Player, is_ascii: bool) -> Result<Player, WriteError> {
    if player.number.0 > pairing::trf::PLAYERS_MAX {
        return Err(WriteError::new(Refusal::Width, Place::Player(player.number), player.number.to_string()));
    }
    let text = |it: &str| if is_ascii { plain(it) } else { it.to_owned() };
    let name = if is_ascii {
        let (last, first) = plain_name(player)?;
        PersonName::of(fit_name(&PersonName::new("", &last, &first).latin()))
    } else if player.name.last.is_empty() {
        PersonName::of(fit_name(&player.name.native))
    } else {
        let latin = PersonName::of(fit_name(&player.name.latin()));
        PersonName::new(fit_name(&player.name.native), &latin.last, &latin.first)
    };
    let member = if is_ascii { String::new() } else { within(&player.ids.member, TRF_ID_COLUMNS) };
    let fide = within(&text(&player.ids.fide), TRF_ID_COLUMNS);
    Ok(Player {
        number: player.number,
        name,
        club: String::new(),
        country: within(&text(&player.country), TRF_CODE_COLUMNS),
        rating: player.rating.filter(|it| *it >= 0),
        grade: player.grade.filter(|_| !is_ascii),
        title: within(&text(&player.title), TRF_CODE_COLUMNS),
        ids: Ids { member, fide, ..Ids::default() },
    })
}

fn trf_round(event: &Tournament, round: &Round) -> Round {
    let game = |it: &Game| {
        // What was played has a colour in a report, so that the lower number is given white where nobody knows.
        let coloured = it.coloured || !(it.outcome.is_forfeit() || it.outcome.is_open());
        let outcome = if it.outcome.is_open() { Outcome::Adjourned } else { it.outcome };
        Game { handicap: 0, coloured, outcome, reason: it.usual_reason(), ..*it }
    };
    let opponents = event.opponents_of_teams(round);
    let told = |it: &&LineUp| !it.players.is_empty() && opponents.contains_key(&it.team);
    let mut has_pab = false;
    let mut once = |code: ResultCode| code != ResultCode::Pab || !std::mem::replace(&mut has_pab, true);
    let mut kept = Round {
        date: round.date,
        games: round.games.iter().map(game).collect(),
        byes: round.byes.clone(),
        line_ups: round.line_ups.iter().filter(told).cloned().collect(),
        team_byes: round.team_byes.iter().filter(|it| once(it.code)).copied().collect(),
        forfeited: round.forfeited.clone(),
    };
    kept.number_boards();
    kept
}

/// Names as an OpenGotha file or a table of results has them: two of the same are made unequal, for there players are told
/// apart by their names alone; who has none is called by his number.
fn unequal(mut players: Vec<Player>) -> Vec<Player> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for player in &mut players {
        if crate::gotha::key(&player.name).is_empty() {
            player.name.last = format!("Player {}", player.number);
        }
        let own = crate::gotha::key(&player.name);
        let mut turn = *seen.entry(own.clone()).and_modify(|it| *it += 1).or_insert(1);
        while turn > 1 {
            let name = numbered(&player.name, turn);
            let key = crate::gotha::key(&name);
            if let Entry::Vacant(place) = seen.entry(key) {
                place.insert(1);
                seen.insert(own.clone(), turn);
                player.name = name;
                break;
            }
            turn += 1;
        }
    }
    players
}

/// A name with a number behind it.
fn numbered(name: &PersonName, turn: u32) -> PersonName {
    if name.last.is_empty() {
        return PersonName::new(&format!("{} {turn}", name.native), "", "");
    }
    PersonName::new(&name.native, &name.last, &format!("{} {turn}", name.first))
}

fn gotha(event: &Tournament) -> Result<Tournament, WriteError> {
    if event.rounds.len() > usize::from(GOTHA_ROUNDS_MAX) {
        let rounds = event.rounds.len().to_string();
        return Err(WriteError::new(Refusal::Rounds, Place::Event, rounds));
    }
    let event = event.renumbered(&[]);
    let mut header = Header { zone: String::new(), country: String::new(), ..event.header.clone() };
    header.variant.clear();
    header.name = match (header.name.native.as_str(), header.name.latin.as_str()) {
        (native, "") | ("", native) => Name::of(native),
        _ => header.name,
    };
    if let Some(time) = &mut header.time {
        time.basic_seconds -= time.basic_seconds % 60;
    }
    let most = event.teams.iter().map(|it| it.players.len()).max().unwrap_or(0);
    let boards = header.white_boards.len();
    let boards = if event.teams.is_empty() || boards > 0 { boards.min(most) } else { most.min(BOARDS_MAX) };
    header.white_boards = (0..boards).map(|it| it % 2 == 0).collect();
    if let Some(it) = &mut header.macmahon {
        *it = MacMahon { floor: amateur(it.floor), bar: amateur(it.bar), zero: amateur(it.zero) };
    }
    if let Some(it) = &mut header.handicaps {
        it.none_from = it.none_from.map(amateur);
    }
    let player = |it: &Player| Player { ids: gotha_ids(&it.ids), title: String::new(), ..it.clone() };
    let rounds = event.rounds.iter().map(gotha_round).collect();
    let players = unequal(event.players.iter().map(player).collect());
    let mut carried =
        Tournament { header, players, rounds, teams: event.teams.clone(), prohibitions: Vec::new() };
    carried.keep_seated();
    Ok(carried)
}

/// OpenGotha counts no grade above 9 dan.
fn amateur(grade: Grade) -> Grade {
    if let Grade::Pro(_) = grade { Grade::Dan(Grade::DAN_MAX) } else { grade }
}

/// Our own id stands in the field of the American one, which it replaces; by its form it is known again, for American ids
/// are numbers.
fn gotha_ids(ids: &Ids) -> Ids {
    let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    let member = if is_number(&ids.member) { String::new() } else { ids.member.clone() };
    let aga = if member.is_empty() && is_number(&ids.aga) { ids.aga.clone() } else { String::new() };
    Ids { member, egf: ids.egf.clone(), aga, fide: String::new() }
}

fn gotha_round(round: &Round) -> Round {
    let game = |it: &Game| {
        let outcome = match it.outcome {
            Outcome::ReplayOrdered => Outcome::Adjourned,
            Outcome::Annulled => Outcome::BothLose,
            other => other,
        };
        let kept = Game { outcome, ..*it };
        Game { reason: kept.usual_reason(), ..kept }
    };
    let mut has_bye = false;
    let bye = |it: &Bye| match it.code {
        ResultCode::Pab => (!std::mem::replace(&mut has_bye, true)).then_some(*it),
        _ if round.is_paired() || !it.is_asked() => None,
        _ => Some(Bye { code: ResultCode::ByeZero, ..*it }),
    };
    let byes = round.byes.iter().filter_map(bye).collect();
    let mut kept = Round { games: round.games.iter().map(game).collect(), byes, ..Round::default() };
    kept.line_ups.clone_from(&round.line_ups);
    kept.tidy();
    kept
}

impl Tournament {
    /// Leaves of teams what is seen of who sat where: OpenGotha has no other record of them.
    fn keep_seated(&mut self) {
        let boards = self.header.white_boards.len();
        let seats_of = |team: &Team| {
            let default = seats(&team.players, boards);
            let of_round = |round: &Round| {
                let line_up = round.line_ups.iter().find(|it| it.team == team.number)?;
                let mut seats = line_up.players.clone();
                seats.resize(boards, None);
                seats.iter().any(Option::is_some).then_some(seats)
            };
            self.rounds.iter().map(|it| of_round(it).unwrap_or_else(|| default.clone())).collect()
        };
        let seated = self.teams.iter().map(|it| Seated {
            number: it.number,
            name: it.name.clone(),
            rounds: seats_of(it),
        });
        let (teams, line_ups) = Seated::teams(seated.collect(), boards);
        self.teams = teams;
        for (round, line_ups) in self.rounds.iter_mut().zip(line_ups) {
            round.line_ups = line_ups;
        }
    }
}

fn h9(event: &Tournament) -> Result<Tournament, WriteError> {
    let header = &event.header;
    let name = if header.name.latin.is_empty() { &header.name.native } else { &header.name.latin };
    let text = |it: &str| crate::h9::head_text(&plain(it));
    let header = Header {
        name: Name::of(&text(name)),
        place: text(&header.place),
        country: text(&header.country).replace(',', " ").trim().to_owned(),
        start: header.start.or(header.end),
        end: header.end.or(header.start),
        time: header.time.map(adjusted).filter(|it| it.is_sound()),
        komi: header.komi,
        handicaps: header.handicaps.map(|it| {
            let reduction = if it.most == 0 { HANDICAP_MAX } else { it.reduction };
            let most = if reduction == HANDICAP_MAX { 0 } else { HANDICAP_MAX };
            HandicapRule { by_score: false, reduction, most, none_from: None }
        }),
        ..Header::default()
    };
    let players = event.players.iter().map(h9_player).collect::<Result<Vec<_>, _>>()?;
    let pab = event.header.pab_points;
    let rounds = event.rounds.iter().map(|it| h9_round(it, pab)).collect();
    Ok(Tournament { header, players: unequal(players), rounds, ..Tournament::default() })
}

/// The adjusted time, in whole minutes, as if it were all.
fn adjusted(time: TimeControl) -> TimeControl {
    TimeControl { basic_seconds: time.adjusted_seconds() / 60 * 60, overtime: Overtime::None }
}

fn h9_player(player: &Player) -> Result<Player, WriteError> {
    let word = |it: &str| crate::h9::from_word(&crate::h9::word(it));
    let (last, first) = plain_name(player)?;
    let egf = crate::h9::word(&plain(&player.ids.egf));
    Ok(Player {
        number: player.number,
        name: PersonName::new("", &word(&last), &word(&first)),
        club: word(&plain(&player.club)),
        country: word(&plain(&player.country)),
        grade: player.grade,
        ids: Ids { egf: if egf == player.ids.egf { egf } else { String::new() }, ..Ids::default() },
        ..Player::default()
    })
}

/// Games that were played, and for the rest what they were worth: a win, half of one, or nothing, which is told like an
/// absence.
fn h9_round(round: &Round, pab: u32) -> Round {
    use Outcome::{BlackWins, BothLose, BothWin, Draw, WhiteWins};
    let mut kept = Round::default();
    for game in &round.games {
        if matches!(game.outcome, WhiteWins | BlackWins | Draw | BothWin | BothLose) {
            let handicap = if game.coloured { game.handicap } else { 0 };
            let game = Game { handicap, ..*game };
            kept.games.push(Game { reason: game.usual_reason(), ..game });
        } else {
            let [white, black] = game.outcome.codes();
            kept.byes
                .extend([Bye { player: game.white, code: white }, Bye { player: game.black, code: black }]);
        }
    }
    kept.byes.extend(&round.byes);
    kept.byes = kept.byes.iter().filter_map(|it| Some(Bye { code: h9_bye(it.code, pab)?, ..*it })).collect();
    kept.number_boards();
    kept.tidy();
    kept
}

/// A round without a game, by what it is worth; none where that is nothing.
fn h9_bye(code: ResultCode, pab: u32) -> Option<ResultCode> {
    match code.points(pab) {
        WIN_POINTS => Some(ResultCode::ByeFull),
        DRAW_POINTS => Some(ResultCode::ByeHalf),
        _ => None,
    }
}

/// Everything of players and their games, and nothing else.
fn csv(event: &Tournament) -> Tournament {
    let round = |it: &Round| Round { games: it.games.clone(), byes: it.byes.clone(), ..Round::default() };
    Tournament {
        players: event.players.clone(),
        rounds: event.rounds.iter().map(round).collect(),
        ..Tournament::default()
    }
}
