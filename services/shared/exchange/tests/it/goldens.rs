//! Files made by hand from the published descriptions of their formats.

use exchange::{
    Bye, Date, DoubtKind, Format, Game, Grade, Halves, HandicapRule, MacMahon, Outcome, Overtime, PersonName,
    TimeClass, TimeControl,
};
use pairing::{Number, Reason, ResultCode};

pub(crate) fn golden(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::read(folder.join(name)).expect("the file is there")
}

pub(crate) fn bye(player: u32, code: ResultCode) -> Bye {
    Bye { player: Number(player), code }
}

pub(crate) fn game(board: u32, white: u32, black: u32, outcome: Outcome) -> Game {
    Game::new(board, Number(white), Number(black), outcome)
}

#[test]
fn a_file_of_opengotha_is_read() {
    let bytes = golden("spring.xml");
    assert_eq!(Format::detect(&bytes), Ok(Format::OpenGotha));
    let (event, doubts) = Format::OpenGotha.read(&bytes).unwrap();
    let header = &event.header;
    assert_eq!((header.name.latin.as_str(), header.place.as_str()), ("Tournoi de printemps", "Grenoble"));
    assert_eq!((header.start, header.end), (Date::new(2026, 1, 2).ok(), Date::new(2026, 1, 3).ok()));
    assert_eq!(
        (header.arbiter.as_str(), header.komi, header.board_size),
        ("Tsering", Some(Halves(15)), Some(19))
    );
    let time = TimeControl { basic_seconds: 3_600, overtime: Overtime::ByoYomi { seconds: 20 } };
    assert_eq!((header.time, time.class()), (Some(time), Some(TimeClass::A)));
    let begin = MacMahon { floor: Grade::Kyu(20), bar: Grade::Dan(4), zero: Grade::Kyu(30) };
    assert_eq!(header.macmahon, Some(begin));
    let rule = HandicapRule { by_score: true, reduction: 1, most: 9, none_from: Some(Grade::Dan(1)) };
    assert_eq!((header.handicaps, header.pab_points), (Some(rule), 2));

    let [tour, ann, tashi, wang, erika] = event.players.as_slice() else { panic!("five players") };
    assert_eq!((tour.name.latin().as_str(), tour.ids.egf.as_str()), ("de la Tour, Jean Luc", "12345678"));
    assert_eq!((ann.name.last.as_str(), ann.grade), ("O'Neill & Smith", Some(Grade::Pro(1))));
    assert_eq!((ann.ids.aga.as_str(), ann.ids.member.as_str(), ann.rating), ("20817", "", Some(2_800)));
    // The name is native; the rating was made from the grade; the id is none of the American list.
    assert_eq!((tashi.name.clone(), tashi.rating), (PersonName::new("བཀྲ་ཤིས་", "", ""), None));
    assert_eq!(tashi.ids.member, "0198f1c2-0000-7000-8000-000000000001");
    assert_eq!((wang.grade, wang.rating), (None, Some(-500)));
    assert_eq!(erika.name.latin(), "Müller, Erika");

    assert_eq!(event.rounds.len(), 4);
    let second = Game { handicap: 9, ..game(2, 4, 3, Outcome::BlackWins) };
    assert_eq!(event.rounds[0].games, [game(1, 1, 2, Outcome::WhiteWins), second]);
    assert_eq!(event.rounds[1].games, [Game { coloured: false, ..game(1, 1, 4, Outcome::BothLose) }]);
    // The draw by default is half a point for each; whoever was free has the pairing bye.
    let half = ResultCode::ByeHalf;
    assert_eq!(event.rounds[1].byes, [bye(2, half), bye(3, ResultCode::Pab), bye(5, half)]);
    let forfeit = game(1, 1, 5, Outcome::WhiteByForfeit);
    assert_eq!((event.rounds[2].games[0], forfeit.reason), (forfeit, Reason::Late));
    assert_eq!(event.rounds[2].games[1].outcome, Outcome::Adjourned);
    // The fourth round is to come, and who takes no part in it is known.
    assert_eq!(
        (event.rounds[3].byes.as_slice(), event.paired_rounds()),
        (&[bye(4, ResultCode::ByeZero)][..], 3)
    );
    let kinds: Vec<DoubtKind> = doubts.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DoubtKind::DefaultDraw]);
    assert_eq!(event.points(), [4, 1, 4, 0, 1]);
}

