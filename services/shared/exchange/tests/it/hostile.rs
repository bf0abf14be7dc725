//! Files that are wrong, or want to do harm: each is refused by a stable name, and where it is wrong.

use exchange::{Format, ReadError, Tournament, collect, csv, limits};

#[track_caller]
fn refused(format: Format, text: &str, name: &str, line: u32, column: u32) {
    let error = format.read(text.as_bytes()).expect_err("it is refused");
    assert_eq!((error.fault.name(), error.line, error.column), (name, line, column), "{error}");
}

fn gotha(inside: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n{inside}\n")
}

#[test]
fn xml_declares_nothing_and_nests_little() {
    let bomb =
        "<!DOCTYPE T [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><Tournament>&b;</Tournament>";
    refused(Format::OpenGotha, &gotha(bomb), "doctype", 2, 1);
    let outside = "<!DOCTYPE T SYSTEM \"file:///etc/passwd\"><Tournament/>";
    refused(Format::OpenGotha, &gotha(outside), "doctype", 2, 1);
    refused(Format::OpenGotha, &gotha("<Tournament>&b;</Tournament>"), "entity", 2, 13);
    refused(
        Format::OpenGotha,
        &gotha("<Tournament><Players><Player name=\"&b;\"/></Players></Tournament>"),
        "entity",
        2,
        22,
    );
    let deep = format!("<Tournament>{}", "<a>".repeat(1_000_000));
    refused(Format::OpenGotha, &gotha(&deep), "too_deep", 2, 13 + 3 * 15);
    let wide = (0..1_000).map(|it| format!(" a{it}=\"\"")).collect::<Vec<_>>().concat();
    refused(Format::OpenGotha, &gotha(&format!("<Tournament{wide}/>")), "too_many_attributes", 2, 1);
    let long = format!("<Tournament a=\"{}\"/>", "x".repeat(100_000));
    refused(Format::OpenGotha, &gotha(&long), "text_too_long", 2, 1);
    refused(Format::OpenGotha, &gotha("<Tournament><a></b></Tournament>"), "xml", 2, 16);
    refused(Format::OpenGotha, &gotha("<Tournament>"), "xml", 3, 1);
    refused(Format::OpenGotha, &gotha("<html/>"), "unknown_format", 2, 1);
    refused(Format::OpenGotha, &gotha("<Tournament a=\"&#x7;\"/>"), "control_character", 2, 1);
}

#[test]
fn xml_says_who_and_where() {
    let file = |inside: &str| {
        let players = "<Player name=\"A\" firstName=\"b\"/>\n<Player name=\"C\"/><Player name=\"AB\"/>";
        format!("<Tournament><Players>{players}</Players>\n{inside}</Tournament>")
    };
    let game = |white: &str, black: &str, more: &str| {
        file(&format!("<Game whitePlayer=\"{white}\" blackPlayer=\"{black}\" tableNumber=\"1\" {more}/>"))
    };
    let well = "roundNumber=\"1\" result=\"RESULT_EQUAL\"";
    refused(Format::OpenGotha, &game("C", "X", well), "unknown_player", 3, 1);
    refused(Format::OpenGotha, &game("C", "AB", well), "double", 3, 1);
    refused(Format::OpenGotha, &game("C", "C", well), "himself", 3, 1);
    refused(Format::OpenGotha, &game("C", "", well), "missing", 3, 1);
    let two = "<Player name=\"D\"/>";
    let game = |more: &str| file(&format!("{two}<Game whitePlayer=\"C\" blackPlayer=\"D\" {more}/>"));
    for (more, name) in [
        ("tableNumber=\"1\" roundNumber=\"21\" result=\"RESULT_EQUAL\"", "range"),
        ("tableNumber=\"1\" roundNumber=\"0\" result=\"RESULT_EQUAL\"", "range"),
        ("tableNumber=\"x\" roundNumber=\"1\" result=\"RESULT_EQUAL\"", "number"),
        ("tableNumber=\"1\" roundNumber=\"1\" result=\"RESULT_WON\"", "code"),
        ("tableNumber=\"1\" roundNumber=\"1\" result=\"RESULT_EQUAL\" handicap=\"99\"", "range"),
    ] {
        refused(Format::OpenGotha, &game(more), name, 3, 1 + u32::try_from(two.len()).unwrap());
    }
    let one = "<Game whitePlayer=\"C\" blackPlayer=\"D\" tableNumber=\"1\" roundNumber=\"1\" result=\"RESULT_EQUAL\"/>";
    let bye = "<ByePlayer player=\"D\" roundNumber=\"1\"/>";
    refused(Format::OpenGotha, &file(&format!("{two}{one}\n{one}")), "twice_in_round", 4, 1);
    refused(Format::OpenGotha, &file(&format!("{two}{one}\n{bye}")), "twice_in_round", 4, 1);
    refused(Format::OpenGotha, "<Tournament/>", "no_players", 1, 1);
    let many = format!("<Tournament>{}</Tournament>", "<Player/>".repeat(limits::PLAYERS_MAX + 1));
    refused(Format::OpenGotha, &many, "too_many_players", 1, 13 + 9 * 10_000);
}

