//! Events of other places: who of a file is whom of the federation, and what of it becomes an entry of a log; and ours, as
//! files have them.

mod teams;

use std::collections::{BTreeMap, BTreeSet, HashMap, btree_map::Entry};

use chassis::id::{MemberId, TeamId};
use exchange::{Game, Ids, Outcome, PersonName, Player, Tournament, games::PlayedGame};
use pairing::{Number, Reason, ResultCode};
use rules::{StoneColour, Variant};
use uuid::Uuid;

pub use self::teams::{Played, played as played_by_teams};
use self::teams::{Seat, meetings};
use super::{
    event::{
        Board, Entrant, Event, Held, HeldMeeting, HeldRound, HeldTeam, Refusal, ResultSource, Round, game_id,
    },
    member::{Member, Person, State, is_number},
    name::{Name, NameKey},
    team::Team,
};

/// By what it is known who somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Whoever imports has said so.
    Said,
    /// By our id.
    ById,
    /// By his number in a list.
    ByNumber,
    /// By his name, which only one has.
    ByName,
    /// He is not known.
    New,
}

/// Which team of the federation a team of a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMatch {
    /// Its number in the file.
    pub number: u32,
    /// What it is called there.
    pub name: String,
    /// Whether the federation has a team of this name; else it is written down as one that is disbanded.
    pub is_known: bool,
    /// The team.
    pub team: TeamId,
}

/// Who of a file somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// His number in the file.
    pub number: Number,
    /// What he is called there.
    pub name: String,
    /// By what it is known who he is.
    pub known: Known,
    /// The member; none of one who is not known.
    pub member: Option<MemberId>,
}

/// Those of a federation of whom a file may speak.
#[derive(Clone, Debug, Default)]
pub struct People {
    ids: HashMap<MemberId, MemberId>,
    numbers: HashMap<(&'static str, String), MemberId>,
    names: HashMap<NameKey, BTreeSet<MemberId>>,
}

/// The lists in which formats have numbers, by the names that they have here.
fn numbers(ids: &Ids) -> impl Iterator<Item = (&'static str, &String)> {
    [("egd", &ids.egf), ("aga", &ids.aga), ("fide", &ids.fide)].into_iter().filter(|it| !it.1.is_empty())
}

/// Ids that a file names, as members have them.
pub fn ids_of(event: &Tournament) -> impl Iterator<Item = Uuid> {
    event.players.iter().filter_map(|it| Uuid::try_parse(&it.ids.member).ok())
}

/// Numbers in other lists that a file names.
pub fn numbers_of(event: &Tournament) -> Vec<(String, String)> {
    let of = |player: &Player| {
        numbers(&player.ids).map(|(list, number)| (list.to_owned(), number.clone())).collect::<Vec<_>>()
    };
    event.players.iter().flat_map(of).collect()
}

/// Names of a file.
pub fn names_of(event: &Tournament) -> Vec<NameKey> {
    event.players.iter().map(|it| NameKey::of(&plain(&it.name))).collect()
}

/// A name without the comma that formats have between its parts.
fn plain(name: &PersonName) -> String {
    if name.native.is_empty() {
        [&*name.last, &*name.first].join(" ").trim().to_owned()
    } else {
        name.native.clone()
    }
}

impl People {
    /// Those people. Who was merged is the one who stayed, and who is forgotten is nobody.
    pub fn new(members: &[Member]) -> People {
        let mut people = People::default();
        for member in members {
            let id = member.state.merged_into().unwrap_or(member.id);
            if member.state == State::Erased {
                continue;
            }
            people.ids.insert(member.id, id);
            for list in ["egd", "aga", "fide"] {
                if let Some(number) = member.person.numbers.get(list) {
                    people.numbers.insert((list, number.clone()), id);
                }
            }
            people.names.entry(member.person.name.key()).or_default().insert(id);
        }
        people
    }