#[test]
fn a_table_of_results_is_read() {
    let bytes = golden("spring.h9");
    assert_eq!(Format::detect(&bytes), Ok(Format::H9));
    let (event, doubts) = Format::H9.read(&bytes).unwrap();
    let header = &event.header;
    assert_eq!((header.name.latin.as_str(), header.country.as_str()), ("Spring Open", "FR"));
    assert_eq!((header.place.as_str(), header.komi), ("Grenoble", Some(Halves(15))));
    assert_eq!(header.time.map(|it| it.basic_seconds), Some(75 * 60));
    assert_eq!(header.handicaps.map(|it| (it.reduction, it.most)), Some((1, 9)));
    let [tour, ann, tashi, wang, erika] = event.players.as_slice() else { panic!("five players") };
    assert_eq!((tour.name.latin().as_str(), tour.ids.egf.as_str()), ("de la Tour, Jean Luc", "12345678"));
    assert_eq!((ann.grade, ann.club.as_str()), (Some(Grade::Pro(1)), "NYC"));
    assert_eq!((tashi.name.latin().as_str(), tashi.club.as_str()), ("Tashi", ""));
    assert_eq!((wang.country.as_str(), erika.club.as_str()), ("CN", "xxxx"));

    let boards = |round: usize| event.rounds[round].games.clone();
    assert_eq!(boards(0), [game(1, 1, 4, Outcome::WhiteWins), game(2, 3, 5, Outcome::WhiteByForfeit)]);
    // A colour that one of the two lines tells is known; the handicap likewise.
    let first = Game { handicap: 3, ..game(1, 3, 1, Outcome::BlackWins) };
    let second = Game { coloured: false, ..game(2, 2, 4, Outcome::WhiteWins) };
    assert_eq!(boards(1), [first, second]);
    assert_eq!(
        boards(2),
        [Game { coloured: false, ..game(1, 1, 2, Outcome::Draw) }, game(2, 4, 5, Outcome::BlackWins),]
    );
    assert_eq!(event.rounds[0].byes, [bye(2, ResultCode::ByeFull)]);
    assert_eq!(event.rounds[1].byes, [bye(5, ResultCode::ByeHalf)]);
    assert_eq!((event.rounds[2].byes.len(), doubts.len()), (0, 0));
}

#[test]
fn a_crosstable_is_read() {
    let bytes = golden("spring.csv");
    assert_eq!(Format::detect(&bytes), Ok(Format::Csv));
    let (event, _) = Format::Csv.read(&bytes).unwrap();
    let [wang, tashi, ann] = event.players.as_slice() else { panic!("three players") };
    assert_eq!((wang.number, wang.name.shown().as_str(), wang.rating), (Number(7), "王伟", Some(2_310)));
    assert_eq!((tashi.grade, ann.rating), (Some(Grade::Kyu(12)), Some(-500)));
    assert_eq!(ann.name.last, "O\"Neill");
    assert_eq!(event.rounds[0].games, [game(1, 7, 8, Outcome::WhiteWins)]);
    let resigned = Game { handicap: 2, reason: Reason::Resign, ..game(1, 9, 7, Outcome::WhiteWins) };
    assert_eq!(event.rounds[1].games, [resigned]);
    assert_eq!(event.rounds[1].byes, [bye(8, ResultCode::Pab)]);
}

#[test]
fn standings_are_made_of_what_was_read() {
    use pairing::{Colour, StandingsSettings, standings};
    let (event, _) = Format::OpenGotha.read(&golden("spring.xml")).unwrap();
    let players = event.histories(Colour::Second);
    let settings = StandingsSettings::default();
    let sheet = standings::Sheet { players: &players, rounds: 3, settings: &settings, seed: [0; 32] };
    let table = standings::individual::swiss(&sheet);
    assert_eq!((table[0].number, table[0].points), (Number(3), 4));
    let lines = exchange::csv::standings(&event, &table, exchange::csv::Mark::Bom).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().is_some_and(|it| it.starts_with("\u{feff}place,number,native_name,last_name")));
    assert!(lines.next().is_some_and(|it| it.starts_with("1,3,བཀྲ་ཤིས་,,,Lhasa,CN,12k,4,")), "{text}");
}

/// What is written is looked at as other programs do: by columns, attributes and signs.
#[test]
fn what_is_written_looks_as_it_should() {
    let (event, _) = Format::OpenGotha.read(&golden("spring.xml")).unwrap();
    let (bytes, _) = Format::OpenGotha.write(&event).unwrap();
    let xml = String::from_utf8(bytes).unwrap();
    for part in [
        "<Tournament dataVersion=\"201\">",
        "name=\"O&apos;Neill &amp; Smith\" firstName=\"Ann\"",
        "participating=\"10011111111111111111\"",
        "whitePlayer=\"DELATOURJEANLUC\" blackPlayer=\"O&apos;NEILL&amp;SMITHANN\"",
        "result=\"RESULT_WHITEWINS_BYDEF\"",
        "<ByePlayer roundNumber=\"2\" player=\"བཀྲ་ཤིས་\"/>",
        "genMMFloor=\"20K\" genMMBar=\"4D\"",
        "<HandicapParameterSet hdBasedOnMMS=\"true\" hdCorrection=\"1\" hdCeiling=\"9\" hdNoHdRankThreshold=\"1D\"/>",
    ] {
        assert!(xml.contains(part), "{part} in {xml}");
    }
    let (mut event, _) = Format::H9.read(&golden("spring.h9")).unwrap();
    event.header.time =
        Some(TimeControl { basic_seconds: 1_800, overtime: Overtime::ByoYomi { seconds: 60 } });
    let (bytes, losses) = Format::H9.write(&event).unwrap();
    let table = String::from_utf8(bytes).unwrap();
    // An adjusted time of 75 minutes does not make class A of a basic time of 30.
    for part in
        ["; CL[C]\n", "; PC[FR, Grenoble]\n", "; TM[75]\n", "; HA[h1]\n", " de_la_Tour Jean_Luc 3d FR 38Gr "]
    {
        assert!(table.contains(part), "{part} in {table}");
    }
    let first = table.lines().find(|it| it.contains("Tour")).unwrap();
    let results: Vec<&str> = first.split_whitespace().skip(6).collect();
    assert_eq!(results, ["4+/w0", "3+/b3", "2=", "|12345678"]);
    let lost: Vec<&str> = losses.iter().map(|it| it.what.name()).collect();
    assert_eq!(lost, ["time", "game"]);
    assert!(losses[1].to_string().ends_with("if that: player 3 in round 1"), "{}", losses[1]);
}
