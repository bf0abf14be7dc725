//! Files in parts: sent, imported, and fetched.

use api::federation::v1 as pb;
use chassis::id::FileId;
use sha2::{Digest as _, Sha256};
use tonic::Status;

use crate::fixture::{Fixture, Person, fixtures, reason};

/// A file as its parts are sent.
struct Sending<'a> {
    person: &'a Person,
    federation: &'a str,
    id: String,
    bytes: &'a [u8],
}

impl Sending<'_> {
    fn part(&self, from: usize, to: usize) -> pb::PutFilePartRequest {
        pb::PutFilePartRequest {
            file_id: self.id.clone(),
            federation_id: self.federation.to_owned(),
            size: self.bytes.len() as u64,
            sha256: Sha256::digest(self.bytes).to_vec(),
            offset: from as u64,
            data: self.bytes[from..to].to_vec(),
        }
    }

    async fn put(&self, from: usize, to: usize) -> Result<u64, Status> {
        self.put_part(self.part(from, to)).await
    }

    async fn put_part(&self, part: pb::PutFilePartRequest) -> Result<u64, Status> {
        Ok(self.person.exchange().put_file_part(part).await?.into_inner().received)
    }
}

fn sending<'a>(fixture: &Fixture, person: &'a Person, federation: &'a str, bytes: &'a [u8]) -> Sending<'a> {
    Sending { person, federation, id: FileId::from(fixture.env.uuid()).to_string(), bytes }
}

/// What an import tells: how often it told how far it is, and what came of it.
async fn import(
    person: &Person,
    request: pb::ImportRosterRequest,
) -> Result<(Vec<pb::ImportProgress>, pb::ImportMembersResponse), Status> {
    use pb::import_roster_response::Told;
    let mut answers = person.exchange().import_roster(request).await?.into_inner();
    let mut progress = Vec::new();
    loop {
        match answers.message().await?.and_then(|answer| answer.told) {
            Some(Told::Progress(it)) => progress.push(it),
            Some(Told::Outcome(outcome)) => return Ok((progress, outcome)),
            None => return Err(Status::internal("it ended without a word")),
        }
    }
}

fn request(person: &Person, sent: &Sending<'_>, validate_only: bool) -> pb::ImportRosterRequest {
    pb::ImportRosterRequest {
        federation_id: sent.federation.to_owned(),
        file_id: sent.id.clone(),
        request_id: person.request(),
        validate_only,
    }
}

pub(crate) async fn export(
    person: &Person,
    federation: &str,
    offset: u64,
    sha256: Vec<u8>,
) -> Result<(Vec<pb::FilePart>, Vec<u8>), Status> {
    let request = pb::ExportRosterRequest {
        federation_id: federation.to_owned(),
        byte_order_mark: false,
        offset,
        sha256,
    };
    let mut answers = person.exchange().export_roster(request).await?.into_inner();
    let (mut parts, mut bytes) = (Vec::new(), Vec::new());
    while let Some(answer) = answers.message().await? {
        let part = answer.part.expect("a part");
        assert_eq!(part.offset, offset + bytes.len() as u64);
        bytes.extend_from_slice(&part.data);
        parts.push(part);
    }
    Ok((parts, bytes))
}

#[tokio::test]
async fn a_file_is_sent_in_parts_and_goes_on_where_it_stopped() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let file = b"name,number:fide\nAnna,1\nBo,2\n";
        let sent = sending(&fixture, founder, id, file);
        assert_eq!(sent.put(0, 10).await.expect("taken"), 10);
        assert_eq!(sent.put(0, 10).await.expect("known"), 10, "{}", fixture.kind);
        let gap = sent.put(12, 14).await;
        assert_eq!(reason(gap.clone()), "BAD_FILE_OFFSET");
        let status = gap.expect_err("a gap");
        let details = tonic_types::StatusExt::get_details_error_info(&status).expect("details");
        assert_eq!(details.metadata["received"], "10");
        assert_eq!(reason(import(founder, request(founder, &sent, false)).await), "BAD_FILE");
        assert_eq!(sent.put(4, 20).await.expect("what is new of it"), 20);
        assert_eq!(sent.put(0, 0).await.expect("asked"), 20);
        let other = pb::PutFilePartRequest { size: 100, ..sent.part(20, 21) };
        assert_eq!(reason(sent.put_part(other).await), "BAD_FILE");
        assert_eq!(sent.put(20, file.len()).await.expect("whole"), file.len() as u64);
        let (_, outcome) = import(founder, request(founder, &sent, false)).await.expect("imported");
        assert_eq!(outcome.created, 2);
    }
}