#[test]
fn tables_of_results_say_who_and_where() {
    let line = |number: u32, results: &str| format!("{number} Name{number} First 3d CN Club {results}\n");
    let two = |first: &str, second: &str| line(1, first) + &line(2, second);
    refused(Format::H9, &two("2+ 0-", "1-"), "rounds_differ", 2, 1);
    // The results begin in the 26th column.
    for (first, second, name) in [
        ("2+", "1=", "contradiction"),
        ("2+/w", "1-/w", "contradiction"),
        ("2+/w2", "1-/b3", "contradiction"),
        ("2+!w0", "1-/b0", "contradiction"),
        ("2+", "0-", "contradiction"),
        ("1+", "0-", "himself"),
        ("3+", "0-", "unknown_player"),
    ] {
        refused(Format::H9, &two(first, second), name, 1, 26);
    }
    // Both have won: a referee can say so.
    assert!(Format::H9.read(two("2+", "1+/w").as_bytes()).is_ok());
    refused(Format::H9, &(line(1, "0+") + &line(1, "0+")), "double", 2, 1);
    refused(Format::H9, "x A B 3d CN Cl 0+\n", "number", 1, 1);
    refused(Format::H9, "10001 A B 3d CN Cl 0+\n", "range", 1, 1);
    refused(Format::H9, "1 A 0+\n", "missing", 1, 1);
    refused(Format::H9, "\n; only a comment\n", "no_players", 1, 1);
    refused(Format::H9, "\n1 A\u{1b} B 3d CN Cl 0+\n", "control_character", 2, 4);
    let many = line(1, &"0- ".repeat(251));
    refused(Format::H9, &many, "too_many_rounds", 1, 1);
    refused(Format::H9, &" ".repeat(100_000), "text_too_long", 1, 1);
}

#[test]
fn encodings_and_sizes_are_known() {
    let name = |bytes: &[u8]| {
        let errors: Vec<ReadError> = Format::ALL
            .iter()
            .map(|it| it.read(bytes).unwrap_err())
            .chain(Format::detect(bytes).err())
            .collect();
        assert!(errors.windows(2).all(|it| it[0] == it[1]), "{errors:?}");
        (errors[0].fault.name(), errors[0].line, errors[0].column)
    };
    // 王 in GBK, and the same table in UTF-16 with and without its mark.
    assert_eq!(name(b"number,last_name\n1,\xcd\xf5\n"), ("not_utf8", 2, 3));
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    assert_eq!(name(&wide("\u{feff}number")).0, "utf16");
    assert_eq!(name(&wide("number")).0, "utf16");
    assert_eq!(name(b"PK\x03\x04anything").0, "packed");
    assert_eq!(name(&vec![b' '; limits::FILE_BYTES_MAX + 1]).0, "file_too_large");
    assert_eq!(Format::detect(b" \n\n").unwrap_err().fault.name(), "empty");
    assert_eq!(Format::detect(b"Dear Sir").unwrap_err().fault.name(), "unknown_format");
}

