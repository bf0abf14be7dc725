//! `shoutan account export`: everything that the platform keeps of a person, as one document.
//!
//! Each service knows its own: who has an account asks all of them, and the document has a section for each.

use std::path::PathBuf;

use anyhow::Context as _;
use api::{
    federation::v1::ExportPersonRequest,
    game::v1::{Game, ListGamesRequest, Seat, game_service_client::GameServiceClient},
    identity::v1::{
        AccessToken, GetMyAccountRequest, ListAccessTokensRequest, Role, RoleGrant,
        identity_service_client::IdentityServiceClient, role_scope::Place,
    },
    rating::v1::{
        ListHistoryRequest, ListRatingsRequest, Rating, RatingChange,
        rating_service_client::RatingServiceClient,
    },
};
use futures::StreamExt as _;
use serde_json::{Value, json};

use super::{
    blocks, challenge,
    federation::shown,
    files, pauses, print,
    session::{Session, Who, all, ask},
    speed,
};

/// Where the document is written, and of whom it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write, which must not be there yet.
    file: PathBuf,
    /// Only what a federation keeps of this member: of yourself, or, for who keeps its persons, of one without an account.
    #[arg(long, default_value = None)]
    member: Option<String>,
    #[command(flatten)]
    who: Who,
}

impl Args {
    /// Whether a script reads what is printed.
    pub(super) const fn prints_json(&self) -> bool {
        self.who.json
    }
}

/// Carries the command out.
pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    let session = Session::open(&args.who).await?;
    let written = write(&session, &args).await;
    session.close().await;
    written
}

async fn write(session: &Session, args: &Args) -> anyhow::Result<()> {
    let federation = of_federation(session, args.member.as_deref()).await?;
    let document = match &args.member {
        Some(_) => json!({"federation": federation}),
        None => json!({
            "identity": of_identity(session).await?,
            "federation": federation,
            "games": games(session).await?,
            "ratings": ratings(session).await?,
            "pauses": pauses(session).await?,
            "blocked": blocked(session).await?,
            "challenges": challenges(session).await?,
            "arranged_games": arranged_games(session).await?,
        }),
    };
    let text = format!("{document:#}\n");
    files::write_new(&args.file, text.as_bytes())?;
    print::one(session.json, &vec![("file", json!(args.file)), ("bytes", json!(text.len()))])
}

async fn of_federation(session: &Session, member: Option<&str>) -> anyhow::Result<Value> {
    let exchange = session.exchange();
    let ask = async |offset, sha256| {
        let member_id = member.unwrap_or_default().to_owned();
        let parts = exchange.clone().export_person(ExportPersonRequest { member_id, offset, sha256 }).await?;
        Ok(parts.into_inner().map(|part| part.map(|it| it.part.unwrap_or_default())).boxed())
    };
    let bytes = files::receive(ask).await?;
    serde_json::from_slice(&bytes).context("what the federations keep is no JSON")
}

async fn of_identity(session: &Session) -> anyhow::Result<Value> {
    let identity = IdentityServiceClient::new(session.transport());
    let own = ask!(identity.clone(), get_my_account, GetMyAccountRequest::default())?;
    let account = own.account.unwrap_or_default();
    let request = ListAccessTokensRequest::default();
    let tokens: Vec<AccessToken> = all!(identity.clone(), list_access_tokens, request, access_tokens);
    let token = |it: &AccessToken| {
        json!({
            "id": it.id,
            "label": it.label,
            "scopes": it.scopes,
            "created": shown::time(it.create_time.as_ref()),
            "expires": shown::time(it.expire_time.as_ref()),
            "last_used": shown::time(it.last_use_time.as_ref()),
            "revoked": shown::time(it.revoke_time.as_ref()),
        })
    };
    Ok(json!({
        "account_id": account.id,
        "name": account.name,
        "guest": account.guest,
        "created": shown::time(account.create_time.as_ref()),
        "roles": own.roles.iter().map(role).collect::<Vec<_>>(),
        "access_tokens": tokens.iter().map(token).collect::<Vec<_>>(),
    }))
}

