//! Nothing secret is logged, whatever is called and however it ends.

use std::{io, sync::Arc, time::Duration};

use api::identity::v1::{
    ChangePasswordRequest, CreateAccessTokenRequest, ExchangeAccessTokenRequest, GetMyAccountRequest,
    ListAccessTokensRequest, ListKeysRequest, LookUpAccountsRequest, RefreshRequest, RegisterRequest,
    RevokeAccessTokenRequest, Role, RotateKeyRequest, Session, SignOutEverywhereRequest, SignOutRequest,
    UpgradeGuestRequest,
};
use chassis::testing::databases;
use identity::HashCost;
use live::testing::Intercept;
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait as _, Statement};
use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt as _};

use crate::{
    fixture::{Fixture, WIDE, plain, sign_in},
    outage::Outage,
    roles::{grant, in_event},
};

/// Where the log goes.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock()).into_owned()
    }
}

/// Everything that must not be seen.
#[derive(Default)]
struct Secrets(Vec<String>);

impl Secrets {
    fn word(&mut self, word: &str) -> String {
        self.0.push(word.to_owned());
        word.to_owned()
    }

    fn session(&mut self, session: Option<Session>) -> Session {
        let session = session.expect("a session");
        self.word(&session.access_token);
        self.word(&session.refresh_token);
        session
    }
}

/// The subscriber is the whole process's, so that it sees every thread; what the other tests log at the same
/// time does no harm.
#[tokio::test]
async fn no_secret_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    let ours = EnvFilter::new("identity=trace,chassis=trace,live=trace,api=trace,info");
    let layer = fmt::layer().with_ansi(false).with_writer(move || writer.clone());
    let subscriber = tracing_subscriber::registry().with(ours).with(layer);
    tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
    let mut secrets = Secrets::default();
    for database in databases().await {
        // Without a live state, so that the warnings about that are seen, too.
        let fixture = Fixture::new(database, WIDE, HashCost::LEAST, Intercept::new(Outage::Gone)).await;
        let session = accounts(&fixture, &mut secrets).await;
        tokens(&fixture, &mut secrets, &session).await;
        stored(&fixture, &mut secrets).await;
        failures(&fixture, &mut secrets).await;
    }
    let text = log.text();
    assert!(text.contains("an account was made"), "the log is written: {text}");
    assert!(text.contains("a refresh token was used twice"), "so are warnings: {text}");
    assert!(text.contains("the database does not answer"), "and errors: {text}");
    assert!(secrets.0.len() > 20);
    for secret in secrets.0 {
        assert!(!text.contains(&secret), "a secret is in the log: {secret}");
    }
}

/// Registering, signing in, refreshing, changing a password.
async fn accounts(fixture: &Fixture, secrets: &mut Secrets) -> Session {
    let password = secrets.word("unmistakable password one");
    let mut client = fixture.client();
    let register = RegisterRequest { password: password.clone(), ..fixture.register_request("anna") };
    let answer = client.register(register.clone()).await.expect("registers").into_inner();
    let first = secrets.session(answer.session);
    let again = client.register(register).await.expect("repeats").into_inner();
    secrets.session(again.session);
    let too_long = secrets.word(&"unmistakably long".repeat(20));
    let bad = RegisterRequest { password: too_long, ..fixture.register_request("bert") };
    client.register(bad).await.expect_err("is refused");

    let signed_in = client.sign_in(sign_in("anna", &password)).await.expect("signs in").into_inner();
    let signed_in = secrets.session(signed_in.session);
    let wrong = secrets.word("unmistakable guess");
    client.sign_in(sign_in("anna", &wrong)).await.expect_err("is refused");
    client.sign_in(sign_in("nobody", &wrong)).await.expect_err("is refused");
    client.sign_in(sign_in(&wrong, &wrong)).await.expect_err("is refused");

    let refresh = |token: &Session| RefreshRequest {
        refresh_token: token.refresh_token.clone(),
        request_id: fixture.request_id(),
    };
    let next = client.refresh(refresh(&first)).await.expect("refreshes").into_inner();
    let next = secrets.session(next.session);
    fixture.time.advance(Duration::from_secs(11));
    client.refresh(refresh(&first)).await.expect_err("is reuse");
    client.refresh(refresh(&next)).await.expect_err("is over");
    client.sign_out(SignOutRequest { refresh_token: next.refresh_token }).await.expect("signs out");

    let new_password = secrets.word("unmistakable password two");
    let change = ChangePasswordRequest { old_password: password, new_password };
    let mut owner = fixture.signed_in(&signed_in).await;
    let changed = owner.change_password(change.clone()).await.expect("changes").into_inner();
    owner.change_password(change).await.expect_err("is refused");

    let (_, guest) = fixture.guest().await;
    let guest = secrets.session(Some(guest));
    let password = secrets.word("unmistakable password three");
    let upgrade = UpgradeGuestRequest { name: "carl".to_owned(), password, request_id: fixture.request_id() };
    let mut client = fixture.signed_in(&guest).await;
    let upgraded = client.upgrade_guest(upgrade).await.expect("upgrades").into_inner();
    secrets.session(upgraded.session);
    secrets.session(changed.session)
}

