//! Files made by hand with everything that the descriptions of their formats have: each element, attribute, column and result.

use exchange::{
    Bye, Date, DoubtKind, Format, Game, Grade, Halves, HandicapRule, Ids, LineUp, MacMahon, Outcome,
    Overtime, PersonName, Player, Team, TimeControl, Tournament,
};
use pairing::{Number, ResultCode};

use crate::goldens::{bye, game, golden};

fn read(format: Format, name: &str) -> (Tournament, Vec<DoubtKind>) {
    let bytes = golden(name);
    assert_eq!(Format::detect(&bytes), Ok(format));
    let (event, doubts) = format.read(&bytes).expect("it is read");
    assert_eq!(event.check(), Ok(()));
    (event, doubts.into_iter().map(|it| it.kind).collect())
}

/// Written again and read, it is what the format has of it.
fn comes_back(event: &Tournament, format: Format) -> Vec<&'static str> {
    let (bytes, losses) = format.write(event).expect("it is written");
    let (again, doubts) = format.read(&bytes).expect("it is read again");
    assert_eq!((&again, doubts), (&event.as_carried_by(format).expect("it is carried"), Vec::new()));
    losses.iter().map(|it| it.what.name()).collect()
}

#[test]
fn all_that_opengotha_writes_is_read() {
    let (event, doubts) = read(Format::OpenGotha, "league.xml");
    assert_eq!(doubts, [DoubtKind::DefaultDraw]);
    let header = &event.header;
    assert_eq!((header.name.native.as_str(), header.name.latin.as_str()), ("ལྷ་སའི་འགྲན་བསྡུར།", ""));
    assert_eq!((header.place.as_str(), header.arbiter.as_str()), ("ལྷ་ས།", "བསོད་ནམས་"));
    assert_eq!((header.start, header.end), (Date::new(2026, 2, 28).ok(), Date::new(2026, 3, 1).ok()));
    assert_eq!((header.board_size, header.komi, header.pab_points), (Some(13), Some(Halves(13)), 1));
    let overtime = Overtime::Canadian { moves: 15, seconds: 300 };
    assert_eq!(header.time, Some(TimeControl { basic_seconds: 2_400, overtime }));
    let macmahon = MacMahon { floor: Grade::Kyu(30), bar: Grade::Dan(9), zero: Grade::Kyu(30) };
    assert_eq!(header.macmahon, Some(macmahon));
    let rule = HandicapRule { by_score: false, reduction: 2, most: 5, none_from: Some(Grade::Dan(4)) };
    assert_eq!((header.handicaps, header.white_boards.as_slice()), (Some(rule), &[true, false, true][..]));

    let players = event.players.iter().map(|it| {
        let name = &it.name;
        (&*name.native, &*name.last, &*name.first, &*it.club, it.grade, it.rating)
    });
    let players: Vec<_> = players.collect();
    let (kyu, dan) = (|it| Some(Grade::Kyu(it)), |it| Some(Grade::Dan(it)));
    assert_eq!(
        players,
        [
            ("བཀྲ་ཤིས་རྡོ་རྗེ།", "", "", "Lhasa", dan(9), None),
            ("ᠮᠣᠩᠭᠣᠯ", "", "", "Hohhot", dan(1), Some(2_150)),
            ("王 伟", "", "", "北京", kyu(1), Some(2_050)),
            ("", "O'Hara", "Mary Ann", "SFGC", kyu(30), Some(-900)),
            ("", "d'Été", "Zoé", "69Ly", kyu(2), Some(1_950)),
            ("", "Žák", "Řehoř", "Brno", Some(Grade::Pro(7)), Some(2_799)),
            ("", "Wang", "Wei", "北京", kyu(3), Some(1_850)),
            ("", "Wang", "Wei", "上海", kyu(4), Some(1_750)),
        ]
    );
    assert_eq!(event.players[3].ids, Ids { aga: "14532".to_owned(), ..Ids::default() });
    assert_eq!(event.players[5].ids, Ids { egf: "14529301".to_owned(), ..Ids::default() });

    let boards = |round: usize| event.rounds[round - 1].games.clone();
    let handicap = |handicap, game| Game { handicap, ..game };
    assert_eq!(event.rounds.len(), 5);
    assert_eq!(
        boards(1),
        [
            game(1, 1, 2, Outcome::WhiteWins),
            handicap(9, game(2, 3, 4, Outcome::BlackWins)),
            Game { coloured: false, ..game(3, 5, 6, Outcome::Draw) },
        ]
    );
    assert_eq!(
        boards(2),
        [
            game(1, 1, 3, Outcome::BothWin),
            game(2, 2, 5, Outcome::BothLose),
            game(3, 6, 4, Outcome::WhiteByForfeit),
        ]
    );
    assert_eq!(boards(3), [game(1, 1, 4, Outcome::BlackByForfeit), game(3, 2, 6, Outcome::BothByForfeit)]);
    assert_eq!(
        boards(4),
        [game(1, 1, 5, Outcome::DoubleForfeit), handicap(1, game(2, 3, 6, Outcome::Adjourned))]
    );
    let half = ResultCode::ByeHalf;
    assert_eq!(event.rounds[2].byes, [bye(3, half), bye(5, half)]);
    assert_eq!(event.rounds[3].byes, [bye(2, ResultCode::Pab)]);
    assert_eq!(event.rounds[4].byes, [7, 8].map(|it| bye(it, ResultCode::ByeZero)));
    assert_eq!(event.points(), [4, 3, 3, 4, 2, 5, 0, 0]);

    let team = |number, name: &str, players: [u32; 3]| Team {
        number,
        name: name.to_owned(),
        players: players.map(Number).to_vec(),
    };
    assert_eq!(event.teams, [team(1, "མཚོ་སྔོན་", [1, 3, 5]), team(2, "Rest of the World", [2, 4, 6])]);
    // An empty board in the second round; in the others the order in which they first sat.
    let second = LineUp { team: 1, players: vec![Some(Number(5)), None, Some(Number(1))] };
    assert_eq!(event.rounds[1].line_ups, [second]);
    assert!([0, 2, 3].iter().all(|it| event.rounds[*it].line_ups.is_empty()));
    // Two of one name are made unequal, and half a point without a game is told as none.
    assert_eq!(comes_back(&event, Format::OpenGotha), ["player_latin_name", "bye"]);
}

