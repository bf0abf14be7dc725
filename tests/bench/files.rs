//! How soon large files of federations are taken in and made: ten thousand members, an event of a thousand players, and its
//! crosstable as a page.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use api::{
    federation::v1::{
        self as pb, document_service_client::DocumentServiceClient,
        exchange_service_client::ExchangeServiceClient,
    },
    transport::Transport,
};
use chassis::Env;
use sha2::{Digest as _, Sha256};
use tests::{Platform, held::Federation};
use tokio::time::Instant;

/// Members of the file.
const MEMBERS: u32 = 10_000;
/// Players of the event.
const PLAYERS: u32 = 1_000;
/// Its rounds.
const ROUNDS: u32 = 9;
/// Whoever imports a file looks at its bar; longer than this he goes away.
const IMPORT_MAX: Duration = Duration::from_secs(5);
/// Whoever asks for a page waits for it.
const PAGE_MAX: Duration = Duration::from_secs(1);
/// Bytes of a part that is sent.
const PART: usize = 512 << 10;

/// What was measured.
pub(crate) struct Files {
    /// Until ten thousand members were taken in, from the first part of their file on; and how often it was told how far.
    pub members: (Duration, usize),
    /// The same of the event.
    pub event: (Duration, usize),
    /// Until the crosstable of all its players was there, and its size in bytes.
    pub page: (Duration, usize),
}

impl Files {
    /// Whether it is within its limits.
    pub(crate) fn judge(&self) -> anyhow::Result<()> {
        for (what, (took, told)) in [("the members", self.members), ("the event", self.event)] {
            ensure!(took <= IMPORT_MAX, "{what} took {took:.2?}, more than {IMPORT_MAX:?}");
            ensure!(told > 0, "nobody was told how far {what} were");
        }
        let took = self.page.0;
        ensure!(took <= PAGE_MAX, "the page took {took:.2?}, more than {PAGE_MAX:?}");
        Ok(())
    }
}

/// Takes the files in and has the page made.
pub(crate) async fn taken(platform: &Platform) -> anyhow::Result<Files> {
    let federation = Federation::new(&platform.transport(), "A federation of many", "").await;
    let office = federation.founder.player.transport();
    let lines = (1..=MEMBERS).map(|number| format!("Member number {number},{number}\n"));
    let roster: String = std::iter::once("name,number:fide\n".to_owned()).chain(lines).collect();
    let began = Instant::now();
    let told = import_roster(&office, &federation.id, roster.as_bytes()).await?;
    let members = (began.elapsed(), told);
    let report = report();
    let event_id = Env::system().uuid().to_string();
    let began = Instant::now();
    let told = import_event(&office, &federation.id, &event_id, report.as_bytes()).await?;
    let event = (began.elapsed(), told);
    let began = Instant::now();
    let request = pb::RenderDocumentRequest {
        event_id,
        kind: pb::DocumentKind::Crosstable.into(),
        ..pb::RenderDocumentRequest::default()
    };
    let answer = DocumentServiceClient::new(office)
        .max_decoding_message_size(api::client::ANSWER_BYTES_MAX)
        .render_document(request)
        .await?
        .into_inner();
    Ok(Files { members, event, page: (began.elapsed(), answer.html.len()) })
}

/// A report of somebody else's event: everybody meets a neighbour, and the first of the two wins.
fn report() -> String {
    let mut report = format!("012 A thousand players\r142 {ROUNDS}\r");
    for number in 1..=PLAYERS {
        let name = format!("Member number {number}");
        let points = if number % 2 == 1 { ROUNDS } else { 0 };
        let head = format!(
            "001 {number:>4}      {name:<33} 1900 CHN {number:>11}            {points:>2}.0 {number:>4}"
        );
        let games = (0..ROUNDS).map(|round| game(number, round));
        report.extend(std::iter::once(head).chain(games).chain(std::iter::once("\r".to_owned())));
    }
    report
}

/// What somebody has in a round: those of odd numbers meet those of even ones, each time another.
fn game(number: u32, round: u32) -> String {
    let boards = PLAYERS / 2;
    let (opponent, colour, result) = if number % 2 == 1 {
        (2 * (number.div_ceil(2) - 1 + round) % (2 * boards) + 2, 'w', '1')
    } else {
        (2 * ((number / 2 - 1 + boards - round) % boards) + 1, 'b', '0')
    };
    format!("  {opponent:>4} {colour} {result}")
}

async fn send(office: &Transport, federation: &str, bytes: &[u8]) -> anyhow::Result<String> {
    let file_id = Env::system().uuid().to_string();
    let mut exchange = ExchangeServiceClient::new(office.clone());
    for (at, data) in bytes.chunks(PART).enumerate() {
        let part = pb::PutFilePartRequest {
            file_id: file_id.clone(),
            federation_id: federation.to_owned(),
            size: bytes.len() as u64,
            sha256: Sha256::digest(bytes).to_vec(),
            offset: (at * PART) as u64,
            data: data.to_vec(),
        };
        exchange.put_file_part(part).await?;
    }
    Ok(file_id)
}

/// Imports members, and counts how often it is told how far that is.
async fn import_roster(office: &Transport, federation: &str, bytes: &[u8]) -> anyhow::Result<usize> {
    use pb::import_roster_response::Told;
    let request = pb::ImportRosterRequest {
        federation_id: federation.to_owned(),
        file_id: send(office, federation, bytes).await?,
        request_id: Env::system().uuid().to_string(),
        validate_only: false,
    };
    let mut answers = ExchangeServiceClient::new(office.clone()).import_roster(request).await?.into_inner();
    let mut told = 0;
    while let Some(answer) = answers.message().await? {
        match answer.told.context("an answer")? {
            Told::Progress(_) => told += 1,
            Told::Outcome(outcome) => {
                ensure!(outcome.created == MEMBERS, "{} members, not {MEMBERS}", outcome.created);
            }
        }
    }
    Ok(told)
}

/// The same of an event.
async fn import_event(
    office: &Transport,
    federation: &str,
    event_id: &str,
    bytes: &[u8],
) -> anyhow::Result<usize> {
    use pb::import_event_response::Told;
    let request = pb::ImportEventRequest {
        federation_id: federation.to_owned(),
        file_id: send(office, federation, bytes).await?,
        event_id: event_id.to_owned(),
        statement: "measured".to_owned(),
        game: Some(pb::EventGame { variant: "go".to_owned(), ..pb::EventGame::default() }),
        ..pb::ImportEventRequest::default()
    };
    let mut answers = ExchangeServiceClient::new(office.clone()).import_event(request).await?.into_inner();
    let mut told = 0;
    while let Some(answer) = answers.message().await? {
        match answer.told.context("an answer")? {
            Told::Progress(_) => told += 1,
            Told::Outcome(outcome) => {
                ensure!(outcome.games == PLAYERS / 2 * ROUNDS, "{} games", outcome.games);
            }
        }
    }
    Ok(told)
}
