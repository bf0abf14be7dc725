//! What accounts are told, on the real processes: by a stream that outlives them, and at the terminal.

use api::{
    federation::v1::{
        self as pb, NoticeKind,
        event_format::{Format, Swiss},
        notice_service_client::NoticeServiceClient,
    },
    transport::Transport,
};
use serde_json::Value;
use tests::{
    Platform, bot, call,
    held::{Federation, Held, Person, SOON, settings},
    opposite_shapes,
};
use tonic::Streaming;

type Notices = Streaming<pb::WatchNoticesResponse>;

/// What follows the last that somebody was told.
async fn watch(client: &NoticeServiceClient<Transport>, after_number: u64) -> Notices {
    call!(client, watch_notices, pb::WatchNoticesRequest { after_number }).expect("a stream")
}

/// The next notice, wherever it is to be had.
async fn next(client: &NoticeServiceClient<Transport>, stream: &mut Notices, seen: &mut u64) -> pb::Notice {
    let told = async {
        loop {
            if let Ok(Some(told)) = stream.message().await {
                return told.notice.expect("it tells one");
            }
            *stream = watch(client, *seen).await;
        }
    };
    let notice = tokio::time::timeout(SOON, told).await.expect("he is told soon");
    assert!(notice.number > *seen, "nothing is told twice");
    *seen = notice.number;
    notice
}

/// What `shoutan notices` prints for somebody, line by line or whole.
async fn says(platform: &Platform, who: &Person, words: &[&str]) -> String {
    let output = who.runs(platform, &[&["notices"], words].concat()).await;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

async fn json(platform: &Platform, who: &Person, words: &[&str]) -> Value {
    serde_json::from_str(&says(platform, who, &[words, &["--json"]].concat()).await).expect("it is JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_told_what_concerns_him_whatever_dies_meanwhile() {
    for (shape, store) in opposite_shapes() {
        let mut platform = Platform::start(shape, store).await.expect("the platform starts");
        let transport = platform.transport();
        let federation = Federation::new(&transport, "བོད་མིག་མངས", "Tibetan Jiu").await;
        let person = Person::new(&transport).await;
        let format = Format::Swiss(Swiss { rounds: 2 });
        let mut held = Held::new(&federation, settings(format, 4)).await;
        let other = bot(&transport).await.expect("an account");
        held.enter_new(&federation, vec![person.player.clone(), other]).await;
        let client = NoticeServiceClient::new(person.player.transport());
        let (mut stream, mut seen) = (watch(&client, 0).await, 0);
        held.run().await;
        assert_eq!(next(&client, &mut stream, &mut seen).await.kind(), NoticeKind::EventAdvanced);
        held.pair(1).await;
        held.publish(1).await;
        let public = next(&client, &mut stream, &mut seen).await;
        let about = public.about.clone().expect("it is about the round");
        assert_eq!(public.kind(), NoticeKind::RoundPublished);
        assert_eq!((about.event_id, about.number, about.opponent), (held.id.clone(), 1, 2));

        let names = platform.names();
        let name = names.iter().find(|name| **name == "federation").or(names.first()).expect("a process");
        platform.kill(name).await.expect("it can be killed");
        platform.restart(name).await.expect("it comes up again");
        held.begin_round(1).await;
        assert_eq!(next(&client, &mut stream, &mut seen).await.kind(), NoticeKind::RoundBegun);

        let all = json(&platform, &person, &[]).await;
        let kinds: Vec<&str> =
            all.as_array().expect("a list").iter().filter_map(|it| it["kind"].as_str()).collect();
        assert_eq!(kinds, ["event-advanced", "round-published", "round-begun"]);
        let (first, last) = (&all[0], &all[2]);
        assert_eq!(
            (&first["where"], &first["text"]),
            (&"Aba Open".into(), &"the event is in the stage running".into())
        );
        assert_eq!(last["text"], "entrant 1: round 1 has begun: table 1 against 2");
        let followed = says(&platform, &person, &["--follow", "--after", "1", "--count", "2"]).await;
        let lines: Vec<&str> = followed.lines().collect();
        assert!(
            lines.len() == 2 && lines[0].contains("Aba Open: entrant 1: round 1 is public"),
            "{followed}"
        );
        assert_eq!(json(&platform, &person, &["read", "2"]).await["unread"], 2);
        assert_eq!(json(&platform, &person, &["--unread"]).await.as_array().map(Vec::len), Some(2));
        assert_eq!(json(&platform, &person, &["read"]).await["unread"], 0);
        assert_eq!(says(&platform, &person, &["--unread"]).await.trim(), "none");
        let committee = json(&platform, &federation.founder, &[]).await;
        assert!(!committee.to_string().contains("round-begun"), "nobody reads what another is told");
    }
}