fn role(it: &RoleGrant) -> Value {
    let place = it.scope.as_ref().and_then(|scope| scope.place.as_ref());
    let (event, federation) = match place {
        Some(Place::EventId(event)) => (Some(event), None),
        Some(Place::FederationId(federation)) => (None, Some(federation)),
        Some(Place::Platform(_)) | None => (None, None),
    };
    json!({
        "role": Role::try_from(it.role).unwrap_or_default().as_str_name().trim_start_matches("ROLE_").to_lowercase(),
        "event_id": event,
        "federation_id": federation,
        "granted": shown::time(it.grant_time.as_ref()),
    })
}

async fn games(session: &Session) -> anyhow::Result<Value> {
    let account_id = session.account_id().unwrap_or_default().to_owned();
    let client = GameServiceClient::new(session.transport());
    let request = ListGamesRequest { account_id: account_id.clone(), page_size: 200, ..Default::default() };
    let games: Vec<Game> = all!(client.clone(), list_games, request, games);
    let game = |it: &Game| {
        let (info, state) = (it.info.clone().unwrap_or_default(), it.state.clone().unwrap_or_default());
        let is_his = |seat: Option<&Seat>| seat.is_some_and(|seat| seat.account_id == account_id);
        let side = if is_his(info.first.as_ref()) { "first" } else { "second" };
        json!({
            "game_id": info.id,
            "variant": info.variant,
            "rated": info.rated,
            "side": side,
            "created": shown::time(info.create_time.as_ref()),
            "ply": state.ply,
            "ended": state.outcome.is_some(),
            "record": format!("shoutan record export {}", info.id),
        })
    };
    Ok(games.iter().map(game).collect())
}

async fn pauses(session: &Session) -> anyhow::Result<Value> {
    let pauses = pauses::list(session.transport()).await?;
    Ok(pauses.iter().map(|it| print::object(&pauses::record(it, shown::time))).collect())
}

async fn blocked(session: &Session) -> anyhow::Result<Value> {
    let blocked = blocks::list(session.transport()).await?;
    Ok(blocked.iter().map(|it| print::object(&blocks::record(it, shown::time))).collect())
}

async fn challenges(session: &Session) -> anyhow::Result<Value> {
    let challenges = challenge::list(session, false).await?;
    Ok(challenges.iter().map(|it| print::object(&challenge::record(it, shown::time))).collect())
}

async fn arranged_games(session: &Session) -> anyhow::Result<Value> {
    let games = challenge::arranged_games(session, false).await?;
    Ok(games.iter().map(|it| print::object(&challenge::arranged(it, shown::time))).collect())
}

async fn ratings(session: &Session) -> anyhow::Result<Value> {
    let account_id = session.account_id().unwrap_or_default().to_owned();
    let client = RatingServiceClient::new(session.transport());
    let request = ListRatingsRequest { account_id: account_id.clone() };
    let ratings: Vec<Rating> = ask!(client.clone(), list_ratings, request)?.ratings;
    let mut told = Vec::new();
    for it in ratings {
        let request = ListHistoryRequest {
            account_id: account_id.clone(),
            variant: it.variant.clone(),
            speed_class: it.speed_class,
            page_size: 200,
            ..Default::default()
        };
        let changes: Vec<RatingChange> = all!(client.clone(), list_history, request, changes);
        let change = |it: &RatingChange| {
            json!({
                "game_id": it.game_id,
                "time": shown::time(it.time.as_ref()),
                "before": it.rating_before,
                "after": it.rating_after,
                "deviation": it.deviation_after,
            })
        };
        told.push(json!({
            "variant": it.variant,
            "speed": speed::told(it.speed_class),
            "rating": it.rating,
            "deviation": it.deviation,
            "volatility": it.volatility,
            "games": it.games,
            "changes": changes.iter().map(change).collect::<Vec<_>>(),
        }));
    }
    Ok(told.into())
}
