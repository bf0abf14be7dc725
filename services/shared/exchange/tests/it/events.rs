//! Events by chance: rounds as [`pairing::generate`] makes them, and everything around them that a format could stumble over.

use exchange::{
    Date, Game, Grade, Halves, HandicapRule, Header, Ids, LineUp, MacMahon, Name, Outcome, Overtime,
    PersonName, Player, Prohibition, Team, TeamBye, TimeControl, Tournament,
};
use pairing::{
    Colour, Number, Reason, ResultCode,
    generate::{Shape, event_until},
};

/// Names with what a format could take for something else.
const NAMES: [(&str, &str, &str); 16] = [
    ("བཀྲ་ཤིས་རྡོ་རྗེ།", "Dorje", "Tashi"),
    ("ᠮᠣᠩᠭᠣᠯ", "Mongol", ""),
    ("Бат-Эрдэнэ", "Bat-Erdene", "B."),
    ("王伟", "Wang", "Wei"),
    ("", "Müller-Łódź", "Žofie Đỗ"),
    ("", "O'Neill", "Ann"),
    ("", "=SUM(A1)", "+1"),
    ("'=x", "@home", "-"),
    ("", "de la Tour; d'Azyr", "Jean|Luc"),
    ("", "\"Quoted\" <b>&amp;", "''=x"),
    ("", "0-", "12+/w3"),
    ("", "001", "[x]_y"),
    ("", "A name that is far too long for the columns", "of most of the formats there are"),
    ("", "Wang", "Wei"),
    ("", "Wang", "Wei"),
    ("ཚེ་རིང", "Tsering", "Dolma"),
];

/// Numbers that follow from a seed (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((word ^ (word >> 31)) % u64::from(most)).expect("it fits")
    }

    fn one_in(&mut self, share: u32) -> bool {
        self.below(share) == 0
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Chance) -> T) -> Option<T> {
        self.one_in(2).then(|| make(self))
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(u32::try_from(all.len()).expect("it fits")) as usize].clone()
    }

    fn grade(&mut self) -> Grade {
        let number = u8::try_from(1 + self.below(9)).expect("it fits");
        match self.below(3) {
            0 => Grade::Kyu(number * 3),
            1 => Grade::Dan(number),
            _ => Grade::Pro(number),
        }
    }

    fn day(&mut self) -> Date {
        let day = i8::try_from(1 + self.below(28)).expect("it fits");
        Date::new(2026, i8::try_from(1 + self.below(12)).expect("it fits"), day).expect("it fits")
    }
}

/// An event of players after some of its rounds. Every player has a name in Latin letters.
pub(crate) fn event(seed: u64, players: u32, rounds: u16, played: u16) -> Tournament {
    let input = event_until(seed, Shape { players, rounds }, played).expect("it fits");
    let mut chance = Chance::new(seed);
    let mut event = Tournament::default();
    event.take(&input, Colour::First);
    event.header = header(&mut chance);
    event.players.iter_mut().for_each(|it| describe(&mut chance, it));
    for round in &mut event.rounds {
        round.date = chance.maybe(Chance::day);
        let boards = u32::try_from(round.games.len()).expect("it fits");
        let first = 1 + chance.below(3);
        for (at, game) in (0..).zip(&mut round.games) {
            vary(&mut chance, game);
            game.board = first + (boards - 1 - at) * 2;
        }
    }
    for _ in 0..chance.below(3) {
        let who = vec![Number(1), Number(1 + players)];
        let rounds = chance.maybe(|it| (1, u16::try_from(1 + it.below(5)).expect("it fits")));
        event.prohibitions.push(Prohibition { rounds, who });
    }
    event.tidy();
    event
}

