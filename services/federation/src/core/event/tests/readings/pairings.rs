//! Readings that change pairings.

use pairing::{
    Colour, ColourLaw, Entry, FirstRound, Number, Player, Relaxed, ResultCode, berger,
    knockout::Part,
    swiss::{self, Input, Round},
};

use super::{Case, Readings, bye, field, game, listed};
use crate::core::event::{
    BoardId, Format,
    tests::{Book, by_number, settings},
};

/// Colours and first rounds as Go, Jirige and Tianyi Go have them (1.4).
const GAMES: [(ColourLaw, FirstRound); 3] = [
    (ColourLaw::Balance, FirstRound::Draw),
    (ColourLaw::Parity, FirstRound::OddEven),
    (ColourLaw::Open, FirstRound::Draw),
];

pub(super) const CASES: &[Case] = &[
    Case {
        reading: "colours",
        // 1 had the second, first and second colour, 2 the first, second and second. By balance 2 must have the first one, for
        // the last two are equal; by parity both are due it, and had it once: the lower number has it; the third game
        // decides by itself.
        play: |readings| GAMES.map(|of_game| who_is_first(readings, of_game)).join(" "),
    },
    Case {
        reading: "jirige_absolute_first",
        // The same two.
        play: |readings| who_is_first(readings, GAMES[1]),
    },
    Case {
        reading: "first_round",
        // In Go and in Jirige.
        play: |readings| [GAMES[0], GAMES[1]].map(|of_game| opening(readings, of_game)).join(", "),
    },
    Case {
        reading: "apart_rounds",
        // 1 and 3 are of one club, and the fold has them meet: in which of four rounds do they?
        play: |readings| {
            let meet = |round: &u16| {
                let mut players = field(4);
                players[0].affiliations = vec![7];
                players[2].affiliations = vec![7];
                pairs(&pair(&event(players, *round, 4, readings))).contains(&[1, 3])
            };
            listed((1..=4).filter(meet).map(u32::from))
        },
    },
    Case {
        reading: "half_bye_is_downfloat",
        // Of 1 to 5, who have a point each, one goes down: the lowest, who has had a half bye, or the one above him.
        play: |readings| {
            let mut players = field(6);
            game(&mut players, 1, [1, 3], 1);
            game(&mut players, 1, [2, 4], 1);
            bye(&mut players, 1, 5, ResultCode::ByeHalf);
            bye(&mut players, 1, 6, ResultCode::ByeZero);
            let round = pair(&event(players, 2, 4, readings));
            listed(round.pools[0].left_over.iter().map(|it| it.0))
        },
    },
    Case {
        reading: "acceleration",
        // The upper half among itself, and the lower.
        play: |readings| as_text(&pairs(&pair(&event(field(8), 1, 8, readings)))),
    },
    Case {
        reading: "double_order",
        // The Berger table of four has 1 and 2 in the second of three rounds.
        play: one_meets_two,
    },
    Case {
        reading: "swap_last_two",
        // The second and the third round of the first cycle change places.
        play: one_meets_two,
    },
    Case {
        reading: "grand_final",
        // Of two the first wins the first game and loses all others: one more is the final, or each has his second life.
        play: grand_final,
    },
    Case {
        reading: "first_mover_advances",
        // What games of the first round of four, and their final, are played for. That a draw is then a win for White the
        // rules of Tianyi Go show.
        play: stakes,
    },
];

/// A Swiss paired by fold, unless the readings say how round 1 is made.
fn event(players: Vec<Player>, round: u16, rounds: u16, readings: &Readings) -> Input {
    let settings = readings.swiss((ColourLaw::Balance, FirstRound::Fold));
    Input { settings, ..Input::new(round, rounds, players) }
}

fn pair(event: &Input) -> Round {
    let round = swiss::pair(event).expect("it can be paired");
    assert_eq!(pairing::check::round(event, &round), []);
    round
}

fn pairs(round: &Round) -> Vec<[u32; 2]> {
    round.pairs.iter().map(|pair| pair.players.map(|it| it.0)).collect()
}

fn as_text(pairs: &[[u32; 2]]) -> String {
    pairs.iter().map(|[a, b]| format!("{a}-{b}")).collect::<Vec<_>>().join(" ")
}

/// Who of two has the first colour in round 4 of 9, where they meet once more.
fn who_is_first(readings: &Readings, of_game: (ColourLaw, FirstRound)) -> String {
    use Colour::{First, Second};
    let mut players = field(2);
    for (number, colours) in [(1, [Second, First, Second]), (2, [First, Second, Second])] {
        for (round, colour) in (1..).zip(colours) {
            let entry = Entry::game(round, Number(3 - number), colour, ResultCode::Draw);
            super::add(&mut players, number, entry);
        }
    }
    let settings = pairing::SwissSettings { relaxed: Relaxed::Rematches, ..readings.swiss(of_game) };
    let round = pair(&Input { settings, ..Input::new(4, 9, players) });
    round.pairs[0].by_colour().map_or("none".to_owned(), |(first, _)| first.to_string())
}

fn opening(readings: &Readings, of_game: (ColourLaw, FirstRound)) -> &'static str {
    let input = Input { settings: readings.swiss(of_game), seed: [5; 32], ..Input::new(1, 5, field(8)) };
    match as_text(&pairs(&pair(&input))).as_str() {
        "1-5 2-6 3-7 4-8" => "upper against lower half",
        "1-2 3-4 5-6 7-8" => "odd against even",
        _ => "drawn",
    }
}

fn one_meets_two(readings: &Readings) -> String {
    let (order, swap) = readings.double_round_robin();
    let meet = |games: &[(Number, Number)]| {
        games.contains(&(Number(1), Number(2))) || games.contains(&(Number(2), Number(1)))
    };
    let rounds = (1..).zip(berger::double(4, order, swap));
    listed(rounds.filter(|(_, laid)| meet(&laid.games)).map(|(round, _)| round))
}

fn grand_final(readings: &Readings) -> String {
    let format = Format::KnockOut { lives: 2, third_place: false };
    let mut book =
        Book::running(super::super::Settings { readings: readings.clone(), ..settings("go", format) }, 2);
    while book.begin_round().is_ok() {
        let is_final = book.event.rounds.last().is_some_and(|round| {
            round.published.boards[0].place.is_some_and(|place| place.part == Part::Final)
        });
        book.play(|table, players| {
            let mut codes = by_number(table, players);
            if is_final {
                codes.reverse();
            }
            codes
        });
    }
    format!("{} games", book.event.rounds.len())
}

fn stakes(readings: &Readings) -> String {
    let format = Format::KnockOut { lives: 1, third_place: false };
    let of_event = super::super::Settings { readings: readings.clone(), ..settings("tianyi", format) };
    let mut book = Book::running(of_event, 4);
    let mut stages = Vec::new();
    while book.begin_round().is_ok() {
        let round = book.event.next_round() - 1;
        let boards = book.event.rounds.last().map_or(0, |it| it.published.boards.len());
        for table in 1..=u32::try_from(boards).unwrap_or(0) {
            stages.push(book.event.options_at(BoardId { round, table })["stage"].clone());
        }
        book.play(by_number);
    }
    stages.join(" ")
}
