//! Statements, private notes, and arbiters at boards.

use api::federation::v1 as pb;

use crate::{
    fixture::{fixtures, reason},
    held::{change, enter, get_round, held, publish, run, settings},
};

#[tokio::test]
async fn what_players_state_and_arbiters_note_is_read_by_those_who_may() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 4).await;
        run(&held).await;
        publish(&held, 1).await;
        let text = "I was ill, and nobody has helped me.".to_owned();
        let state = change!(
            held,
            players[0],
            file_statement,
            FileStatementRequest { round: 1, table: 1, text: text.clone() }
        );
        state.expect("filed");
        let note = "I have looked at his screen.".to_owned();
        let filed_too =
            change!(held, held.chief, file_statement, FileStatementRequest { text: note.clone() });
        filed_too.expect("noted");
        for (who, request, refused) in [
            (&players[0], pb::FileStatementRequest { round: 1, table: 9, ..filed(&text) }, "UNKNOWN_BOARD"),
            (&players[0], pb::FileStatementRequest { incident: 1, ..filed(&text) }, "UNKNOWN_INCIDENT"),
            (&players[0], filed(" "), "BAD_TEXT"),
            (&fixture.person("stranger"), filed(&text), "EVENT_ROLE_MISSING"),
        ] {
            let request =
                pb::FileStatementRequest { event_id: held.id.clone(), request_id: who.request(), ..request };
            assert_eq!(reason(who.events.clone().file_statement(request).await), refused);
        }
        let notes = pb::ListNotesRequest { event_id: held.id.clone(), ..Default::default() };
        let read = held.chief.events.clone().list_notes(notes.clone()).await.expect("read").into_inner();
        let said: Vec<&str> = read.notes.iter().map(|note| note.text.as_str()).collect();
        assert!(said.ends_with(&[text.as_str(), note.as_str()]), "{}: {said:?}", fixture.kind);
        assert_eq!(reason(players[1].events.clone().list_notes(notes).await), "EVENT_ROLE_MISSING");
        let list = pb::ListLogRequest { event_id: held.id.clone(), page_size: 200, ..Default::default() };
        let log = players[1].events.clone().list_log(list).await.expect("a log").into_inner();
        let has =
            |words: &str| log.entries.iter().any(|it| String::from_utf8_lossy(&it.body).contains(words));
        assert!(!has("nobody has helped") && !has("his screen"), "the log has their hashes alone");
    }
}

fn filed(text: &str) -> pb::FileStatementRequest {
    pb::FileStatementRequest { text: text.to_owned(), ..Default::default() }
}

#[tokio::test]
async fn arbiters_sit_at_boards_and_everybody_sees_who() {
    for fixture in fixtures().await {
        let held = held(&fixture, settings(2)).await;
        let players = enter(&fixture, &held, 4).await;
        let arbiter = fixture.person("arbiter");
        for who in [&arbiter, &players[0]] {
            let (account_id, role) = (who.id(), pb::EventRole::Arbiter.into());
            change!(
                held,
                held.federation.founder,
                appoint_official,
                AppointOfficialRequest { account_id, role }
            )
            .expect("an office");
        }
        run(&held).await;
        publish(&held, 1).await;
        let round = get_round(&arbiter, &held, 1).await.expect("public");
        let own = round.pairings.iter().find(|it| it.first == 1 || it.second == 1).expect("he plays").table;
        let other = 3 - own;
        let seat = async |table: u32, account_ids: Vec<String>| {
            change!(held, held.chief, seat_arbiters, SeatArbitersRequest { round: 1, table, account_ids })
        };
        let two = vec![arbiter.id(), players[0].id()];
        assert_eq!(reason(seat(own, two.clone()).await), "OWN_GAME", "{}", fixture.kind);
        assert_eq!(reason(seat(other, vec![players[1].id()]).await), "BAD_OFFICE");
        assert_eq!(reason(seat(other, vec![arbiter.id(), arbiter.id()]).await), "BAD_OFFICE");
        assert_eq!(reason(seat(other, vec![arbiter.id(); 5]).await), "BAD_OFFICE");
        assert_eq!(reason(seat(9, two.clone()).await), "UNKNOWN_BOARD");
        assert_eq!(reason(seat(other, vec!["x".to_owned()]).await), "BAD_ID");
        seat(other, two.clone()).await.expect("seated");
        let round = get_round(&players[1], &held, 1).await.expect("public");
        assert_eq!(round.pairings[other as usize - 1].arbiter_account_ids, two);
        seat(other, Vec::new()).await.expect("nobody sits there");
        let round = get_round(&players[1], &held, 1).await.expect("public");
        assert!(round.pairings[other as usize - 1].arbiter_account_ids.is_empty());
        let by_player = change!(
            held,
            players[1],
            seat_arbiters,
            SeatArbitersRequest { round: 1, table: other, account_ids: two }
        );
        assert_eq!(reason(by_player), "EVENT_ROLE_MISSING");
    }
}
