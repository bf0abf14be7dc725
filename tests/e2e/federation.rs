//! `shoutan federation`: what an administrator does from the terminal, on the real processes.

use std::{fs, time::Duration};

use api::{
    client::{Credentials, Player},
    identity::v1::{GetMyAccountRequest, identity_service_client::IdentityServiceClient},
};
use serde_json::Value;
use tests::{Platform, command, ids, opposite_shapes};

const PASSWORD: &str = "correct horse battery";

/// A terminal at a platform, with a folder for files.
struct Terminal<'a> {
    platform: &'a Platform,
    folder: tempfile::TempDir,
}

impl<'a> Terminal<'a> {
    fn new(platform: &'a Platform) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("password"), PASSWORD).expect("it is written");
        Terminal { platform, folder }
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Makes an account as a script does.
    async fn makes_account(&self, name: &str) {
        let password = self.file("password");
        let arguments =
            ["account", "create", name, "--server", &self.platform.url, "--password-file", &password];
        let output = command(&arguments).await.expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    async fn account(&self, name: &str) -> Player {
        let credentials = Credentials::New { name: name.to_owned(), password: PASSWORD.to_owned() };
        Player::sign_in(self.platform.transport(), credentials, ids()).await.expect("an account")
    }

    /// What a command says, and whether it ended well.
    async fn say(&self, who: &str, words: &[&str]) -> (bool, String, String) {
        let password = self.file("password");
        let mut arguments = vec!["federation", "--server", &self.platform.url];
        if !who.is_empty() {
            arguments.extend(["--as", who, "--password-file", &password]);
        }
        arguments.extend(words);
        let output = command(&arguments).await.expect("the command runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    /// The JSON that a command prints.
    async fn json(&self, who: &str, words: &[&str]) -> Value {
        let (well, said, failed) = self.say(who, &[words, &["--json"]].concat()).await;
        assert!(well, "{words:?}: {failed}");
        serde_json::from_str(&said).expect("it is JSON")
    }

    /// Why a command is refused.
    async fn refused(&self, who: &str, words: &[&str]) -> String {
        let (well, said, failed) = self.say(who, words).await;
        assert!(!well, "{words:?}: {said}");
        failed
    }
}

fn id(value: &Value, field: &str) -> String {
    value[field].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_federation_is_run_from_the_terminal() {
    for (shape, store) in opposite_shapes() {
        let platform = Platform::start(shape, store).await.expect("the platform starts");
        let at = Terminal::new(&platform);
        let arbiter = at.account("referee").await;
        let chair = "chairwoman";
        let unknown = at.refused(chair, &["found", "A"]).await;
        assert!(unknown.contains("`shoutan account create chairwoman`"), "{unknown}");
        at.makes_account(chair).await;
        let found = ["found", "བོད་མིག་མངས", "--latin", "Tibetan Jiu", "--open"];
        let federation = id(&at.json(chair, &found).await, "federation");
        let club = id(&at.json(chair, &["club", "add", &federation, "阿坝", "--latin", "Aba"]).await, "club");

        fs::write(at.file("bad.csv"), "name,latin,birth_date\n阿坝,,\nAnna,,yesterday\n").expect("written");
        let (well, said, _) =
            at.say(chair, &["member", "import", &federation, &at.file("bad.csv"), "--check"]).await;
        assert!(!well && said.contains("BAD_ORGANISATION_NAME") && said.contains("BAD_DATE"), "{said}");
        let refused = at.refused(chair, &["member", "import", &federation, &at.file("bad.csv")]).await;
        assert!(refused.contains("BAD_IMPORT"), "{refused}");
        fs::write(at.file("good.csv"), "\u{feff}name,latin,club\nབཀྲ་ཤིས,Tashi,Aba\nAnna,,\n")
            .expect("written");
        for (created, unchanged) in [(2, 0), (0, 2)] {
            let counts = at.json(chair, &["member", "import", &federation, &at.file("good.csv")]).await;
            assert_eq!((&counts["created"], &counts["unchanged"]), (&created.into(), &unchanged.into()));
        }
        let (well, table, _) = at.say("", &["member", "list", &federation]).await;
        assert!(well && table.lines().count() == 3 && table.contains("བཀྲ་ཤིས"), "{table}");
        let there = at.json("", &["member", "list", &federation, "--club", &club]).await;
        assert_eq!(there.as_array().map(Vec::len), Some(1));

        let tashi = id(&there[0], "member");
        let refused = at.refused("referee", &["member", "edit", &tashi, "--grade", "9d"]).await;
        assert!(refused.contains("NOT_AN_OFFICIAL"), "{refused}");
        assert_eq!(at.json(chair, &["member", "edit", &tashi, "--grade", "5d"]).await["grade"], "5d");
        let code = id(&at.json(chair, &["invite", &federation, "--member", &tashi]).await, "code");
        assert_eq!(at.json("referee", &["join", &code]).await["member"], tashi.as_str());
        assert_eq!(at.json("referee", &["mine"]).await[0]["member"], tashi.as_str());
        let team = ["team", "add", &federation, "Lions", "--captain", &tashi, "--players", &tashi];
        assert_eq!(at.json(chair, &team).await["captain"], tashi.as_str());

        let grant = ["officials", "grant", &federation, "referee", "chief-arbiter"];
        at.json(chair, &grant).await;
        roles(&arbiter, 1).await;
        at.json(chair, &["officials", "revoke", &federation, "referee", "chief-arbiter"]).await;
        words(&at, chair, &federation).await;
        roles(&arbiter, 0).await;
        let alone = at.refused(chair, &["officials", "revoke", &federation, chair, "administrator"]).await;
        assert!(alone.contains("LAST_ADMINISTRATOR"), "{alone}");
    }
}

/// Words of the federation's own: fetched, translated, written, found again, and taken away.
async fn words(at: &Terminal<'_>, chair: &str, federation: &str) {
    let show = ["words", "show", federation, "--lang", "bo", "--area", "papers"];
    let (well, shown, failed) = at.say("", &show).await;
    assert!(well && shown.starts_with("[bo.papers]\n"), "{shown}{failed}");
    assert!(
        shown.contains("round = \"第{round}轮\""),
        "whoever translates is shown what stands there: {shown}"
    );
    let tibetan = "[bo.papers]\nround = \"སྐོར་བ་{round}\"\n";
    let file = at.file("words.toml");
    fs::write(&file, format!("{tibetan}[mn-Mong.papers]\nround = \"{{round}} ᠲᠣᠭᠤᠷᠢᠭ\"\n"))
        .expect("it is written");
    let written = at.json(chair, &["words", "write", federation, &file]).await;
    let told = |at: usize| (written[at]["language"].as_str(), written[at]["words"].as_u64());
    assert_eq!([told(0), told(1)], [(Some("bo"), Some(1)), (Some("mn-Mong"), Some(1))]);
    let own = ["words", "show", federation, "--lang", "bo", "--own"];
    assert_eq!(at.say("", &own).await.1, tibetan);
    fs::write(&file, "[bo.papers]\nround = \"no place\"\n").expect("it is written");
    assert!(at.refused(chair, &["words", "write", federation, &file]).await.contains("BAD_WORDS"));
    at.json(chair, &["words", "remove", federation, "mn-Mong"]).await;
    let left = at.json("", &["words", "list", federation]).await;
    assert_eq!((left.as_array().map(Vec::len), left[0]["language"].as_str()), (Some(1), Some("bo")));
}

/// Waits until identity says that the account has so many roles.
async fn roles(player: &Player, count: usize) {
    let identity = IdentityServiceClient::new(player.transport());
    let told = async {
        loop {
            let account = identity.clone().get_my_account(GetMyAccountRequest {}).await.expect("an account");
            if account.into_inner().roles.len() == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), told).await.expect("identity is told");
}