    /// Who is whom: as it is said, else by our id, by a number, by a name that only one has. Nobody is two.
    ///
    /// # Errors
    /// When two would be the same person, or who is named is not known.
    pub fn matches(
        &self,
        event: &Tournament,
        said: &BTreeMap<Number, Option<MemberId>>,
    ) -> Result<Vec<Match>, Refusal> {
        if let Some(stranger) = said.keys().find(|number| event.player(**number).is_none()) {
            return Err(Refusal::Held(format!("nobody in the file has number {}", stranger.0)));
        }
        let mut taken: HashMap<MemberId, Number> = HashMap::new();
        let mut matches = Vec::new();
        for player in &event.players {
            let (known, member) = match said.get(&player.number) {
                Some(Some(member)) => {
                    let member = self.ids.get(member).ok_or_else(|| {
                        Refusal::Held(format!("number {}: there is no such member", player.number.0))
                    })?;
                    (Known::Said, Some(*member))
                }
                Some(None) => (Known::New, None),
                None => self.find(player),
            };
            if let Some(other) = member.and_then(|member| taken.insert(member, player.number)) {
                return Err(Refusal::Held(format!(
                    "numbers {} and {} would be the same person: say who they are",
                    other.0, player.number.0
                )));
            }
            matches.push(Match { number: player.number, name: player.name.shown(), known, member });
        }
        Ok(matches)
    }

    fn find(&self, player: &Player) -> (Known, Option<MemberId>) {
        let by_id = || Uuid::try_parse(&player.ids.member).ok().and_then(|id| self.ids.get(&id.into()));
        let by_number =
            || numbers(&player.ids).find_map(|(list, number)| self.numbers.get(&(list, number.clone())));
        let by_name = || {
            let named = self.names.get(&NameKey::of(&plain(&player.name)))?;
            if named.len() == 1 { named.first() } else { None }
        };
        let found = by_id().map(|it| (Known::ById, it));
        let found = found.or_else(|| by_number().map(|it| (Known::ByNumber, it)));
        let found = found.or_else(|| by_name().map(|it| (Known::ByName, it)));
        found.map_or((Known::New, None), |(known, member)| (known, Some(*member)))
    }
}

/// The teams of a federation of which a file may speak, by the keys of their names; of several of one name the one that is not
/// disbanded, or the last.
pub fn teams_by_name(teams: Vec<Team>) -> BTreeMap<NameKey, Team> {
    let mut named: BTreeMap<NameKey, Team> = BTreeMap::new();
    for team in teams {
        let rank = |team: &Team| (team.disbanded.is_none(), team.made, team.id);
        match named.entry(team.name.key()) {
            Entry::Vacant(place) => drop(place.insert(team)),
            Entry::Occupied(mut place) if rank(&team) > rank(place.get()) => drop(place.insert(team)),
            Entry::Occupied(_) => {}
        }
    }
    named
}

/// What a team of a file is called here.
///
/// # Errors
/// When its name is none that a team can have.
pub fn team_name(team: &exchange::Team) -> Result<Name, Refusal> {
    let name = if team.name.is_empty() { format!("Team {}", team.number) } else { team.name.clone() };
    Name::parse(&name, "").map_err(|why| Refusal::Held(format!("team {} ({name}): {why}", team.number)))
}

/// What is known of somebody from a file.
///
/// # Errors
/// When his name is none that anybody can have here.
pub fn person_of(player: &Player) -> Result<Person, Refusal> {
    let latin = [&*player.name.last, &*player.name.first].join(" ");
    let name = Name::parse(&plain(&player.name), latin.trim()).map_err(|why| {
        Refusal::Held(format!("number {} ({}): {why}", player.number.0, player.name.shown()))
    })?;
    let numbers = numbers(&player.ids).filter(|(_, number)| is_number(number));
    let numbers = numbers.map(|(list, number)| (list.to_owned(), number.clone())).collect();
    let grade = player.grade.map(|it| it.to_string()).unwrap_or_default();
    Ok(Person { name, grade, numbers, ..Person::default() })
}

/// Whether White moves first in a variant; where the game itself decides on colours, whoever does is nobody's.
fn white_begins(variant: &Variant) -> bool {
    variant.moves_first.is_some_and(|first| variant.colours[first.index()] == StoneColour::White)
}

/// The players of a file in the order in which they enter: that of their numbers, and in an event of teams that of their
/// teams. They are named by their places in the file, from 0.
pub fn order(event: &Tournament) -> Vec<usize> {
    let teams = event.team_of_players();
    let mut order: Vec<usize> = (0..event.players.len()).collect();
    let rank = |at: &usize| {
        let number = event.players[*at].number;
        let team = teams.get(&number).copied();
        let own = event.teams.iter().find(|it| Some(it.number) == team);
        (team, own.and_then(|it| it.players.iter().position(|player| *player == number)), number)
    };
    if !event.teams.is_empty() {
        order.sort_by_cached_key(rank);
    }
    order
}

/// What was held, with these members in the order of the file's numbers, and these teams, who played so, in the order of its
/// teams.
///
/// # Errors
/// When it is more than an event here has.
pub fn held(
    event: &Tournament,
    members: &[MemberId],
    (teams, played): (&[TeamId], Option<&Played>),
    variant: &Variant,
) -> Result<Held, Refusal> {
    let file = Taking::new(event, variant);
    let meets = played.filter(|it| it.meets());
    let rounds = (1..).zip(&event.rounds).take(event.paired_rounds().into());
    let rounds = rounds.map(|(number, round)| match meets {
        Some(meets) => file.matches(number, round, meets.boards as usize),
        None => Ok(file.games(round)),
    });
    Ok(Held {
        entrants: file.order.iter().map(|at| entrant(&event.players[*at], members[*at])).collect(),
        rounds: rounds.collect::<Result<_, Refusal>>()?,
        teams: file.teams(teams, meets.map_or(usize::MAX, |it| it.boards as usize)),
    })
}

/// A file that is taken over.
struct Taking<'a> {
    event: &'a Tournament,
    /// The players in the order in which they enter.
    order: Vec<usize>,
    /// The numbers here by those of the file.
    numbers: BTreeMap<Number, Number>,
    white_begins: bool,
    /// Whether colours are given before a game.
    is_coloured: bool,
}

