//! Every rated game that ended in a result is rated once for both players, and nothing else is.

use std::{collections::BTreeMap, sync::Arc};

use api::{
    board::v1::{Reason, Verdict},
    rating::v1::{ListHistoryRequest, ListRatingsRequest, rating_service_client::RatingServiceClient},
};
use tonic::Status;

use super::Log;
use crate::{
    network::Face,
    topology::{Node, Service},
    world::World,
};

/// Changes that are asked for at a time.
const PAGE: u32 = 100;

/// Holds the histories of all ratings to the logs.
pub(crate) async fn check(world: &Arc<World>, logs: &[Log]) -> Vec<String> {
    let node = Node { service: Service::Rating, number: 0 };
    let Some(transport) = world.network.straight(node, Face::Public) else {
        return vec!["no rating service is up at the end".to_owned()];
    };
    let client = RatingServiceClient::new(transport);
    let mut expected: BTreeMap<(String, String), i32> = BTreeMap::new();
    let mut accounts: Vec<String> = Vec::new();
    for log in logs {
        let players = log.table.players.iter().map(|player| player.id.to_string());
        // What is annulled later is rated no more; a game to which somebody did not come was not played.
        let state = log.last_final_row().and_then(|row| row.event.state.as_ref());
        let Some(outcome) = state.and_then(|state| state.outcome.as_ref()) else { continue };
        let played = outcome.verdict() != Verdict::Void && outcome.reason() != Reason::Late;
        if log.table.commission.rated && played {
            expected.extend(players.clone().map(|player| ((player, log.table.id.clone()), outcome.verdict)));
        }
        accounts.extend(players);
    }
    accounts.sort();
    accounts.dedup();
    let mut faults = Vec::new();
    for account in accounts {
        match history(&client, &account).await {
            Err(status) => faults.push(format!("the ratings of {account} cannot be read: {status}")),
            Ok(changes) => {
                for (game, verdict) in changes {
                    if expected.remove(&(account.clone(), game.clone())) != Some(verdict) {
                        faults.push(format!("{game} is rated for {account} with {verdict}, or twice"));
                    }
                }
            }
        }
    }
    faults.extend(expected.into_keys().map(|(account, game)| format!("{game} is not rated for {account}")));
    faults
}

/// Every rated game of an account, with its verdict.
async fn history(
    client: &RatingServiceClient<api::transport::Transport>,
    account: &str,
) -> Result<Vec<(String, i32)>, Status> {
    let account_id = account.to_owned();
    let request = ListRatingsRequest { account_id: account_id.clone() };
    let ratings = client.clone().list_ratings(request).await?.into_inner().ratings;
    let mut changes = Vec::new();
    for rating in ratings {
        let request = ListHistoryRequest {
            account_id: account_id.clone(),
            variant: rating.variant,
            speed_class: rating.speed_class,
            page_size: PAGE,
            page_token: String::new(),
        };
        let page = client.clone().list_history(request).await?.into_inner();
        changes.extend(page.changes.into_iter().map(|change| (change.game_id, change.verdict)));
    }
    Ok(changes)
}
