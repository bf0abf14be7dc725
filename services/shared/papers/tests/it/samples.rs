//! One small paper of each kind, with names in every script.

use catalogue::{Catalogue, Extension, Word};
use papers::{
    Bye, Cell, Code, Colour, Colours, Column, CrossLine, Crosstable, Division, Entrant, EntrantState, Fate,
    Form, Head, League, Line, Match, MatchBoard, Matches, Name, Notice, Out, PairedBoard, Pairings, Paper,
    Person, Rated, RatingList, Roster, RosterTeam, Schedule, ScheduledRound, Sheet, Standings,
};

/// Words in Tibetan and in Mongolian, as a federation adds them.
const OWN: &[(&str, &str, &str)] = &[
    ("bo", "papers.title.pairings", "འགྲན་ཟླའི་རེའུ་མིག"),
    ("bo", "papers.title.standings", "གོ་རིམ་རེའུ་མིག"),
    ("bo", "papers.round", "སྐོར་ {round} པ།"),
    ("bo", "papers.board", "ཅོག་ཙེ"),
    ("bo", "papers.number", "ཨང་"),
    ("bo", "papers.name", "མིང་"),
    ("bo", "papers.black", "ནག"),
    ("bo", "papers.white", "དཀར"),
    ("bo", "papers.result", "འབྲས་བུ"),
    ("bo", "papers.place", "གོ་རིམ"),
    ("mn-Mong", "papers.title.standings", "ᠪᠠᠢᠷᠢ ᠶᠢᠨ ᠬᠦᠰᠦᠨᠦᠭ"),
    ("mn-Mong", "papers.title.pairings", "ᠲᠣᠭᠯᠠᠯᠲᠠ ᠶᠢᠨ ᠬᠦᠰᠦᠨᠦᠭ"),
    ("mn-Mong", "papers.round", "{round} ᠳ᠋ᠤᠭᠠᠷ ᠲᠣᠭᠣᠷᠢᠭ"),
    ("mn-Mong", "papers.after_round", "{round} ᠳ᠋ᠤᠭᠠᠷ ᠲᠣᠭᠣᠷᠢᠭ ᠤᠨ ᠳᠠᠷᠠᠭ᠎ᠠ"),
    ("mn-Mong", "papers.board", "ᠰᠢᠷᠡᠭᠡ"),
    ("mn-Mong", "papers.number", "ᠳ᠋ᠤᠭᠠᠷ"),
    ("mn-Mong", "papers.name", "ᠨᠡᠷ᠎ᠡ"),
    ("mn-Mong", "papers.black", "ᠬᠠᠷ᠎ᠠ"),
    ("mn-Mong", "papers.white", "ᠴᠠᠭᠠᠨ"),
    ("mn-Mong", "papers.result", "ᠦᠷ᠎ᠡ ᠳ᠋ᠦᠩ"),
    ("mn-Mong", "papers.place", "ᠪᠠᠢᠷᠢ"),
    ("mn-Mong", "papers.column.points", "ᠣᠨᠣᠭ᠎ᠠ P"),
];

/// These as words.
pub(crate) fn own_words() -> Vec<Word> {
    let word = |(language, key, text): &(&str, &str, &str)| Word {
        language: (*language).to_owned(),
        key: (*key).to_owned(),
        text: (*text).to_owned(),
        one: None,
    };
    OWN.iter().map(word).collect()
}

/// The platform's words with these.
pub(crate) fn catalogue() -> Catalogue {
    Catalogue::shipped().extended(Extension::new(&own_words()).expect("they are words of the platform"))
}

pub(crate) fn person(number: u32, native: &str, latin: &str) -> Person {
    Person { number, name: Name::new(native, latin), ..Person::default() }
}

/// Eight people, in the order of their numbers.
pub(crate) fn people() -> Vec<Person> {
    let clubs = [("阿坝州藏棋协会", "Aba Zangqi Association"), ("ᠬᠥᠬᠡᠬᠣᠲᠠ", "Hohhot Club")];
    let names = [
        ("བསྟན་འཛིན་རྒྱ་མཚོ", "Tenzin Gyatso"),
        ("ᠪᠠᠲᠤᠮᠥᠩᠬᠡ", "Batmunkh"),
        ("聂卫平", "Nie Weiping"),
        ("བཀྲ་ཤིས་སྒྲོལ་མ", "Tashi Drolma"),
        ("ᠰᠠᠷᠠᠩᠭᠡᠷᠡᠯ", "Sarangerel"),
        ("芮乃伟", "Rui Naiwei"),
        ("Jan-Ove O’Neil", ""),
        ("ئابدۇللا", "Abdulla"),
    ];
    let person = |(at, (native, latin)): (usize, &(&str, &str))| {
        let (club, club_latin) = clubs[at % clubs.len()];
        let number = u32::try_from(at).expect("few") + 1;
        Person {
            number,
            name: Name::new(native, latin),
            club: Name::new(club, club_latin),
            grade: format!("{number}d"),
            rating: (number % 4 != 0).then_some(2000 + i32::try_from(number).expect("few")),
        }
    };
    names.iter().enumerate().map(person).collect()
}

