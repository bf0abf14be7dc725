//! The games of events and seasons as archives.

use std::io::{Cursor, Read as _};

use api::federation::v1 as pb;
use sha2::{Digest as _, Sha256};
use tonic::Status;

use crate::{
    fixture::{Person, fixtures, reason},
    held::{Held, begin, change, drawn, enter, get_round, held, play, play_board, run, settings},
};

/// An archive, with how many games and records it is said to have.
pub(crate) async fn exported(
    person: &Person,
    request: pb::ExportGamesRequest,
) -> Result<(Vec<u8>, u32, u32), Status> {
    let mut parts = person.exchange().export_games(request).await?.into_inner();
    let (mut bytes, mut counts) = (Vec::new(), (0, 0));
    while let Some(answer) = parts.message().await? {
        bytes.extend_from_slice(&answer.part.expect("a part").data);
        counts = (answer.games, answer.records);
    }
    Ok((bytes, counts.0, counts.1))
}

/// The files of an archive, by their names.
pub(crate) fn unpacked(bytes: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("it opens");
    let mut files = Vec::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).expect("a file");
        let name = file.name().expect("a name").into_owned();
        let mut text = String::new();
        file.read_to_string(&mut text).expect("a text");
        files.push((name, text));
    }
    files
}

fn of(held: &Held, round: u32) -> pb::ExportGamesRequest {
    pb::ExportGamesRequest { event_id: held.id.clone(), round, ..Default::default() }
}

#[tokio::test]
async fn an_archive_has_the_records_of_games_that_are_over_and_names_all_others() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(3)).await;
        enter(&fixture, &held, 5).await;
        let member_id = held.federation.founder.member(&held.federation.id, "Yeye").await.member_id;
        change!(held, held.chief, enter_event, EnterEventRequest { member_id, supplement_version: 1 })
            .expect("entered without an account");
        run(&held).await;
        let anybody = fixture.person("anybody");
        begin(&held, 1).await;
        fixture.games.wait_for(2, &fixture.time).await;
        let round = get_round(&held.chief, &held, 1).await.expect("a round");
        // One board is played in a hall, another here, and the third goes on as everybody sees it.
        let at_hall = |it: &&pb::Pairing| [it.first, it.second].contains(&6);
        let hall = round.pairings.iter().find(at_hall).expect("a board");
        drawn(&held, &held.chief, hall.table).await.expect("entered");
        let here: Vec<&pb::Pairing> = round.pairings.iter().filter(|it| !at_hall(it)).collect();
        play_board(&fixture, &held, here[0]).await;
        play_board(&fixture, &held, here[1]).await;
        fixture.games.show_running(&here[1].game_id, true);

        let (bytes, games, records) = exported(&anybody, of(&held, 0)).await.expect("an archive");
        assert_eq!((games, records), (3, 1), "{}", fixture.kind);
        let files = unpacked(bytes.clone());
        let [(table_name, table), (record_name, record)] = &files[..] else { panic!("two files: {files:?}") };
        assert_eq!(table_name, "games.csv");
        let (stem, ending) = record_name.rsplit_once('.').expect("an ending");
        assert!(stem.starts_with(&format!("round 01/{:03} Player ", here[0].table)), "{record_name}");
        assert_eq!(ending, "sgf");
        assert_eq!(*record, format!("(;GM[1]GN[{}])", here[0].game_id));
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), 4);
        let line = |of: &pb::Pairing| &lines[of.table as usize];
        let [first, second, third] = [line(hall), line(here[0]), line(here[1])];
        assert_eq!((first[7], first[8], first[10], first[11]), ("draw", "draw", "", ""), "{table}");
        assert_eq!((second[7], second[8], second[11]), ("win", "loss", record_name.as_str()));
        assert_eq!((third[10], third[11]), (here[1].game_id.as_str(), ""));

        let rest =
            pb::ExportGamesRequest { offset: 50, sha256: Sha256::digest(&bytes).to_vec(), ..of(&held, 0) };
        assert_eq!(exported(&anybody, rest.clone()).await.expect("the rest").0, bytes[50..]);
        fixture.games.show_running(&here[1].game_id, false);
        assert_eq!(reason(exported(&anybody, rest).await), "FILE_CHANGED", "{}", fixture.kind);
        assert_eq!(exported(&anybody, of(&held, 1)).await.expect("an archive").2, 2);
    }
}

#[tokio::test]
async fn an_archive_tells_no_result_before_the_broadcast_and_nothing_of_what_is_not_there() {
    for fixture in fixtures().await {
        let delay = std::time::Duration::from_mins(10);
        let late =
            pb::EventSettings { broadcast_delay_duration: Some(api::time::duration(delay)), ..settings(3) };
        let held = held(&fixture, late).await;
        enter(&fixture, &held, 4).await;
        run(&held).await;
        begin(&held, 1).await;
        play(&fixture, &held, 1).await;
        let anybody = fixture.person("anybody");
        let results = async |person: &Person| {
            let (bytes, ..) = exported(person, of(&held, 0)).await.expect("an archive");
            unpacked(bytes)[0].1.matches(",win,").count()
        };
        assert_eq!(results(&held.chief).await, 2, "{}: an official sees them", fixture.kind);
        assert_eq!(results(&anybody).await, 0, "{}: nobody else does yet", fixture.kind);
        fixture.time.advance(2 * delay);
        assert_eq!(results(&anybody).await, 2);
        assert_eq!(reason(exported(&anybody, of(&held, 2)).await), "UNKNOWN_ROUND");
        let nowhere =
            pb::ExportGamesRequest { event_id: fixture.env.uuid().to_string(), ..Default::default() };
        assert_eq!(reason(exported(&anybody, nowhere).await), "UNKNOWN_EVENT");
        assert_eq!(reason(exported(&anybody, pb::ExportGamesRequest::default()).await), "BAD_ID");
    }
}