impl<'a> Taking<'a> {
    fn new(event: &'a Tournament, variant: &Variant) -> Taking<'a> {
        let order = order(event);
        let numbers = order.iter().map(|at| event.players[*at].number).zip((1..).map(Number)).collect();
        let (white_begins, is_coloured) = (white_begins(variant), variant.moves_first.is_some());
        Taking { event, order, numbers, white_begins, is_coloured }
    }

    fn own(&self, number: Number) -> Number {
        self.numbers.get(&number).copied().unwrap_or(Number(0))
    }

    /// A team's number here: its place in the file.
    fn own_team(&self, team: u32) -> Option<Number> {
        let place = self.event.teams.iter().position(|it| it.number == team)?;
        Some(team_number(place))
    }

    /// A round of players.
    fn games(&self, round: &exchange::Round) -> HeldRound {
        HeldRound {
            boards: round.games.iter().map(|game| self.board(game)).collect(),
            out: round.byes.iter().map(|bye| (self.own(bye.player), bye.code)).collect(),
            meetings: Vec::new(),
        }
    }

    /// A round of teams that met, at so many boards.
    fn matches(&self, number: u16, round: &exchange::Round, boards: usize) -> Result<HeldRound, Refusal> {
        let mut held = HeldRound::default();
        for meeting in meetings(self.event, number, boards, self.white_begins)? {
            held.meetings.push(HeldMeeting(meeting.teams.map(team_number)));
            held.boards.extend(meeting.seats.iter().map(|it| match it {
                Seat::Game(game) => self.board(game),
                Seat::Empty(players, codes, reason) => {
                    (self.seat(*players, self.is_coloured, 0), *codes, *reason)
                }
            }));
        }
        let bye = |bye: &exchange::TeamBye| Some((self.own_team(bye.team)?, bye.code));
        held.out = round.team_byes.iter().filter_map(bye).collect();
        Ok(held)
    }

    /// The board of a game, with what came of it for each of the two, and why.
    fn board(&self, game: &Game) -> (Board, [ResultCode; 2], Reason) {
        let [white, black] = game.outcome.codes();
        let (players, codes) = if self.white_begins || !game.coloured {
            ([game.white, game.black], [white, black])
        } else {
            ([game.black, game.white], [black, white])
        };
        let seat = self.seat(players, game.coloured && self.is_coloured, game.handicap.into());
        (seat, codes, game.reason)
    }

    fn seat(&self, players: [Number; 2], coloured: bool, handicap: u32) -> Board {
        let players = players.map(|number| self.own(number));
        Board { table: 0, players, coloured, place: None, reasons: Vec::new(), handicap }
    }

    /// The teams, with as many players as there are seats, and the rest as reserves.
    fn teams(&self, ids: &[TeamId], seats: usize) -> Vec<HeldTeam> {
        let team = |(team, id): (&exchange::Team, &TeamId)| {
            let mut players: Vec<Number> = team.players.iter().map(|player| self.own(*player)).collect();
            let reserves = players.split_off(players.len().min(seats));
            HeldTeam { team: *id, players, reserves }
        };
        self.event.teams.iter().zip(ids).map(team).collect()
    }
}

fn entrant(player: &Player, member: MemberId) -> Entrant {
    Entrant {
        number: Number(0),
        member,
        account: None,
        affiliations: Vec::new(),
        rating: player.rating,
        grade: player.grade.map(exchange::Grade::strength),
        accepts: 1,
        from_round: 1,
    }
}

/// The number of the team at a place of a file, from 0.
fn team_number(place: usize) -> Number {
    Number(u32::try_from(place + 1).unwrap_or(u32::MAX))
}

/// Our event as files have it, up to a round. `people` are those who have entered, by their ids; who is not among them has
/// no name.
///
/// `teams` says what its teams are called.
pub fn tournament(
    event: &Event,
    up_to: u16,
    people: &BTreeMap<MemberId, (Person, String)>,
    teams: &BTreeMap<TeamId, String>,
) -> Tournament {
    let settings = &event.settings;
    let white_begins = white_begins(settings.game.variant);
    let mut written = Tournament::default();
    written.header.name =
        exchange::Name { native: event.name.native.clone(), latin: event.name.latin.clone() };
    written.header.zone.clone_from(&settings.schedule.zone);
    settings.game.variant.id.clone_into(&mut written.header.variant);
    written.header.pab_points = settings.readings.standings().pab_points;
    for participant in &event.participants {
        let entrant = &participant.entrant;
        let known = people.get(&entrant.member);
        written.players.push(Player {
            name: known.map(|it| name_of(&it.0.name)).unwrap_or_default(),
            club: known.map(|it| it.1.clone()).unwrap_or_default(),
            rating: entrant.rating,
            grade: known.and_then(|it| exchange::Grade::parse(&it.0.grade)),
            ids: ids(entrant.member, known.map(|it| &it.0)),
            ..Player::new(entrant.number.0)
        });
    }
    for round in event.rounds.iter().filter(|it| it.published.round <= up_to && !it.published.play_off) {
        let games = round.laid().map(|(board, seat, state)| {
            let codes = state.result.as_ref().map(|it| it.codes);
            let outcome = codes.and_then(Outcome::of).unwrap_or(Outcome::Adjourned);
            let reason = state.result.as_ref().map_or(Reason::NotPlayed, |it| it.reason);
            let [first, second] = seat.players;
            let (white, black, outcome) =
                if white_begins { (first, second, outcome) } else { (second, first, outcome.turned()) };
            Game {
                coloured: seat.coloured,
                handicap: u8::try_from(seat.handicap).unwrap_or(u8::MAX),
                reason,
                ..Game::new(board.table, white, black, outcome)
            }
        });
        let mut told = exchange::Round { games: games.collect(), ..exchange::Round::default() };
        let out = round.published.out.iter();
        if event.meetings().is_some() {
            told.team_byes =
                out.map(|(team, code)| exchange::TeamBye { team: team.0, code: *code }).collect();
            told.line_ups = line_ups(event, round);
        } else {
            told.byes = out.map(|(player, code)| exchange::Bye { player: *player, code: *code }).collect();
        }
        written.rounds.push(told);
    }
    if let Some(meets) = event.meetings() {
        // The two have the colours in turn; files say which boards are of white's who has white at the first.
        written.header.white_boards = (0..meets.boards).map(|at| at.is_multiple_of(2)).collect();
    }
    written.teams = event.teams.iter().map(|team| team_of(team, teams)).collect();
    written.tidy();
    written
}

/// The games of an event's rounds, or of one round, as an archive has them, without their records; those that were played on
/// the platform have their ids. `people` says what those are called who have entered.
pub fn played(event: &Event, round: u16, part: u32, people: &BTreeMap<MemberId, String>) -> Vec<PlayedGame> {
    let called = |number: Number| {
        let member = event.participant(number).map(|it| it.entrant.member);
        let name = member.and_then(|member| people.get(&member)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| "—".to_owned())
    };
    let rounds = event.rounds.iter().filter(|it| round == 0 || it.published.round == round);
    let games = rounds.flat_map(Round::laid).flat_map(|(id, board, state)| {
        (1..=state.attempt).map(move |attempt| {
            let result = state.result.as_ref().filter(|_| attempt == state.attempt);
            let was_in_a_hall =
                result.is_some_and(|it| matches!(it.source, ResultSource::OverTheBoard { .. }));
            let here = event.origin.is_none() && !was_in_a_hall;
            PlayedGame {
                part,
                event: event.name.native.clone(),
                event_id: event.id.to_string(),
                round: id.round,
                table: id.table,
                attempt,
                players: board.players.map(called),
                result: result.map(|it| (it.codes, it.reason)),
                id: if here { game_id(event.id, id, attempt).to_string() } else { String::new() },
                record: None,
            }
        })
    });
    games.collect()
}

fn name_of(name: &Name) -> PersonName {
    if name.native == name.latin {
        PersonName::new(&name.native, "", "")
    } else {
        PersonName::new(&name.native, &name.latin, "")
    }
}

fn ids(member: MemberId, person: Option<&Person>) -> Ids {
    let number = |list| person.and_then(|it| it.numbers.get(list)).cloned().unwrap_or_default();
    Ids { member: member.to_string(), egf: number("egd"), aga: number("aga"), fide: number("fide") }
}

/// Teams that sat in another order in a round than their own.
fn line_ups(event: &Event, round: &Round) -> Vec<exchange::LineUp> {
    let mut line_ups = Vec::new();
    for meeting in event.matches(round) {
        for (side, number) in meeting.teams.into_iter().enumerate() {
            let players: Vec<Option<Number>> =
                meeting.boards.iter().map(|board| Some(board.players[side])).collect();
            let own = event.team(number).map(|team| team.entrant.members()).into_iter().flatten();
            if !own.map(Some).take(players.len()).eq(players.iter().copied()) && !players.is_empty() {
                line_ups.push(exchange::LineUp { team: number.0, players });
            }
        }
    }
    line_ups
}

fn team_of(team: &super::event::EnteredTeam, teams: &BTreeMap<TeamId, String>) -> exchange::Team {
    let name = teams.get(&team.entrant.team).cloned();
    let name = name.unwrap_or_else(|| format!("Team {}", team.number().0));
    exchange::Team { number: team.number().0, name, players: team.entrant.members().collect() }
}