pub(crate) fn head() -> Head {
    Head {
        organiser: Name::new("四川省棋类协会", "Sichuan Board Games Association"),
        event: Name::new("2026年藏棋公开赛", "Zangqi Open 2026"),
        venue: "马尔康 · Barkam".to_owned(),
        as_of: "2026-11-24 10:00 (Asia/Shanghai)".to_owned(),
        sequence: 42,
    }
}

pub(crate) fn paper(languages: &[&str], sheet: Sheet) -> Paper {
    let languages = languages.iter().map(|tag| (*tag).to_owned()).collect();
    Paper { languages, head: head(), sheet }
}

/// One sheet of each kind, with a name for its golden page.
pub(crate) fn sheets() -> Vec<(&'static str, Sheet)> {
    vec![
        ("pairings", Sheet::Pairings(pairings())),
        ("slips", Sheet::Slips(pairings().slips())),
        ("standings", Sheet::Standings(standings())),
        ("crosstable", Sheet::Crosstable(crosstable(Form::Rounds))),
        ("all_play_all", Sheet::Crosstable(crosstable(Form::AllPlayAll))),
        ("matches", Sheet::Matches(matches())),
        ("team_standings", Sheet::Standings(team_standings())),
        ("schedule", Sheet::Schedule(schedule())),
        ("roster", Sheet::Roster(roster())),
        ("rating_list", Sheet::RatingList(rating_list())),
        ("league", Sheet::League(league())),
        ("notice", Sheet::Notice(notice())),
    ]
}

pub(crate) fn pairings() -> Pairings {
    let people = people();
    let board = |table: usize, result| PairedBoard {
        table: (table + 1).to_string(),
        players: [people[2 * table].clone(), people[2 * table + 1].clone()],
        result,
    };
    Pairings {
        round: 3,
        begins: "2026-11-24 14:00 (Asia/Shanghai)".to_owned(),
        colours: Colours::WhiteFirst,
        boards: vec![
            board(0, None),
            board(1, Some([Code::Win, Code::Loss])),
            board(2, Some([Code::ForfeitLoss, Code::ForfeitWin])),
            board(3, Some([Code::Adjourned; 2])),
        ],
        out: vec![Out::new(person(9, "བློ་བཟང", "Lobsang"), Bye::Pab)],
    }
}

fn line(place: u32, who: &Person, cells: &[&str]) -> Line {
    let cells = cells.iter().map(|cell| (*cell).to_owned()).collect();
    Line { place: Some(place), who: who.clone(), cells, ..Line::default() }
}

pub(crate) fn standings() -> Standings {
    let people = people();
    let mut lines = vec![
        line(1, &people[1], &["12", "10", "63", "14", "7", "1"]),
        line(2, &people[0], &["79/7", "12", "44", "14", "7", "1"]),
        line(3, &people[5], &["53/6", "7", "82/3", "14", "7", "0"]),
        line(3, &people[2], &["53/6", "7", "82/3", "14", "7"]),
    ];
    lines[2].provisional = true;
    lines[0].fate = Fate::Rises;
    lines.push(Line { who: people[3].clone(), ..Line::default() });
    let columns = vec![
        Column::Total,
        Column::Points,
        Column::Opponents,
        Column::Highest,
        Column::Rounds,
        Column::Stayed,
    ];
    Standings { round: 7, teams: false, columns, lines }
}

pub(crate) fn team_standings() -> Standings {
    let columns =
        [Column::MatchPoints, Column::GamePoints].into_iter().chain((1..=8).map(Column::BoardPoints));
    let team = |place: u32, native: &str, latin: &str| {
        let cells: Vec<String> = (0..10).map(|column: u32| (column + place).to_string()).collect();
        Line { cells, ..line(place, &person(place, native, latin), &[]) }
    };
    Standings {
        round: 2,
        teams: true,
        columns: columns.collect(),
        lines: vec![team(1, "拉萨队", "Lhasa"), team(2, "ᠬᠥᠬᠡᠬᠣᠲᠠ", "Hohhot")],
    }
}

