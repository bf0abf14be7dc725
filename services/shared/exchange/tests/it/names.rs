//! Names in every script through every format: native where the format can, in Latin letters where it is ASCII.

use exchange::{Format, Game, Outcome, PersonName, Player, Round, Tournament};
use pairing::Number;

/// Native, last, first.
const NAMES: [(&str, &str, &str); 5] = [
    ("བཀྲ་ཤིས་", "Tashi", ""),
    ("ᠪᠠᠲᠤ ᠡᠷᠳᠡᠨᠢ", "Bat-Erdene", "Batu"),
    ("Бат-Эрдэнэ", "Bat-Erdene", "Batbayar"),
    ("王伟", "Wang", "Wei"),
    ("歐陽娜娜", "Ouyang", "Nana"),
];

fn event(names: impl Iterator<Item = PersonName>) -> Tournament {
    let player = |(number, name)| Player { name, country: "CHN".to_owned(), ..Player::new(number) };
    let players: Vec<Player> = (1..).zip(names).map(player).collect();
    let mut round = Round::default();
    round.games.push(Game::new(1, Number(2), Number(1), Outcome::Draw));
    Tournament { players, rounds: vec![round], ..Tournament::default() }
}

fn both() -> Tournament {
    event(NAMES.into_iter().map(|(native, last, first)| PersonName::new(native, last, first)))
}

fn names_through(event: &Tournament, format: Format) -> Vec<PersonName> {
    let (bytes, _) = format.write(event).expect("it is written");
    let (read, doubts) = format.read(&bytes).expect("it is read");
    assert_eq!(doubts, []);
    read.players.into_iter().map(|it| it.name).collect()
}

#[test]
fn both_forms_come_back_where_the_format_has_both() {
    let event = both();
    let names: Vec<PersonName> = event.players.iter().map(|it| it.name.clone()).collect();
    for format in [Format::Trf26, Format::OpenGotha, Format::Csv] {
        assert_eq!(names_through(&event, format), names, "{}", format.name());
    }
}

#[test]
fn the_latin_form_comes_back_where_the_format_is_ascii() {
    let event = both();
    let latin: Vec<PersonName> =
        NAMES.into_iter().map(|(_, last, first)| PersonName::new("", last, first)).collect();
    for format in [Format::Trf16, Format::H9] {
        assert_eq!(names_through(&event, format), latin, "{}", format.name());
        let (bytes, losses) = format.write(&event).unwrap();
        assert!(bytes.is_ascii());
        let lost = losses.iter().find(|it| it.what.name() == "player_native_name").unwrap();
        assert_eq!(lost.count, 5);
    }
}

#[test]
fn a_native_name_alone_comes_back_or_is_refused_by_name() {
    let native = event(NAMES.into_iter().map(|(native, ..)| PersonName::new(native, "", "")));
    let names: Vec<PersonName> = native.players.iter().map(|it| it.name.clone()).collect();
    for format in [Format::Trf26, Format::OpenGotha, Format::Csv] {
        assert_eq!(names_through(&native, format), names, "{}", format.name());
    }
    for format in [Format::Trf16, Format::H9] {
        let refused = format.write(&native).unwrap_err();
        assert_eq!(refused.refusal.name(), "native_name_only");
        assert!(refused.to_string().starts_with("player 1: ") && refused.to_string().ends_with("བཀྲ་ཤིས་"));
    }
}

#[test]
fn two_of_one_name_are_told_apart() {
    let wang = || PersonName::new("", "Wang", "Wei");
    let twice = event([wang(), wang(), PersonName::new("", "Wangw", "ei")].into_iter());
    for format in [Format::OpenGotha, Format::H9] {
        let names: Vec<String> = names_through(&twice, format).iter().map(PersonName::latin).collect();
        assert_eq!(names, ["Wang, Wei", "Wang, Wei 2", "Wangw, ei 3"], "{}", format.name());
        let (_, losses) = format.write(&twice).unwrap();
        assert!(losses.iter().any(|it| it.what.name() == "player_latin_name" && it.count == 2));
    }
    // Many of one name take no longer than many of different ones.
    let many = event((0..5_000).map(|_| wang()));
    let carried = many.as_carried_by(Format::H9).unwrap();
    assert_eq!(carried.players[4_999].name.first, "Wei 5000");
}