#[test]
fn two_of_one_name_in_two_clubs_are_refused_where_a_game_names_them() {
    let text = String::from_utf8(golden("league.xml")).expect("text");
    let named = text.replace("<ByePlayer player=\"ᠮᠣᠩᠭᠣᠯ\"", "<ByePlayer player=\"WANGWEI\"");
    let refused = Format::OpenGotha.read(named.as_bytes()).unwrap_err();
    assert_eq!((refused.fault.name(), refused.line, refused.column), ("double", 28, 5), "{refused}");
}

#[test]
fn times_are_read_in_every_system_and_without_what_belongs_to_another() {
    let text = String::from_utf8(golden("league.xml")).expect("text");
    for (system, overtime) in [
        ("SUDDENDEATH", Overtime::None),
        ("STDBYOYOMI", Overtime::ByoYomi { seconds: 30 }),
        ("FISCHER", Overtime::Fischer { seconds: 10 }),
    ] {
        let other = text.replace("\"CANBYOYOMI\"", &format!("\"{system}\""));
        let (event, _) = Format::OpenGotha.read(other.as_bytes()).expect("it is read");
        assert_eq!(event.header.time, Some(TimeControl { basic_seconds: 2_400, overtime }));
        assert!(!comes_back(&event, Format::OpenGotha).contains(&"time"), "{system}");
    }
    let strange = Format::OpenGotha.read(text.replace("CANBYOYOMI", "HOURGLASS").as_bytes()).unwrap_err();
    assert_eq!((strange.fault.name(), strange.line, strange.column), ("code", 31, 5), "{strange}");
}

#[test]
fn all_that_tables_of_results_have_is_read() {
    let (event, doubts) = read(Format::H9, "open.h9");
    assert_eq!(doubts, []);
    let header = &event.header;
    assert_eq!((header.name.latin.as_str(), header.place.as_str()), ("Tournoi de l'hiver", "Lyon"));
    assert_eq!((header.country.as_str(), header.komi), ("", Some(Halves(14))));
    assert_eq!((header.start, header.end), (Date::new(2026, 2, 28).ok(), Date::new(2026, 3, 1).ok()));
    assert_eq!(header.time.map(|it| it.basic_seconds), Some(55 * 60));
    // Nine off is no handicap at all.
    assert_eq!(header.handicaps.map(|it| (it.reduction, it.most)), Some((9, 0)));
    let player = |number, last: &str, first: &str, country: &str, club: &str, grade, egf: &str| Player {
        name: PersonName::new("", last, first),
        country: country.to_owned(),
        club: club.to_owned(),
        grade: Some(grade),
        ids: Ids { egf: egf.to_owned(), ..Ids::default() },
        ..Player::new(number)
    };
    assert_eq!(
        event.players,
        [
            player(1, "Chauvin", "Robin", "FR", "69Ly", Grade::Dan(2), "10000001"),
            player(2, "Wang", "Wei", "CN", "BJ", Grade::Pro(9), ""),
            player(3, "Wang", "Wei", "CN", "SH", Grade::Kyu(30), ""),
            player(4, "de Butler", "Tristan Jean", "FR", "xxx", Grade::Kyu(9), "10000004"),
            player(5, "O'Neill-Smith", "A.", "US", "NYC", Grade::Kyu(1), ""),
            player(6, "Nagy", "", "HU", "", Grade::Kyu(7), ""),
        ]
    );
    assert_eq!((event.rounds.len(), event.paired_rounds()), (20, 5));
    let boards = |round: usize| event.rounds[round - 1].games.clone();
    let byes = |round: usize| event.rounds[round - 1].byes.clone();
    let handicap = |handicap, game| Game { handicap, ..game };
    let (full, half) = (ResultCode::ByeFull, ResultCode::ByeHalf);
    assert_eq!(boards(1), [game(1, 3, 1, Outcome::BlackWins), game(2, 2, 6, Outcome::BlackWins)]);
    assert_eq!(byes(1), [bye(5, full)]);
    assert_eq!(
        boards(2),
        [
            game(1, 6, 1, Outcome::BlackWins),
            game(2, 4, 2, Outcome::BlackByForfeit),
            handicap(9, game(3, 3, 5, Outcome::BlackWins)),
        ]
    );
    assert_eq!(
        boards(3),
        [game(1, 2, 3, Outcome::WhiteByForfeit), handicap(3, game(2, 4, 6, Outcome::BlackWins))]
    );
    assert_eq!(byes(3), [bye(1, half)]);
    assert_eq!(boards(4), [game(1, 1, 2, Outcome::BlackWins), handicap(2, game(2, 5, 4, Outcome::Draw))]);
    assert_eq!(byes(4), [bye(6, half)]);
    let unknown = |it: Game| Game { coloured: false, ..it };
    assert_eq!(
        boards(5),
        [unknown(game(1, 2, 6, Outcome::Draw)), unknown(game(2, 3, 4, Outcome::BlackWins))]
    );
    assert_eq!(byes(5), [bye(1, full)]);
    assert!(event.rounds[5..].iter().all(|it| it.games.is_empty() && it.byes.is_empty()));
    // Forfeits are told by what they are worth, the boards that are left are counted anew, and two of one name are made unequal.
    assert_eq!(comes_back(&event, Format::H9), ["player_latin_name", "game", "board"]);
}

