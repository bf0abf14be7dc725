//! Events of other places: who of a file is whom of the federation, and what of it becomes an entry of a log; and ours, as
//! files have them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chassis::id::MemberId;
use exchange::{Game, Ids, Outcome, PersonName, Player, Tournament, games::PlayedGame};
use pairing::Number;
use rules::{StoneColour, Variant};
use uuid::Uuid;

use super::{
    event::{Board, Entrant, Event, Held, HeldRound, Refusal, ResultSource, Round, game_id},
    member::{Member, Person, State, is_number},
    name::{Name, NameKey},
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

/// What was held, with these members in the order of the file's numbers.
///
/// # Errors
/// When it is more than an event here has.
pub fn held(event: &Tournament, members: &[MemberId], variant: &Variant) -> Result<Held, Refusal> {
    if !event.teams.is_empty() {
        let why = "events of teams are not taken over: import each team's players as an event of players";
        return Err(Refusal::Held(why.to_owned()));
    }
    let numbers: BTreeMap<Number, Number> =
        event.players.iter().map(|it| it.number).zip((1..).map(Number)).collect();
    let own = |number: Number| numbers.get(&number).copied().unwrap_or(Number(0));
    let entrants = event.players.iter().zip(members).map(|(player, member)| Entrant {
        number: Number(0),
        member: *member,
        account: None,
        affiliations: Vec::new(),
        rating: player.rating,
        grade: player.grade.map(exchange::Grade::strength),
        accepts: 1,
        from_round: 1,
    });
    let white_begins = white_begins(variant);
    let board = |game: &Game| {
        let [white, black] = game.outcome.codes();
        let (players, codes) = if white_begins || !game.coloured {
            ([game.white, game.black], [white, black])
        } else {
            ([game.black, game.white], [black, white])
        };
        let board = Board {
            table: 0,
            players: players.map(own),
            coloured: game.coloured && variant.moves_first.is_some(),
            place: None,
            reasons: Vec::new(),
            handicap: game.handicap.into(),
        };
        (board, codes, game.reason)
    };
    let rounds = event.rounds.iter().take(event.paired_rounds().into()).map(|round| HeldRound {
        boards: round.games.iter().map(board).collect(),
        out: round.byes.iter().map(|bye| (own(bye.player), bye.code)).collect(),
    });
    Ok(Held { entrants: entrants.collect(), rounds: rounds.collect() })
}

/// Our event as files have it, up to a round. `people` are those who have entered, by their ids; who is not among them has
/// no name.
pub fn tournament(event: &Event, up_to: u16, people: &BTreeMap<MemberId, (Person, String)>) -> Tournament {
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
            let reason = state.result.as_ref().map_or(pairing::Reason::NotPlayed, |it| it.reason);
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
        let byes =
            round.published.out.iter().map(|(player, code)| exchange::Bye { player: *player, code: *code });
        written.rounds.push(exchange::Round {
            games: games.collect(),
            byes: byes.collect(),
            ..exchange::Round::default()
        });
    }
    written.teams = event.teams.iter().map(|team| team_of(event, team, people)).collect();
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

fn team_of(
    event: &Event,
    team: &super::event::EnteredTeam,
    people: &BTreeMap<MemberId, (Person, String)>,
) -> exchange::Team {
    // What a team is called its members' federation knows; a file has it by its captain's club or by its number.
    let first = team.entrant.members().next().and_then(|number| event.participant(number));
    let club = first.and_then(|it| people.get(&it.entrant.member)).map(|it| it.1.clone());
    let name = club.filter(|club| !club.is_empty()).unwrap_or_else(|| format!("Team {}", team.number().0));
    exchange::Team { number: team.number().0, name, players: team.entrant.members().collect() }
}
