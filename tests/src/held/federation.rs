//! Who organises events: people with accounts, and their federations.

use std::process::Output;

use api::{
    client::{Credentials, Player},
    federation::v1::{self as pb},
    identity::v1::{GetMyAccountRequest, identity_service_client::IdentityServiceClient},
    transport::Transport,
};
use chassis::Env;
use tokio::sync::mpsc;

use super::{federations, name, until};
use crate::{Bot, Platform, call, command_telling, ids};

/// Somebody with an account, who can sign in again: a token has the roles of when it was issued.
#[derive(Clone)]
pub struct Person {
    /// As who he is signed in.
    pub player: Bot,
    /// The name of his account.
    pub name: String,
    /// Its password.
    pub password: String,
    plain: Transport,
}

impl Person {
    /// A new account of a random name.
    pub async fn new(transport: &Transport) -> Person {
        let unique = Env::system().uuid().simple().to_string();
        let (name, password) = (format!("p-{}", &unique[12..30]), format!("password {unique}"));
        let credentials = Credentials::New { name: name.clone(), password: password.clone() };
        let plain = transport.clone();
        let player = Player::sign_in(plain.clone(), credentials, ids()).await.expect("an account");
        Person { player, name, password, plain }
    }

    /// The id of his account.
    pub fn id(&self) -> String {
        self.player.account().id.clone()
    }

    /// Runs a command as him, to its end.
    pub async fn runs(&self, platform: &Platform, words: &[&str]) -> Output {
        self.runs_telling(platform, words, mpsc::unbounded_channel().0).await
    }

    /// The same, and tells each line that is printed as soon as it is.
    pub async fn runs_telling(
        &self,
        platform: &Platform,
        words: &[&str],
        told: mpsc::UnboundedSender<String>,
    ) -> Output {
        let folder = tempfile::tempdir().expect("a folder");
        let password = folder.path().join("password");
        std::fs::write(&password, &self.password).expect("it is written");
        let password = password.display().to_string();
        let acting = ["--server", &platform.url, "--as", &self.name, "--password-file", &password];
        command_telling(&[words, &acting].concat(), told).await.expect("the command runs")
    }

    /// Waits until identity says that the account has a role, and signs in with it.
    pub(super) async fn sign_in_with_role(&mut self) {
        let identity = IdentityServiceClient::new(self.player.transport());
        until("the role is told to identity", async || {
            let account =
                call!(identity.clone(), get_my_account, GetMyAccountRequest {}).expect("an account");
            (!account.roles.is_empty()).then_some(())
        })
        .await;
        let credentials = Credentials::Existing { name: self.name.clone(), password: self.password.clone() };
        self.player =
            Player::sign_in(self.plain.clone(), credentials, ids()).await.expect("he signs in again");
    }
}

/// A federation with its founder.
#[derive(Clone)]
pub struct Federation {
    /// Its id.
    pub id: String,
    /// Who has founded it, and is the committee of its events.
    pub founder: Person,
    pub(super) transport: Transport,
}

impl Federation {
    /// Founds one.
    pub async fn new(transport: &Transport, native: &str, latin: &str) -> Federation {
        let founder = Person::new(transport).await;
        let request = pb::CreateFederationRequest {
            federation: Some(pb::Federation { name: Some(name(native, latin)), ..Default::default() }),
            request_id: founder.player.new_id(),
            validate_only: false,
        };
        let made = call!(federations(&founder.player), create_federation, request).expect("a federation");
        let id = made.federation.expect("it is told").federation_id;
        Federation { id, founder, transport: transport.clone() }
    }

    /// Makes somebody a member.
    pub async fn enrol(&self, player: &Bot, native: &str, latin: &str) -> pb::Member {
        self.enrol_account(&player.account().id, native, latin).await
    }

    /// Makes somebody a member; of an empty account one who has none.
    pub async fn enrol_account(&self, account_id: &str, native: &str, latin: &str) -> pb::Member {
        let member = pb::Member {
            federation_id: self.id.clone(),
            account_id: account_id.to_owned(),
            name: Some(name(native, latin)),
            ..Default::default()
        };
        let founder = &self.founder.player;
        let request = pb::CreateMemberRequest {
            member: Some(member),
            request_id: founder.new_id(),
            ..Default::default()
        };
        let made = call!(federations(founder), create_member, request).expect("a member");
        made.member.expect("it is told")
    }
}
