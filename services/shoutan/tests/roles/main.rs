//! `shoutan roles` as a process, on the database of a service that is running.

use std::{
    path::PathBuf,
    process::{Command, Output},
    sync::Arc,
};

use api::{
    identity::v1::{RegisterGuestRequest, RegisterRequest, identity_service_client::IdentityServiceClient},
    transport::{Transport, over},
};
use chassis::{
    Database, Env, Lifecycle,
    auth::{ClusterKey, Credential, Verifier},
};

const PASSWORD: &str = "correct horse battery";
const EVENT: &str = "0190a3c4-0000-7000-8000-00000000002a";
const FEDERATION: &str = "0190a3c4-0000-7000-8000-00000000002b";

/// A running identity service on a data folder of its own.
struct Platform {
    folder: PathBuf,
    env: Env,
    transport: Transport,
}

impl Drop for Platform {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.folder);
    }
}

impl Platform {
    async fn new() -> Self {
        chassis::install_crypto();
        let env = Env::system();
        let folder = std::env::temp_dir().join(format!("shoutan-roles-{}", env.uuid()));
        std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
        let url = format!("sqlite://{}", folder.join("identity.db").display());
        let database = Database::open(&url).await.expect("a new SQLite file opens");
        let live = live::connect(&live::Config::new("memory").expect("a place")).await.expect("memory");
        let routes = identity::bind(identity::Deps {
            env: env.clone(),
            database,
            vault: chassis::Vault::open_to_all(),
            live,
            lifecycle: Lifecycle::new(),
            hash_cost: identity::HashCost::LEAST,
            limits: identity::Limits::default(),
        });
        let transport = over(routes.await.expect("binds").public.prepare());
        Platform { folder, env, transport }
    }

    fn client(&self) -> IdentityServiceClient<Transport> {
        IdentityServiceClient::new(self.transport.clone())
    }

    async fn register(&self, name: &str) {
        let (name, password) = (name.to_owned(), PASSWORD.to_owned());
        let request = RegisterRequest { name, password, request_id: self.env.uuid().to_string(), bot: false };
        self.client().register(request).await.expect("registers");
    }

    /// The roles in the next token of an account.
    async fn roles(&self, name: &str) -> Vec<String> {
        let request = api::identity::v1::SignInRequest {
            name: name.to_owned(),
            password: PASSWORD.to_owned(),
            device_mark: String::new(),
        };
        let session = self.client().sign_in(request).await.expect("signs in").into_inner().session;
        let cluster = ClusterKey::random(&self.env);
        let verifier = Arc::new(Verifier::new(self.transport.clone(), cluster, self.env.clone()));
        match verifier.credential(&session.expect("a session").access_token).await {
            Credential::Account(caller) => caller.roles.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn shoutan(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shoutan"));
        command.env("SHOUTAN_LANGUAGE", "en");
        command.args(line.split(' ')).arg("--data").arg(&self.folder).env_remove("SHOUTAN_DATABASE");
        command.output().expect("it runs")
    }

    /// What a command says that does what it should.
    #[track_caller]
    fn done(&self, line: &str) -> String {
        let output = self.shoutan(line);
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).expect("it says text")
    }

    /// Why a command does not do it.
    #[track_caller]
    fn refused(&self, line: &str) -> String {
        let output = self.shoutan(line);
        assert!(!output.status.success() && output.stdout.is_empty(), "{line}: {output:?}");
        String::from_utf8(output.stderr).expect("it says text")
    }
}

#[tokio::test]
async fn a_role_comes_and_goes_with_the_next_token() {
    let platform = Platform::new().await;
    platform.register("Anna").await;
    platform.register("bert").await;
    let (deputy, committee) = (format!("deputy@event:{EVENT}"), format!("committee@federation:{FEDERATION}"));
    let day = platform.env.now().date();
    let line = |grant: &str| format!("Anna  {grant}  since {day}\n");
    for _ in 0..2 {
        assert_eq!(platform.done(&format!("roles grant anna deputy --event {EVENT}")), line(&deputy));
    }
    let grant = format!("roles grant ANNA committee --federation {FEDERATION}");
    assert_eq!(platform.done(&grant), line(&committee));
    assert_eq!(platform.roles("anna").await, [deputy.clone(), committee.clone()]);
    assert_eq!(platform.roles("bert").await, [""; 0]);

    assert_eq!(platform.done("roles list anna"), line(&committee) + &line(&deputy));
    assert_eq!(platform.done(&format!("roles list --event {EVENT}")), line(&deputy));
    assert_eq!(platform.done(&format!("roles list --federation {FEDERATION}")), line(&committee));
    assert_eq!(platform.done("roles list bert"), "");

    let revoke = format!("roles revoke anna deputy --event {EVENT}");
    assert_eq!(platform.done(&revoke), format!("anna: {deputy} is revoked\n"));
    assert_eq!(platform.done(&revoke), format!("anna: {deputy} was not granted\n"));
    assert_eq!(platform.roles("anna").await, [committee]);
}

#[tokio::test]
async fn what_cannot_be_done_is_said() {
    let platform = Platform::new().await;
    let request = RegisterGuestRequest { request_id: platform.env.uuid().to_string() };
    let guest = platform.client().register_guest(request).await.expect("registers").into_inner();
    let guest = guest.account.expect("an account").name;
    for (line, why) in [
        (format!("roles grant carl arbiter --event {EVENT}"), "shoutan: carl: there is no such account\n"),
        (format!("roles revoke carl arbiter --event {EVENT}"), "shoutan: carl: there is no such account\n"),
        ("roles list carl".to_owned(), "shoutan: carl: there is no such account\n"),
        (
            format!("roles grant {guest} arbiter --event {EVENT}"),
            &*format!("shoutan: {guest}: a guest account has no roles\n"),
        ),
    ] {
        assert_eq!(platform.refused(&line), why);
    }
    for (line, why) in [
        (
            format!("roles grant anna umpire --event {EVENT}"),
            "chief-arbiter, deputy, arbiter, committee, scorer",
        ),
        ("roles grant anna arbiter".to_owned(), "--event <ID>|--federation <ID>"),
        ("roles list".to_owned(), "NAME|--event <ID>|--federation <ID>"),
        ("roles grant anna arbiter --event open".to_owned(), "not a UUID"),
    ] {
        let said = platform.refused(&line);
        assert!(said.contains(why), "{line}: {said}");
    }
}
