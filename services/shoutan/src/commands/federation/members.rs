//! Members, and files of them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};
use api::federation::v1::{
    BindAccountRequest, CreateMemberRequest, DeleteMemberRequest, EraseMemberRequest, ExportRosterRequest,
    GetMemberRequest, ImportRosterRequest, ListMembersRequest, Member, MemberState, MergeMembersRequest,
    ReadmitMemberRequest, Sex, TransferMemberRequest, UpdateMemberRequest, import_roster_response::Told,
};
use clap::ValueEnum;
use futures::StreamExt as _;
use serde_json::json;

use super::{
    print,
    session::{Session, all, ask, mask, name},
    shown::Shown,
};
use crate::commands::files;

/// What is done with members.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Makes somebody a member.
    Add(Add),
    /// Lists the members of a federation.
    List(List),
    /// Shows a member.
    Show {
        /// The member's id.
        member: String,
    },
    /// Changes a member.
    Edit(Edit),
    /// Moves a member to another club, or to none.
    Transfer {
        /// The member's id.
        member: String,
        /// The new club's id; without it the member is in none.
        #[arg(long, default_value = "")]
        club: String,
        /// The first day there, as 2026-12-31; today if it is not said.
        #[arg(long, value_name = "DATE", default_value = "")]
        on: String,
    },
    /// Has a member leave, today.
    Leave {
        /// The member's id.
        member: String,
    },
    /// Takes a member back who has left.
    Readmit {
        /// The member's id.
        member: String,
    },
    /// Forgets a person: of the member the id is left. It cannot be undone.
    Erase {
        /// The member's id.
        member: String,
    },
    /// Gives a member an account, or takes it away.
    Bind {
        /// The member's id.
        member: String,
        /// The name of the account; without it the member has none any more.
        #[arg(default_value = "")]
        account: String,
    },
    /// Makes one member of two who are the same person.
    Merge {
        /// The id of the one who stays.
        keep: String,
        /// The id of the double, which leads to the other for ever.
        double: String,
    },
    /// Takes the members of a CSV file in, all or none.
    ///
    /// The first line names the columns, in any order: id, name, latin, sex (f, m), birth_date (2001-12-31), grade, club
    /// (its id or one of its names), note, and number:LIST for the number in a list (number:fide). The same file twice
    /// changes nothing.
    Import {
        /// The federation's id.
        federation: String,
        /// The file, in UTF-8.
        file: PathBuf,
        /// Only says what it would do, and what is wrong with which line.
        #[arg(long)]
        check: bool,
    },
    /// Writes the members of a federation into a CSV file with the columns that `import` takes.
    ///
    /// Taken in again it changes nothing. Dates of birth and notes are in it for administrators. A cell that a spreadsheet
    /// would take for a formula begins with an apostrophe, which `import` takes off.
    Export {
        /// The federation's id.
        federation: String,
        /// The file, which must not be there yet.
        file: PathBuf,
        /// Begins it with a byte order mark, as Excel wants it where it would take the file for another encoding.
        #[arg(long)]
        byte_order_mark: bool,
    },
}

/// Makes somebody a member.
#[derive(Debug, clap::Args)]
pub(super) struct Add {
    /// The federation's id.
    federation: String,
    /// The name in its own script.
    name: String,
    #[command(flatten)]
    about: About,
    /// The id of the club to be in.
    #[arg(long, default_value = "")]
    club: String,
    /// The day from which he is a member, as 2026-12-31; today if it is not said.
    #[arg(long, value_name = "DATE", default_value = "")]
    joined: String,
    /// The name of the account.
    #[arg(long, default_value = "")]
    account: String,
    /// Somebody of the same name and day of birth is known to be somebody else.
    #[arg(long)]
    namesake: bool,
}

/// Changes a member.
#[derive(Debug, clap::Args)]
pub(super) struct Edit {
    /// The member's id.
    member: String,
    /// The name in its own script.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    about: About,
}

