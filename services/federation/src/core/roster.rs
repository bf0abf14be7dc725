//! Members as a file of CSV, with the columns that [`super::import`] takes.

use std::{borrow::Cow, collections::HashMap};

use chassis::id::ClubId;
use csv::{Writer as CsvWriter, WriterBuilder};
use exchange::csv::neutral;

use super::{
    day,
    member::{Member, Sex, Sight},
};

/// Writes members line by line.
pub struct Writer {
    csv: CsvWriter<Vec<u8>>,
    lists: Vec<String>,
    clubs: HashMap<ClubId, String>,
    sight: Sight,
    bytes: usize,
}

impl Writer {
    /// A file with its heading: numbers in these lists, clubs under these names; what is private only where all is told.
    pub fn new(
        lists: &[String],
        clubs: HashMap<ClubId, String>,
        sight: Sight,
        byte_order_mark: bool,
    ) -> Writer {
        let mut file = Vec::new();
        if byte_order_mark {
            file.extend_from_slice(b"\xEF\xBB\xBF");
        }
        let bytes = file.len();
        let csv = WriterBuilder::new().from_writer(file);
        let mut writer = Writer { csv, lists: lists.to_vec(), clubs, sight, bytes };
        let numbers: Vec<String> = lists.iter().map(|list| format!("number:{list}")).collect();
        let mut heading = vec!["id", "name", "latin", "sex", "grade", "club"];
        if sight == Sight::All {
            heading.extend(["birth_date", "note"]);
        }
        heading.extend(numbers.iter().map(String::as_str));
        writer.line(heading.into_iter().map(Cow::Borrowed));
        writer
    }

    /// Writes a member.
    pub fn member(&mut self, member: &Member) {
        let person = &member.person;
        let id = member.id.to_string();
        let sex = match person.sex {
            Some(Sex::Female) => "f",
            Some(Sex::Male) => "m",
            None => "",
        };
        let stay = member.stays.last().filter(|last| last.to.is_none());
        let club = stay.map(|stay| self.clubs.get(&stay.club).cloned().unwrap_or_default());
        let club = club.unwrap_or_default();
        let born = person.born.map(day::text).unwrap_or_default();
        let mut cells = vec![
            Cow::Borrowed(id.as_str()),
            neutral(&person.name.native),
            neutral(&person.name.latin),
            Cow::Borrowed(sex),
            neutral(&person.grade),
            neutral(&club),
        ];
        if self.sight == Sight::All {
            cells.extend([Cow::Borrowed(born.as_str()), neutral(&person.note)]);
        }
        let numbers: Vec<&str> = self
            .lists
            .iter()
            .map(|list| person.numbers.get(list).map(String::as_str).unwrap_or_default())
            .collect();
        cells.extend(numbers.iter().map(|number| neutral(number)));
        self.line(cells.into_iter());
    }

    fn line<'a>(&mut self, cells: impl Iterator<Item = Cow<'a, str>>) {
        let cells: Vec<Cow<'_, str>> = cells.collect();
        // Two for the quotes and one for the comma; a quote within is rare.
        self.bytes += cells.iter().map(|cell| cell.len() + 3).sum::<usize>();
        let written = self.csv.write_record(cells.iter().map(|cell| cell.as_bytes()));
        debug_assert!(written.is_ok(), "memory takes every line, and all have as many fields");
    }

    /// How many bytes it has, or some more.
    pub const fn len(&self) -> usize {
        self.bytes
    }

    /// Whether nothing was written; the heading was.
    pub const fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The file.
    pub fn finish(self) -> Vec<u8> {
        self.csv.into_inner().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uuid::Uuid;

    use super::*;
    use crate::core::{
        import,
        member::{Person, State},
        name::Name,
        stay::Stay,
    };

    fn member(number: u128, name: (&str, &str), note: &str) -> Member {
        let today = day::parse("2026-11-23").expect("a day");
        Member {
            id: Uuid::from_u128(number).into(),
            federation: Uuid::from_u128(1).into(),
            person: Person {
                name: Name::parse(name.0, name.1).expect("a name"),
                sex: Some(Sex::Female),
                born: day::parse("2001-12-31"),
                grade: "3d".to_owned(),
                numbers: BTreeMap::from([("fide".to_owned(), number.to_string())]),
                note: note.to_owned(),
            },
            account: None,
            state: State::Active,
            joined: today,
            revision: 1,
            stays: vec![Stay { club: Uuid::from_u128(7).into(), from: today, to: None }],
        }
    }

    fn written(members: &[Member], sight: Sight, mark: bool) -> Vec<u8> {
        let clubs = HashMap::from([(Uuid::from_u128(7).into(), "阿坝, 一".to_owned())]);
        let mut file = Writer::new(&["egd".to_owned(), "fide".to_owned()], clubs, sight, mark);
        for member in members {
            file.member(member);
        }
        assert!(file.len() >= file.csv.get_ref().len());
        file.finish()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let members = [
            member(10, ("བཀྲ་ཤིས", "Tashi"), "=cmd|' /C calc'!A0"),
            member(11, ("ᠮᠣᠩᠭᠣᠯ", "Mongol"), "two\nlines, and a \"quote\""),
            member(12, ("聂卫平", "Nie Weiping"), "+86 10"),
            member(13, ("＝聂", "Nie"), "＠SUM"),
        ];
        let file = written(&members, Sight::All, true);
        assert!(file.starts_with(b"\xEF\xBB\xBFid,name,"));
        let text = String::from_utf8(file.clone()).expect("text");
        assert!(["'=cmd|", "'+86 10", "'＝聂", "'＠SUM"].iter().all(|it| text.contains(it)), "{text}");
        let (lines, problems) = import::read(&file, day::parse("2026-11-23").expect("a day"));
        assert_eq!(problems, []);
        for (line, member) in lines.iter().zip(&members) {
            let person = &member.person;
            assert_eq!((line.id, line.name.as_ref()), (Some(member.id), Some(&person.name)));
            assert_eq!(
                (line.sex, line.born, line.note.as_ref()),
                (person.sex, person.born, Some(&person.note))
            );
            assert_eq!((line.club.as_deref(), &line.numbers), (Some("阿坝, 一"), &person.numbers));
            assert_eq!(line.grade.as_deref(), Some("3d"));
        }
        assert_eq!(lines.len(), members.len());
    }

    #[test]
    fn who_sees_nothing_private_is_given_nothing_private() {
        let file = written(&[member(10, ("Anna", ""), "her telephone")], Sight::Accounts, false);
        let text = String::from_utf8(file).expect("text");
        assert!(!text.contains("telephone") && !text.contains("2001"), "{text}");
        assert!(text.starts_with("id,name,latin,sex,grade,club,number:egd,number:fide\n"), "{text}");
    }
}