pub(crate) fn crosstable(form: Form) -> Crosstable {
    let people = people();
    let codes = [Code::Win, Code::Draw, Code::Loss, Code::ForfeitWin, Code::Adjourned, Code::Annulled];
    let cell = |own: usize, round: usize| Cell {
        opponent: Some(people[(own + round + 1) % 8].number),
        colour: [Some(Colour::Black), Some(Colour::White), None][(own + round) % 3],
        code: codes.get((own + round) % 7).copied(),
    };
    let line = |own: usize| CrossLine {
        place: u32::try_from(own + 1).ok(),
        who: people[own].clone(),
        points: (16 - own).to_string(),
        cells: (0..11)
            .map(|round| {
                if round == 9 {
                    Cell { code: Some(Code::Bye(Bye::ByeHalf)), ..Cell::default() }
                } else {
                    cell(own, round)
                }
            })
            .collect(),
    };
    Crosstable { round: 11, form, lines: (0..8).map(line).collect() }
}

pub(crate) fn matches() -> Matches {
    let people = people();
    let board = |at: usize, result| MatchBoard {
        board: u32::try_from(at + 1).expect("few"),
        players: [people[2 * at].clone(), people[2 * at + 1].clone()],
        colour: [Some(Colour::Black), Some(Colour::White), None][at],
        result,
    };
    let boards =
        vec![board(0, Some([Code::Win, Code::Loss])), board(1, Some([Code::Draw; 2])), board(2, None)];
    Matches {
        round: 2,
        begins: String::new(),
        matches: vec![
            Match {
                number: 1,
                teams: [person(1, "拉萨队", "Lhasa"), person(2, "ᠬᠥᠬᠡᠬᠣᠲᠠ", "Hohhot")],
                score: Some([3, 1]),
                boards,
            },
            Match {
                number: 2,
                teams: [person(3, "成都队", "Chengdu"), person(4, "西宁队", "Xining")],
                ..Match::default()
            },
        ],
        out: vec![Out::new(person(5, "昌都队", "Chamdo"), Bye::ByeFull)],
    }
}

fn schedule() -> Schedule {
    let round = |round: u16, begins: &str| ScheduledRound { round, begins: begins.to_owned() };
    Schedule { rounds: vec![round(1, "2026-11-24 09:00"), round(2, "2026-11-24 14:00"), round(3, "")] }
}

fn roster() -> Roster {
    let people = people();
    let states = [
        EntrantState::Entered,
        EntrantState::Waiting,
        EntrantState::Withdrawn,
        EntrantState::Expelled,
        EntrantState::Annulled,
    ];
    let entrant = |(at, state): (usize, EntrantState)| Entrant { who: people[at].clone(), state };
    Roster {
        players: states.into_iter().enumerate().map(entrant).collect(),
        teams: vec![RosterTeam {
            team: person(1, "拉萨队", "Lhasa"),
            state: EntrantState::Entered,
            captain: people[7].name.clone(),
            players: people[5..7].to_vec(),
            reserves: people[7..].to_vec(),
        }],
    }
}

fn rating_list() -> RatingList {
    let rated = |(at, who): (usize, Person)| Rated {
        place: u32::try_from(at + 1).expect("few"),
        who,
        change: [Some(12), Some(-7), Some(0), None][at % 4],
        games: 9,
    };
    RatingList {
        name: Name::new("藏棋", "Zangqi"),
        date: "2026-12-01".to_owned(),
        lines: people().into_iter().enumerate().map(rated).collect(),
    }
}

fn league() -> League {
    let mut table = standings();
    table.lines[3].fate = Fate::Falls;
    let division = |name: &str| Division { name: Name::new(name, ""), table: table.clone() };
    League { season: Name::new("2026赛季", "Season 2026"), divisions: vec![division("甲"), division("B")] }
}

fn notice() -> Notice {
    Notice {
        title: "第四轮改期 / སྐོར་བཞི་པ།".to_owned(),
        text: "第四轮改为 15:00 开始。\n请提前十分钟到场。\n\nRound 4 begins at 15:00.".to_owned(),
        signed: Name::new("芮乃伟", "Rui Naiwei"),
        posted: "2026-11-24 10:05".to_owned(),
    }
}
