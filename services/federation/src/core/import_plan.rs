//! What a file of members does: who is found again, who is new, and what changes.

use std::collections::{HashMap, HashSet};

use api::reason;
use chassis::id::{ClubId, MemberId};
use time::Date;

use super::{
    import::{Line, Problem},
    member::{Member, Person, State},
    name::NameKey,
    stay,
};

/// What is known of those whom a file may speak of.
#[derive(Clone, Debug, Default)]
pub struct Known {
    by_id: HashMap<MemberId, Member>,
    by_number: HashMap<(String, String), MemberId>,
    by_name: HashMap<(NameKey, Option<Date>), MemberId>,
    clubs: HashMap<NameKey, ClubId>,
}

/// What a file does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// New members: who, and in which club.
    pub new: Vec<(Person, Option<ClubId>)>,
    /// Members as they are then.
    pub changed: Vec<Member>,
    /// How many are as the file has them already.
    pub unchanged: u32,
}

impl Known {
    /// What is known: members, and clubs that are open by their names and their ids.
    pub fn new(
        members: impl IntoIterator<Item = Member>,
        clubs: impl IntoIterator<Item = (NameKey, ClubId)>,
    ) -> Known {
        let mut known = Known { clubs: clubs.into_iter().collect(), ..Known::default() };
        for member in members {
            for (list, number) in &member.person.numbers {
                known.by_number.insert((list.clone(), number.clone()), member.id);
            }
            if matches!(member.state, State::Active | State::Left(_)) {
                known.by_name.insert((member.person.name.key(), member.person.born), member.id);
            }
            known.by_id.insert(member.id, member);
        }
        known
    }

    /// Who a line speaks of: by our id, then by a number, then by name and day of birth.
    fn find(&self, line: &Line) -> Result<Option<&Member>, Problem> {
        let number = line.number;
        if let Some(id) = line.id {
            let found = self.by_id.get(&id);
            return found.map(Some).ok_or_else(|| {
                Problem::new(number, "id", reason::UNKNOWN_MEMBER, "there is no such member")
            });
        }
        let by_number = line
            .numbers
            .iter()
            .find_map(|(list, number)| self.by_number.get(&(list.clone(), number.clone())));
        let by_name = || line.name.as_ref().and_then(|name| self.by_name.get(&(name.key(), line.born)));
        Ok(by_number.or_else(by_name).and_then(|id| self.by_id.get(id)))
    }

    fn club(&self, line: &Line) -> Result<Option<ClubId>, Problem> {
        let Some(club) = &line.club else { return Ok(None) };
        let found = self.clubs.get(&NameKey::of(club)).copied();
        found
            .map(Some)
            .ok_or_else(|| Problem::new(line.number, "club", reason::UNKNOWN_CLUB, "there is no such club"))
    }

    /// What the lines do, and what is wrong with them.
    pub fn plan(&self, lines: &[Line], today: Date) -> (Plan, Vec<Problem>) {
        let (mut plan, mut problems, mut seen) = (Plan::default(), Vec::new(), Seen::default());
        for line in lines {
            if let Err(problem) = self.enter(line, today, &mut plan, &mut seen) {
                problems.push(problem);
            }
        }
        (plan, problems)
    }

    fn enter(&self, line: &Line, today: Date, plan: &mut Plan, seen: &mut Seen) -> Result<(), Problem> {
        let (found, club) = (self.find(line)?, self.club(line)?);
        for number in &line.numbers {
            let holder = self.by_number.get(&(number.0.clone(), number.1.clone()));
            if holder.is_some_and(|holder| found.is_none_or(|member| member.id != *holder)) {
                let column = format!("number:{}", number.0);
                return Err(Problem::new(line.number, column, reason::NUMBER_TAKEN, "another member has it"));
            }
        }
        seen.note(line, found)?;
        let Some(member) = found else {
            let Some(name) = line.name.clone() else {
                return Err(Problem::new(
                    line.number,
                    "name",
                    reason::BAD_ORGANISATION_NAME,
                    "a new member has a name",
                ));
            };
            plan.new.push((told(line, &Person { name, ..Person::default() }), club));
            return Ok(());
        };
        if member.state != State::Active {
            return Err(Problem::new(
                line.number,
                "",
                reason::MEMBER_NOT_ACTIVE,
                "he has left, was merged or erased",
            ));
        }
        let mut after = Member { person: told(line, &member.person), ..member.clone() };
        let there = after.stays.last().filter(|last| last.to.is_none()).map(|last| last.club);
        if club.is_some() && club != there {
            after.stays = stay::transfer(&after.stays, club, today).map_err(|refusal| {
                Problem::new(line.number, "club", reason::BAD_DATE, refusal.to_string())
            })?;
        }
        if after == *member {
            plan.unchanged += 1;
        } else {
            plan.changed.push(after);
        }
        Ok(())
    }
}

