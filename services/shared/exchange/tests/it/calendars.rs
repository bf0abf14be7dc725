//! Calendars and archives, which are written only.

use std::io::Read as _;

use exchange::{
    archive::archive,
    calendar::{Appointment, calendar},
    limits,
};

fn round() -> Appointment {
    Appointment {
        uid: "event-7-round-1@go.example".to_owned(),
        sequence: 3,
        changed: 1_769_000_000,
        begins: 1_770_000_000,
        ends: 1_770_007_200,
        summary: "Round 1, board 1; a\\b".to_owned(),
        location: "ལྷ་ས།".to_owned(),
        description: "བཀྲ་ཤིས་རྡོ་རྗེ། – 王伟\nsecond line\u{7}".repeat(5),
        cancelled: true,
    }
}

#[test]
fn lines_are_folded_and_texts_escaped_in_every_script() {
    let long = "ᠮᠣᠩᠭᠣᠯ 围棋 བཀྲ་ཤིས་ ".repeat(20);
    let file = calendar(&long, "Asia/Urumqi", &[round()]).unwrap();
    let text = String::from_utf8(file).unwrap();
    assert!(text.ends_with("END:VCALENDAR\r\n"));
    for line in text.split_terminator("\r\n") {
        assert!(line.len() <= 75, "{} bytes: {line}", line.len());
        assert!(!line.contains(['\r', '\n', '\u{7}']));
    }
    let unfolded = text.replace("\r\n ", "");
    for line in [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "UID:event-7-round-1@go.example",
        "SEQUENCE:3",
        "DTSTAMP:20260121T125320Z",
        "DTSTART:20260202T024000Z",
        "DTEND:20260202T044000Z",
        "SUMMARY:Round 1\\, board 1\\; a\\\\b",
        "LOCATION:ལྷ་ས།",
        "STATUS:CANCELLED",
        "X-WR-TIMEZONE:Asia/Urumqi",
        &format!("X-WR-CALNAME:{long}"),
        &format!("DESCRIPTION:{}", "བཀྲ་ཤིས་རྡོ་རྗེ། – 王伟\\nsecond line".repeat(5)),
    ] {
        assert!(unfolded.lines().any(|it| it == line), "{line} in {unfolded}");
    }
}

#[test]
fn appointments_are_in_order_and_within_time() {
    let later = Appointment { begins: 1_770_100_000, uid: "b".to_owned(), ..round() };
    let same = Appointment { uid: "a".to_owned(), ..later.clone() };
    let orders = [vec![round(), later.clone(), same.clone()], vec![later, same, round()]];
    let files = orders.map(|it| calendar("", "", &it).unwrap());
    assert_eq!(files[0], files[1]);
    let text = String::from_utf8(files[0].clone()).unwrap();
    assert!(text.find("UID:a").unwrap() < text.find("UID:b").unwrap());
    assert!(!text.contains("X-WR"));
    let never = Appointment { begins: i64::MAX, ..round() };
    assert_eq!(calendar("", "", &[never]).unwrap_err().refusal.name(), "time");
    let backwards = calendar("", "", &[Appointment { ends: 0, ..round() }]).unwrap();
    assert!(String::from_utf8(backwards).unwrap().contains("DTEND:20260202T024000Z"));
    let many = vec![Appointment::default(); limits::APPOINTMENTS_MAX + 1];
    assert_eq!(calendar("", "", &many).unwrap_err().refusal.name(), "too_much");
}

#[test]
fn an_archive_is_the_same_whenever_it_is_made_and_is_opened_by_others() {
    let files = [("2/王伟-བཀྲ་ཤིས་.sgf", "(;GM[1])".repeat(500)), ("1.sgf", "(;GM[1]B[aa])".to_owned())];
    let made = archive(files.clone()).unwrap();
    assert_eq!(made, archive(files.iter().rev().map(|(name, text)| (*name, text))).unwrap());
    assert!(made.len() < 1_000, "{} bytes", made.len());
    let mut opened = zip::ZipArchive::new(std::io::Cursor::new(made)).unwrap();
    let names: Vec<String> = opened.file_names().map(|it| it.unwrap().into_owned()).collect();
    assert_eq!(names, ["1.sgf", "2/王伟-བཀྲ་ཤིས་.sgf"]);
    let mut text = String::new();
    opened.by_name("2/王伟-བཀྲ་ཤིས་.sgf").unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, files[0].1);
    let file = opened.by_name("1.sgf").unwrap();
    assert_eq!(file.last_modified(), Some(zip::DateTime::default()));
}

#[test]
fn no_file_of_an_archive_leads_out_of_it() {
    let long = "x".repeat(300);
    for name in
        ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/", "C:\\a", "a:b", "a\0b", "a ", ".", "a.", &long]
    {
        let refused = archive([(name, "")]).unwrap_err();
        assert_eq!(refused.refusal.name(), "file_name", "{name:?}");
    }
    assert_eq!(archive([("a", ""), ("a", "")]).unwrap_err().refusal.name(), "file_name");
    let large = vec![0_u8; limits::ARCHIVE_BYTES_MAX / 2 + 1];
    let twice = [("a", large.as_slice()), ("b", large.as_slice())];
    assert_eq!(archive(twice).unwrap_err().refusal.name(), "too_much");
}