fn header(chance: &mut Chance) -> Header {
    let text = |chance: &mut Chance| {
        chance.pick(&["", "Lhasa", "ལྷ་ས།", "a;b,c]d [e] \\n", "Zürich", "=1"]).to_owned()
    };
    let seconds = 1 + chance.below(120);
    let overtime = [
        Overtime::None,
        Overtime::ByoYomi { seconds },
        Overtime::Canadian { moves: 15, seconds },
        Overtime::Fischer { seconds },
    ];
    Header {
        name: Name {
            native: text(chance),
            latin: chance.pick(&["", "Spring Open", "Größter Cup"]).to_owned(),
        },
        place: text(chance),
        country: text(chance),
        start: chance.maybe(Chance::day),
        end: chance.maybe(Chance::day),
        zone: chance.pick(&["", "Asia/Shanghai"]).to_owned(),
        arbiter: text(chance),
        variant: chance.pick(&["", "go"]).to_owned(),
        board_size: chance.maybe(|it| it.pick(&[9, 13, 19])),
        time: chance.maybe(|it| TimeControl { basic_seconds: it.below(9_000), overtime: it.pick(&overtime) }),
        komi: chance.maybe(|it| Halves(i32::try_from(it.below(40)).expect("it fits") - 20)),
        handicaps: chance.maybe(|it| HandicapRule {
            by_score: it.one_in(2),
            reduction: u8::try_from(it.below(10)).expect("it fits"),
            most: u8::try_from(it.below(10)).expect("it fits"),
            none_from: it.maybe(Chance::grade),
        }),
        macmahon: chance.maybe(|it| MacMahon { floor: it.grade(), bar: it.grade(), zero: it.grade() }),
        pab_points: chance.below(3),
        white_boards: Vec::new(),
    }
}

fn describe(chance: &mut Chance, player: &mut Player) {
    let (native, last, first) = chance.pick(&NAMES);
    player.name = PersonName::new(native, last, first);
    chance.pick(&["", "38Gr", "Go club", "北京", "12+", "-"]).clone_into(&mut player.club);
    chance.pick(&["", "CHN", "FR", "a country", "XXA"]).clone_into(&mut player.country);
    player.rating = chance.maybe(|it| i32::try_from(it.below(4_000)).expect("it fits") - 900);
    player.grade = chance.maybe(Chance::grade);
    chance.pick(&["", "GM", "WGM", "title"]).clone_into(&mut player.title);
    let id = |chance: &mut Chance, number: u32| {
        let long = format!("0198f1c2-0000-7000-8000-{number:012}");
        chance.pick(&[String::new(), format!("{number}"), format!("M{number}"), long])
    };
    let number = player.number.0;
    player.ids = Ids {
        member: id(chance, number),
        egf: id(chance, number),
        aga: id(chance, number),
        fide: id(chance, number),
    };
}

/// Another outcome now and then, with what goes with it.
fn vary(chance: &mut Chance, game: &mut Game) {
    let other = [Outcome::BothWin, Outcome::BothLose, Outcome::BothByForfeit, Outcome::Adjourned];
    let more = [Outcome::ReplayOrdered, Outcome::Annulled];
    if chance.one_in(6) {
        let outcome = chance.pick(&[other.as_slice(), &more].concat());
        *game = Game::new(game.board, game.white, game.black, outcome);
    }
    if chance.one_in(4) {
        game.handicap = u8::try_from(chance.below(10)).expect("it fits");
    }
    if chance.one_in(4) {
        game.reason = chance.pick(Reason::ALL);
    }
    if chance.one_in(5) {
        let (white, black) = (game.white.min(game.black), game.white.max(game.black));
        (game.white, game.black, game.coloured) = (white, black, false);
    }
}

/// The same event with its players in teams, some of whom play in another order in some rounds.
pub(crate) fn in_teams(seed: u64, mut event: Tournament) -> Tournament {
    let mut chance = Chance::new(!seed);
    let boards = 1 + chance.below(3);
    event.header.white_boards = (0..boards).map(|it| it % 2 == 0).collect();
    event.prohibitions.clear();
    let numbers: Vec<Number> = event.players.iter().map(|it| it.number).collect();
    for (number, players) in (1..).zip(numbers.chunks(boards as usize + 1)) {
        let name =
            chance.pick(&["One", "ལྷ་ས་ཚོགས།", "A team with a name that is too long for its field"]).to_owned();
        event.teams.push(Team { number, name, players: players.to_vec() });
    }
    let teams = event.teams.clone();
    for round in &mut event.rounds {
        for team in &teams {
            if chance.one_in(3) {
                let mut players: Vec<_> = team.players.iter().rev().copied().map(Some).collect();
                players.resize(boards as usize, None);
                round.line_ups.push(LineUp { team: team.number, players });
            } else if chance.one_in(4) {
                let code = chance.pick(&[ResultCode::Pab, ResultCode::ByeZero, ResultCode::ByeHalf]);
                round.team_byes.push(TeamBye { team: team.number, code });
            }
        }
    }
    event.tidy();
    event
}