/// What has no form in ASCII is told, player by player, and nobody's name is spelled by guess.
#[test]
fn what_ascii_has_not_is_told_by_name() {
    let (mut event, _) = read(Format::OpenGotha, "league.xml");
    for format in [Format::H9, Format::Trf16] {
        let refused = format.write(&event).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "player 1: the format is ASCII and the name has no form in Latin letters: བཀྲ་ཤིས་རྡོ་རྗེ།"
        );
    }
    let latin = [("Tashi", "Dorje"), ("Mongol", ""), ("Wang", "Wei")];
    for (player, (last, first)) in event.players.iter_mut().zip(latin) {
        player.name = PersonName::new(&player.name.native.clone(), last, first);
    }
    let (bytes, losses) = Format::H9.write(&event).expect("it is written");
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.is_ascii(), "{text}");
    for name in [
        "Tashi Dorje",
        "Mongol -",
        "O'Hara Mary_Ann",
        "d'Ete Zoe",
        "Zak Rehor",
        "Wang Wei ",
        "Wang Wei_2",
        "Wang Wei_3",
    ] {
        assert!(text.contains(name), "{name} in {text}");
    }
    let places = |what: &str| {
        let loss = losses.iter().find(|it| it.what.name() == what);
        loss.map(|it| (it.count, it.places.iter().map(ToString::to_string).collect::<Vec<_>>()))
    };
    let of = |numbers: &[u32]| {
        let told: Vec<String> = numbers.iter().map(|it| format!("player {it}")).collect();
        Some((u32::try_from(told.len()).expect("few"), told))
    };
    assert_eq!(places("player_native_name"), of(&[1, 2, 3]));
    // Marks are taken from letters, and numbers put behind names.
    assert_eq!(places("player_latin_name"), of(&[5, 6, 7, 8]));
    assert_eq!(places("club"), of(&[3, 7, 8]));
    assert!(places("event_native_name").is_some() && places("event_place").is_some());
}

/// The one bye without a code of its own: half a point in every format that has it.
#[test]
fn half_a_point_without_a_game_comes_through() {
    let mut event =
        Tournament { players: vec![Player::new(1), Player::new(2), Player::new(3)], ..Tournament::default() };
    for (player, last) in event.players.iter_mut().zip(["A", "B", "C"]) {
        player.name = PersonName::new("", last, "");
    }
    event.rounds.push(exchange::Round::default());
    event.rounds[0].games.push(game(1, 1, 2, Outcome::WhiteWins));
    event.rounds[0].byes.push(Bye { player: Number(3), code: ResultCode::ByeHalf });
    for format in [Format::Trf16, Format::Trf26, Format::H9, Format::Csv] {
        let (bytes, losses) = format.write(&event).expect("it is written");
        assert!(losses.iter().all(|it| it.what.name() != "bye"), "{}", format.name());
        let (again, _) = format.read(&bytes).expect("it is read");
        assert_eq!(again.rounds[0].byes, event.rounds[0].byes, "{}", format.name());
    }
    let (bytes, _) = Format::H9.write(&event).expect("it is written");
    assert!(
        String::from_utf8(bytes)
            .expect("text")
            .lines()
            .any(|it| it.starts_with("   3 C - ") && it.ends_with(" 0="))
    );
}