/// What is known of a member beside the name.
#[derive(Debug, clap::Args)]
struct About {
    /// The name in Latin letters, where it is in others.
    #[arg(long)]
    latin: Option<String>,
    /// The sex.
    #[arg(long)]
    sex: Option<SexArg>,
    /// The day of birth, as 2001-12-31.
    #[arg(long, value_name = "DATE")]
    born: Option<String>,
    /// The grade.
    #[arg(long)]
    grade: Option<String>,
    /// A number in a list, such as fide=8600001. May be given several times; an edit replaces them all.
    #[arg(long = "number", value_name = "LIST=NUMBER", value_parser = number)]
    numbers: Vec<(String, String)>,
    /// How to reach the person.
    #[arg(long)]
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SexArg {
    /// Female.
    F,
    /// Male.
    M,
}

/// Which members to list.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// The federation's id.
    federation: String,
    /// Only those whose name begins like this.
    #[arg(default_value = "")]
    prefix: String,
    /// Only those who are in this club; its id.
    #[arg(long, default_value = "")]
    club: String,
    /// The day on which to be in the club, as 2026-12-31; today if it is not said.
    #[arg(long, value_name = "DATE", requires = "club", default_value = "")]
    on: String,
    /// Only those in this state.
    #[arg(long, default_value = "active")]
    state: StateArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StateArg {
    /// Members.
    Active,
    /// Those who left.
    Left,
    /// Doubles.
    Merged,
    /// Those who were forgotten.
    Erased,
}

impl About {
    fn member(&self) -> Member {
        let sex = match self.sex {
            None => Sex::Unspecified,
            Some(SexArg::F) => Sex::Female,
            Some(SexArg::M) => Sex::Male,
        };
        Member {
            sex: sex.into(),
            birth_date: self.born.clone().unwrap_or_default(),
            grade: self.grade.clone().unwrap_or_default(),
            numbers: self.numbers.iter().cloned().collect::<BTreeMap<_, _>>(),
            note: self.note.clone().unwrap_or_default(),
            ..Member::default()
        }
    }
}

/// Carries the command out.
pub(super) async fn run(session: &Session, command: Command) -> anyhow::Result<()> {
    let (client, request_id) = (session.federations(), session.new_id());
    let member = match command {
        Command::List(list) => return print_list(session, list).await,
        Command::Import { federation, file, check } => return import(session, federation, file, check).await,
        Command::Export { federation, file, byte_order_mark } => {
            return export(session, federation, &file, byte_order_mark).await;
        }
        Command::Add(add) => added(session, add).await?,
        Command::Edit(edit) => edited(session, edit).await?,
        Command::Show { member: member_id } => {
            ask!(client, get_member, GetMemberRequest { member_id })?.member
        }
        Command::Transfer { member: member_id, club: club_id, on: from_date } => {
            let request =
                TransferMemberRequest { member_id, club_id, from_date, request_id, ..Default::default() };
            ask!(client, transfer_member, request)?.member
        }
        Command::Leave { member: member_id } => {
            let request = DeleteMemberRequest { member_id, request_id, ..Default::default() };
            ask!(client, delete_member, request)?.member
        }
        Command::Readmit { member: member_id } => {
            let request = ReadmitMemberRequest { member_id, request_id, ..Default::default() };
            ask!(client, readmit_member, request)?.member
        }
        Command::Erase { member: member_id } => {
            let request = EraseMemberRequest { member_id, request_id, ..Default::default() };
            ask!(client, erase_member, request)?.member
        }
        Command::Bind { member: member_id, account } => {
            let account_id = session.account(&account).await?;
            let request = BindAccountRequest { member_id, account_id, request_id, ..Default::default() };
            ask!(client, bind_account, request)?.member
        }
        Command::Merge { keep: keep_id, double: double_id } => {
            let request = MergeMembersRequest { keep_id, double_id, request_id, validate_only: false };
            ask!(client, merge_members, request)?.member
        }
    };
    print::one(session.json, &member.context("the server's answer lacks the member")?.record())
}

async fn added(session: &Session, add: Add) -> anyhow::Result<Option<Member>> {
    let member = Member {
        federation_id: add.federation,
        account_id: session.account(&add.account).await?,
        name: Some(name(add.name, add.about.latin.clone())),
        ..add.about.member()
    };
    let request = CreateMemberRequest {
        member: Some(member),
        club_id: add.club,
        join_date: add.joined,
        namesake: add.namesake,
        request_id: session.new_id(),
        validate_only: false,
    };
    Ok(ask!(session.federations(), create_member, request)?.member)
}

async fn edited(session: &Session, edit: Edit) -> anyhow::Result<Option<Member>> {
    let about = &edit.about;
    let fields = [
        ("name", edit.name.is_some()),
        ("sex", about.sex.is_some()),
        ("birth_date", about.born.is_some()),
        ("grade", about.grade.is_some()),
        ("numbers", !about.numbers.is_empty()),
        ("note", about.note.is_some()),
    ];
    let latin = about.latin.clone();
    let member = Member {
        member_id: edit.member,
        name: edit.name.map(|native| name(native, latin)),
        ..edit.about.member()
    };
    let request = UpdateMemberRequest {
        update_mask: mask(&fields)?,
        member: Some(member),
        request_id: session.new_id(),
        validate_only: false,
    };
    Ok(ask!(session.federations(), update_member, request)?.member)
}

async fn print_list(session: &Session, list: List) -> anyhow::Result<()> {
    let state = match list.state {
        StateArg::Active => MemberState::Active,
        StateArg::Left => MemberState::Left,
        StateArg::Merged => MemberState::Merged,
        StateArg::Erased => MemberState::Erased,
    };
    let request = ListMembersRequest {
        federation_id: list.federation,
        state: state.into(),
        club_id: list.club,
        as_of_date: list.on,
        name_prefix: list.prefix,
        ..Default::default()
    };
    let found = all!(session.federations(), list_members, request, members);
    let records: Vec<_> = found.iter().map(|member: &Member| member.record()).collect();
    print::list(session.json, &records)
}

async fn import(session: &Session, federation: String, file: PathBuf, check: bool) -> anyhow::Result<()> {
    let file_id = files::send(session, &federation, &file).await?;
    let request = ImportRosterRequest {
        federation_id: federation,
        file_id,
        request_id: session.new_id(),
        validate_only: check,
    };
    let bar = files::lines_bar();
    let call = || async {
        let mut answers = session.exchange().import_roster(request.clone()).await?.into_inner();
        while let Some(answer) = answers.message().await? {
            match answer.told {
                Some(Told::Progress(progress)) => files::show(&bar, &progress),
                Some(Told::Outcome(outcome)) => return Ok(tonic::Response::new(outcome)),
                None => {}
            }
        }
        Err(tonic::Status::unavailable("the server ended the import without a word"))
    };
    let answer = api::client::with_retry(api::client::RetryPolicy::default(), call).await;
    bar.finish_and_clear();
    let answer = answer?;
    if !answer.problems.is_empty() {
        let problems: Vec<_> = answer.problems.iter().map(Shown::record).collect();
        print::list(session.json, &problems)?;
        return Err(anyhow!("{}: {} bad lines", file.display(), answer.problem_count));
    }
    let counts = vec![
        ("created", json!(answer.created)),
        ("changed", json!(answer.changed)),
        ("unchanged", json!(answer.unchanged)),
        ("only_checked", json!(check)),
    ];
    print::one(session.json, &counts)
}

async fn export(
    session: &Session,
    federation: String,
    file: &Path,
    byte_order_mark: bool,
) -> anyhow::Result<()> {
    let exchange = session.exchange();
    let ask = async |offset, sha256| {
        let request =
            ExportRosterRequest { federation_id: federation.clone(), byte_order_mark, offset, sha256 };
        let parts = exchange.clone().export_roster(request).await?.into_inner();
        Ok(parts.map(|part| part.map(|it| it.part.unwrap_or_default())).boxed())
    };
    let bytes = files::receive(ask).await?;
    files::write_new(file, &bytes)?;
    print::one(session.json, &vec![("file", json!(file)), ("bytes", json!(bytes.len()))])
}

fn number(text: &str) -> Result<(String, String), String> {
    let (list, number) = text.split_once('=').ok_or("write LIST=NUMBER, such as fide=8600001")?;
    Ok((list.to_owned(), number.to_owned()))
}