/// What lines before have spoken of.
#[derive(Debug, Default)]
struct Seen {
    members: HashSet<MemberId>,
    names: HashSet<(NameKey, Option<Date>)>,
    numbers: HashSet<(String, String)>,
}

impl Seen {
    fn note(&mut self, line: &Line, found: Option<&Member>) -> Result<(), Problem> {
        let twice = |column: &str| {
            Err(Problem::new(line.number, column, reason::BAD_LINE, "a line before is about the same person"))
        };
        match (found, &line.name) {
            (Some(member), _) if !self.members.insert(member.id) => return twice(""),
            (None, Some(name)) if !self.names.insert((name.key(), line.born)) => return twice("name"),
            _ => {}
        }
        for (list, number) in &line.numbers {
            if !self.numbers.insert((list.clone(), number.clone())) {
                return twice(&format!("number:{list}"));
            }
        }
        Ok(())
    }
}

/// A person after what a line says. A name that is the transliteration of the known one is no other name: it comes from a
/// file that can carry nothing else.
fn told(line: &Line, person: &Person) -> Person {
    let mut after = person.clone();
    if let Some(name) =
        line.name.clone().filter(|name| NameKey::of(&name.native) != NameKey::of(&person.name.latin))
    {
        after.name = name;
    }
    after.sex = line.sex.or(after.sex);
    after.born = line.born.or(after.born);
    after.grade = line.grade.clone().unwrap_or(after.grade);
    after.note = line.note.clone().unwrap_or(after.note);
    after.numbers.extend(line.numbers.clone());
    after
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use uuid::Uuid;

    use super::*;
    use crate::core::{day, import, name::Name, stay::Stay};

    fn today() -> Date {
        day::parse("2026-11-23").expect("a day")
    }

    fn member(number: u128, native: &str, latin: &str) -> Member {
        Member {
            id: Uuid::from_u128(number).into(),
            federation: Uuid::from_u128(1).into(),
            person: Person {
                name: Name::parse(native, latin).expect("a name"),
                numbers: BTreeMap::from([("fide".to_owned(), number.to_string())]),
                ..Person::default()
            },
            account: None,
            state: State::Active,
            joined: today(),
            revision: 1,
            stays: vec![Stay { club: Uuid::from_u128(7).into(), from: today(), to: None }],
        }
    }

    fn planned(file: &str) -> (Plan, Vec<Problem>) {
        let (lines, problems) = import::read(file.as_bytes(), today());
        assert_eq!(problems, []);
        let clubs = [
            (NameKey::of("Lhasa"), Uuid::from_u128(7).into()),
            (NameKey::of("Aba"), Uuid::from_u128(8).into()),
        ];
        Known::new([member(10, "བཀྲ་ཤིས", "Tashi"), member(11, "Anna", "")], clubs).plan(&lines, today())
    }

    #[test]
    fn a_person_is_found_by_id_then_number_then_name() {
        let id = Uuid::from_u128(10);
        for line in [
            format!("{id},,,,Tashi"),
            ",,10,,".to_owned(),
            ",བཀྲ་ཤིས,,,Tashi".to_owned(),
            format!("{id},Tashi,,Lhasa,"),
        ] {
            let (plan, problems) = planned(&format!("id,name,number:fide,club,latin\n{line}\n"));
            assert_eq!((plan, problems), (Plan { unchanged: 1, ..Plan::default() }, vec![]), "{line}");
        }
        let (plan, _) = planned("name,club,grade\nAnna,aba,3d\nBob,,\n");
        assert_eq!(plan.changed.len(), 1);
        assert_eq!(plan.changed[0].person.grade, "3d");
        assert_eq!(plan.changed[0].stays.len(), 1, "he came and went on one day");
        assert_eq!(plan.new.len(), 1);
    }

    #[test]
    fn what_contradicts_is_named() {
        let id = Uuid::from_u128(10);
        for (file, column, why) in [
            (format!("id,number:fide\n{id},11\n"), "number:fide", reason::NUMBER_TAKEN),
            (
                format!("id,name\n{id},\n,བཀྲ་ཤིས\n")
                    .replace("name\n", "name,latin\n")
                    .replace("ཤིས\n", "ཤིས,Tashi\n"),
                "",
                reason::BAD_LINE,
            ),
            ("name\nBob\nbob\n".to_owned(), "name", reason::BAD_LINE),
            ("name,club\nBob,Nowhere\n".to_owned(), "club", reason::UNKNOWN_CLUB),
            (format!("id,name\n{},Bob\n", Uuid::from_u128(99)), "id", reason::UNKNOWN_MEMBER),
        ] {
            let (_, problems) = planned(&file);
            assert_eq!(problems.len(), 1, "{file}");
            assert_eq!((problems[0].column.as_str(), problems[0].reason), (column, why), "{file}");
        }
    }
}