#[tokio::test]
async fn what_is_not_what_was_said_is_not_imported() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let sent = sending(&fixture, founder, id, b"name\nAnna\n");
        let forged = pb::PutFilePartRequest { data: b"name\nEvil\n".to_vec(), ..sent.part(0, 10) };
        sent.put_part(forged).await.expect("nobody can tell yet");
        assert_eq!(reason(import(founder, request(founder, &sent, false)).await), "BAD_FILE");
        let never = Sending { id: founder.request(), ..sending(&fixture, founder, id, b"x") };
        assert_eq!(reason(import(founder, request(founder, &never, false)).await), "UNKNOWN_FILE");
        // Others' files are nobody else's, and whoever keeps no members sends none.
        let stranger = fixture.person("stranger");
        let theirs = Sending { person: &stranger, ..sending(&fixture, &stranger, id, b"name\n") };
        assert_eq!(reason(theirs.put(0, 5).await), "NOT_AN_OFFICIAL");
        assert_eq!(reason(import(&stranger, request(&stranger, &sent, false)).await), "NOT_AN_OFFICIAL");
        assert_eq!(reason(export(&stranger, id, 0, Vec::new()).await), "NOT_AN_OFFICIAL");
        let huge = pb::PutFilePartRequest { size: 100 << 20, ..sent.part(0, 1) };
        let huge = pb::PutFilePartRequest { file_id: founder.request(), ..huge };
        assert_eq!(reason(sent.put_part(huge).await), "BAD_FILE");
        for _ in 0..7 {
            let more = sending(&fixture, founder, id, b"name\n");
            more.put(0, 1).await.expect("there is room");
        }
        let one_more = sending(&fixture, founder, id, b"name\n");
        assert_eq!(reason(one_more.put(0, 1).await), "TOO_MANY_FILES", "{}", fixture.kind);
    }
}

#[tokio::test]
async fn a_large_roster_is_imported_with_progress_once_and_comes_out_again() {
    for fixture in fixtures().await {
        let federation = fixture.federation().await;
        let (founder, id) = (&federation.founder, &federation.id);
        let lines: Vec<String> =
            (0..3_000).map(|number| format!("Player number {number},{number},=1+{number}")).collect();
        let file = format!("name,number:fide,note\n{}\n", lines.join("\n"));
        let sent = sending(&fixture, founder, id, file.as_bytes());
        sent.put(0, file.len()).await.expect("sent");
        let (_, preview) = import(founder, request(founder, &sent, true)).await.expect("a preview");
        assert_eq!((preview.created, preview.problem_count), (3_000, 0), "{}", fixture.kind);
        let asked = request(founder, &sent, false);
        let (progress, outcome) = import(founder, asked.clone()).await.expect("imported");
        assert_eq!(outcome.created, 3_000);
        assert!(progress.iter().any(|it| it.total == 3_000), "{progress:?}");
        assert!(progress.is_sorted_by_key(|it| (it.step, it.done)), "{progress:?}");
        let (_, again) = import(founder, asked).await.expect("told again");
        assert_eq!(again, outcome, "the same request is answered and not repeated");

        let (parts, bytes) = export(founder, id, 0, Vec::new()).await.expect("exported");
        assert!(bytes.starts_with(b"id,name,latin,"));
        assert_eq!(Sha256::digest(&bytes)[..], parts[0].sha256);
        let (_, rest) = export(founder, id, 1_000, parts[0].sha256.clone()).await.expect("the rest");
        assert_eq!(rest, bytes[1_000..]);
        assert_eq!(reason(export(founder, id, 1_000, vec![7; 32]).await), "FILE_CHANGED");
        let beyond = export(founder, id, bytes.len() as u64 + 1, Vec::new()).await;
        assert_eq!(reason(beyond), "BAD_FILE_OFFSET");

        let back = sending(&fixture, founder, id, &bytes);
        back.put(0, bytes.len()).await.expect("sent");
        let (_, outcome) = import(founder, request(founder, &back, false)).await.expect("imported");
        assert_eq!((outcome.created, outcome.changed, outcome.unchanged), (0, 0, 3_000));
    }
}