/// Says how much of it was taken.
struct Counted(usize);

impl std::io::Read for &mut Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let taken = buffer.len().min(100_000_000 - self.0);
        self.0 += taken;
        Ok(taken)
    }
}

#[test]
fn a_hundred_megabytes_are_refused_before_they_are_read() {
    let mut stream = Counted(0);
    let refused = collect(&mut stream, usize::MAX).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::FileTooLarge);
    assert_eq!(stream.0, limits::FILE_BYTES_MAX + 1, "and not the rest of it");
    assert_eq!(collect(b"abc".as_slice(), 3).unwrap(), b"abc");
    assert!(collect(b"abcd".as_slice(), 3).is_err());
}

#[test]
fn tables_of_csv_say_who_and_where() {
    let table = |rows: &str| format!("number,last_name,rating,grade,round 1\n{rows}");
    for (rows, name, line, column) in [
        ("1,A,,,2 w win t1\n2,B,,,1 b win t2\n", "contradiction", 2, 5),
        ("1,A,,,2 w win t1\n2,B,,,\n", "contradiction", 2, 5),
        ("1,A,,,1 w win t1\n", "himself", 2, 5),
        ("1,A,,,3 w win t1\n", "unknown_player", 2, 5),
        ("1,A,,,2 w won t1\n2,B,,,\n", "code", 2, 5),
        ("1,A,x,,\n", "number", 2, 3),
        ("1,A,99999,,\n", "range", 2, 3),
        ("1,A,,strong,\n", "code", 2, 4),
        ("1,A,,,\n1,B,,,\n", "double", 3, 1),
        ("0,A,,,\n", "range", 2, 1),
        ("1,A,,\n", "cells", 2, 1),
        ("1,\"A,,,\n2,B,,,\n", "control_character", 2, 2),
        ("1,A\tB,,,\n", "control_character", 2, 2),
    ] {
        refused(Format::Csv, &table(rows), name, line, column);
    }
    refused(Format::Csv, "number,last_name,shoe size\n1,A,42\n", "column", 1, 3);
    refused(Format::Csv, "number,last_name,last_name\n1,A,A\n", "column", 1, 3);
    refused(Format::Csv, "number,club\n1,A\n", "missing", 1, 1);
    refused(Format::Csv, "number,last_name,round 251\n1,A,\n", "too_many_rounds", 1, 3);
    refused(Format::Csv, "number,last_name\n", "no_players", 1, 1);
}

#[test]
fn a_table_of_results_changes_an_event_wholly_or_not_at_all() {
    let (mut event, _) = Format::Csv.read(b"number,last_name\n1,A\n2,B\n3,C\n").unwrap();
    let before: Tournament = event.clone();
    let head = "round,board,white,black,coloured,handicap,white_result,black_result,reason";
    for (rows, name, line, column) in [
        ("1,1,1,2,yes,0,win,win_,normal", "code", 2, 8),
        ("1,1,1,4,yes,0,win,loss,normal", "unknown_player", 2, 4),
        ("1,1,1,2,maybe,0,win,loss,normal", "code", 2, 5),
        ("1,0,1,2,yes,0,win,loss,normal", "range", 2, 2),
        ("1,1,1,2,yes,0,win,draw,normal", "contradiction", 2, 8),
        ("1,1,1,2,yes,0,win,loss,normal\n1,2,1,3,yes,0,win,loss,normal", "twice_in_round", 2, 1),
        ("251,1,1,2,yes,0,win,loss,normal", "too_many_rounds", 2, 1),
        ("1,,1,,,,adjourned,,", "code", 2, 1),
    ] {
        let error = csv::read_results(&mut event, format!("{head}\n{rows}\n").as_bytes()).unwrap_err();
        assert_eq!((error.fault.name(), error.line, error.column), (name, line, column), "{error}");
        assert_eq!(event, before);
    }
}
