//! Members between protos and `core`.

use std::collections::BTreeMap;

use api::{ProtoEnum as _, federation::v1 as pb, proto_enum, reason};
use chassis::{
    id::{FederationId, MemberId},
    page::Page,
};
use time::Date;
use uuid::Uuid;

use super::fields::{Mask, account, club, date, name, required, revision, told_name, told_revision, words};
use crate::core::{
    day,
    limits::{GRADE_CHARS_MAX, NAME_CHARS_MAX, NOTE_CHARS_MAX, NUMBERS_MAX},
    member::{
        Bind, Departure, Dismiss, Edit, Enrol, Filter, Merge, Person, Seen, Sex, Sight, State, StateKind,
        Transfer, is_list, is_number,
    },
    stay::Stay,
};

proto_enum!(Sex = pb::Sex { Female, Male });
proto_enum!(StateKind = pb::MemberState { Active, Left, Merged, Erased });

/// The members that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// Which.
    pub filter: Filter,
    /// Which part.
    pub page: Page<Uuid>,
}

impl TryFrom<pb::CreateMemberRequest> for Enrol {
    type Error = api::Error;

    fn try_from(request: pb::CreateMemberRequest) -> Result<Self, api::Error> {
        let asked = request.member.unwrap_or_default();
        Ok(Enrol {
            federation: FederationId::parse(&asked.federation_id, "member.federation_id")?,
            account: account(&asked.account_id, "member.account_id")?,
            club: club(&request.club_id, "club_id")?,
            joined: date(&request.join_date, "join_date")?,
            namesake: request.namesake,
            person: Person {
                name: name(asked.name.as_ref(), "member.name")?,
                sex: sex(asked.sex)?,
                born: date(&asked.birth_date, "member.birth_date")?,
                grade: words(&asked.grade, GRADE_CHARS_MAX, "member.grade")?,
                note: words(&asked.note, NOTE_CHARS_MAX, "member.note")?,
                numbers: numbers(asked.numbers)?,
            },
        })
    }
}

impl TryFrom<pb::UpdateMemberRequest> for Edit {
    type Error = api::Error;

    fn try_from(request: pb::UpdateMemberRequest) -> Result<Self, api::Error> {
        let asked = required(request.member, "member")?;
        let fields = [
            ("name", asked.name.is_some()),
            ("sex", asked.sex != 0),
            ("birth_date", !asked.birth_date.is_empty()),
            ("grade", !asked.grade.is_empty()),
            ("numbers", !asked.numbers.is_empty()),
            ("note", !asked.note.is_empty()),
        ];
        let mask = Mask::of(request.update_mask.as_ref(), &fields)?;
        Ok(Edit {
            id: MemberId::parse(&asked.member_id, "member.member_id")?,
            revision: revision(asked.revision),
            name: mask.get("name", || name(asked.name.as_ref(), "member.name"))?,
            sex: mask.get("sex", || sex(asked.sex))?,
            born: mask.get("birth_date", || date(&asked.birth_date, "member.birth_date"))?,
            grade: mask.get("grade", || words(&asked.grade, GRADE_CHARS_MAX, "member.grade"))?,
            numbers: mask.get("numbers", || numbers(asked.numbers))?,
            note: mask.get("note", || words(&asked.note, NOTE_CHARS_MAX, "member.note"))?,
        })
    }
}

macro_rules! departures {
    ($($request:ident = $how:ident),+) => {
        $(impl TryFrom<pb::$request> for Dismiss {
            type Error = api::Error;

            fn try_from(request: pb::$request) -> Result<Self, api::Error> {
                let id = MemberId::parse(&request.member_id, "member_id")?;
                Ok(Dismiss { id, revision: revision(request.revision), how: Departure::$how })
            }
        })+
    };
}

departures!(DeleteMemberRequest = Leave, ReadmitMemberRequest = Return, EraseMemberRequest = Erase);

impl TryFrom<pb::TransferMemberRequest> for Transfer {
    type Error = api::Error;