/// Personal access tokens, keys, and the rest.
async fn tokens(fixture: &Fixture, secrets: &mut Secrets, session: &Session) {
    let mut owner = fixture.signed_in(session).await;
    let order = CreateAccessTokenRequest {
        label: "bot".to_owned(),
        scopes: vec!["play".to_owned()],
        lifetime_duration: None,
        request_id: fixture.request_id(),
    };
    let made = owner.create_access_token(order).await.expect("creates").into_inner();
    let secret = secrets.word(&made.secret);
    let exchange = ExchangeAccessTokenRequest { secret: secret.clone() };
    let mut client = fixture.client();
    let exchanged = client.exchange_access_token(exchange.clone()).await.expect("exchanges").into_inner();
    secrets.word(&exchanged.access_token);
    owner.get_my_account(plain::<GetMyAccountRequest>()).await.expect("gets");
    owner.list_access_tokens(plain::<ListAccessTokensRequest>()).await.expect("lists");
    let id = made.access_token.expect("a token").id;
    owner.revoke_access_token(RevokeAccessTokenRequest { id }).await.expect("revokes");
    client.exchange_access_token(exchange).await.expect_err("is refused");
    client.list_keys(plain::<ListKeysRequest>()).await.expect("lists");
    client.look_up_accounts(plain::<LookUpAccountsRequest>()).await.expect("looks up");
    fixture.as_service().rotate_key(plain::<RotateKeyRequest>()).await.expect("rotates");
    roles(fixture, secrets).await;
    owner.sign_out_everywhere(plain::<SignOutEverywhereRequest>()).await.expect("signs out");
}

/// Roles, and a token that speaks of them.
async fn roles(fixture: &Fixture, secrets: &mut Secrets) {
    let (account, session) = fixture.register("emil").await;
    let mut request = in_event(&account.id, Role::Arbiter, fixture.env.uuid().into());
    grant(fixture, &request).await;
    let session = secrets.session(Some(session));
    let refresh = RefreshRequest { refresh_token: session.refresh_token, request_id: fixture.request_id() };
    let next = fixture.client().refresh(refresh).await.expect("refreshes").into_inner();
    secrets.session(next.session);
    request.account_id = fixture.request_id();
    fixture.as_service().grant_role(request).await.expect_err("is refused");
}

/// What the database holds is as secret as what it was made from.
async fn stored(fixture: &Fixture, secrets: &mut Secrets) {
    let on = fixture.database().read();
    let query = |sql: &str| Statement::from_string(on.get_database_backend(), sql);
    let hashes = "SELECT password_hash FROM accounts WHERE password_hash IS NOT NULL";
    for row in on.query_all_raw(query(hashes)).await.expect("reads") {
        let hash: String = row.try_get("", "password_hash").expect("a text");
        secrets.word(&hash);
    }
    for row in on.query_all_raw(query("SELECT seed FROM signing_keys")).await.expect("reads") {
        let seed: Vec<u8> = row.try_get("", "seed").expect("bytes");
        // As `Debug` would show it.
        secrets.word(format!("{seed:?}").trim_matches(['[', ']']));
    }
}

/// A database that breaks: whatever is then logged must not have the values that were to be written.
async fn failures(fixture: &Fixture, secrets: &mut Secrets) {
    let password = secrets.word("unmistakable password four");
    fixture.database().write().execute_unprepared("DROP TABLE sessions").await.expect("drops");
    let register = RegisterRequest { password: password.clone(), ..fixture.register_request("doris") };
    fixture.client().register(register).await.expect_err("fails");
    fixture.client().sign_in(sign_in("carl", "unmistakable password three")).await.expect_err("fails");
    fixture.database().write().execute_unprepared("DROP TABLE accounts").await.expect("drops");
    fixture.client().sign_in(sign_in("carl", &password)).await.expect_err("fails");
}