    fn try_from(request: pb::TransferMemberRequest) -> Result<Self, api::Error> {
        Ok(Transfer {
            id: MemberId::parse(&request.member_id, "member_id")?,
            revision: revision(request.revision),
            club: club(&request.club_id, "club_id")?,
            day: date(&request.from_date, "from_date")?,
        })
    }
}

impl TryFrom<pb::MergeMembersRequest> for Merge {
    type Error = api::Error;

    fn try_from(request: pb::MergeMembersRequest) -> Result<Self, api::Error> {
        let keep = MemberId::parse(&request.keep_id, "keep_id")?;
        Ok(Merge { keep, double: MemberId::parse(&request.double_id, "double_id")? })
    }
}

impl TryFrom<pb::BindAccountRequest> for Bind {
    type Error = api::Error;

    fn try_from(request: pb::BindAccountRequest) -> Result<Self, api::Error> {
        Ok(Bind {
            id: MemberId::parse(&request.member_id, "member_id")?,
            revision: revision(request.revision),
            account: account(&request.account_id, "account_id")?,
        })
    }
}

impl TryFrom<pb::ListMembersRequest> for List {
    type Error = api::Error;

    fn try_from(request: pb::ListMembersRequest) -> Result<Self, api::Error> {
        let on = date(&request.as_of_date, "as_of_date")?;
        let state = match request.state {
            0 => StateKind::Active,
            number => StateKind::of(number).ok_or_else(|| unknown("state"))?,
        };
        let filter = Filter {
            federation: FederationId::parse(&request.federation_id, "federation_id")?,
            state,
            club: club(&request.club_id, "club_id")?.map(|club| (club, on)),
            prefix: words(&request.name_prefix, NAME_CHARS_MAX, "name_prefix")?,
            account: account(&request.account_id, "account_id")?,
        };
        let page = Page::of(format!("members/{filter:?}"), request.page_size, &request.page_token)?;
        Ok(List { filter, page })
    }
}

impl From<&Seen> for pb::Member {
    fn from(Seen { member, sight }: &Seen) -> Self {
        let Person { name, sex, born, grade, numbers, note } = &member.person;
        let all = *sight >= Sight::All;
        let account = member.account.filter(|_| *sight >= Sight::Accounts);
        let (left, merged) = match member.state {
            State::Left(day) => (Some(day), None),
            State::Merged(into) => (None, Some(into)),
            State::Active | State::Erased => (None, None),
        };
        pb::Member {
            member_id: member.id.to_string(),
            federation_id: member.federation.to_string(),
            name: told_name(name),
            sex: sex.number(),
            birth_date: told_date(born.filter(|_| all)),
            grade: grade.clone(),
            numbers: numbers.clone(),
            note: if all { note.clone() } else { String::new() },
            account_id: account.map(|account| account.to_string()).unwrap_or_default(),
            state: member.state.kind().number(),
            join_date: day::text(member.joined),
            leave_date: told_date(left),
            merged_into_id: merged.map(|into| into.to_string()).unwrap_or_default(),
            stays: member.stays.iter().map(pb::ClubStay::from).collect(),
            revision: told_revision(member.revision),
        }
    }
}

impl From<&Stay> for pb::ClubStay {
    fn from(stay: &Stay) -> Self {
        pb::ClubStay {
            club_id: stay.club.to_string(),
            from_date: day::text(stay.from),
            to_date: told_date(stay.to),
        }
    }
}

fn told_date(date: Option<Date>) -> String {
    date.map(day::text).unwrap_or_default()
}

fn unknown(field: &str) -> api::Error {
    api::Error::invalid(reason::UNKNOWN_VALUE, field, "none of the values of this field")
}

fn sex(number: i32) -> Result<Option<Sex>, api::Error> {
    Option::<Sex>::of(number).ok_or_else(|| unknown("member.sex"))
}

fn numbers(asked: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, api::Error> {
    let good =
        asked.len() <= NUMBERS_MAX && asked.iter().all(|(list, number)| is_list(list) && is_number(number));
    let message = "8 numbers at most, of 1 to 32 letters, digits and \"-\"; lists of 1 to 16 small letters, digits and \"-\"";
    if good { Ok(asked) } else { Err(api::Error::invalid(reason::BAD_MEMBER, "member.numbers", message)) }
}
