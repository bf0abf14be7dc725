//! Who plays.

use anyhow::{Context as _, bail, ensure};
use api::{
    client::{Credentials, Player, RetryPolicy, with_retry},
    identity::v1::{LookUpAccountsRequest, identity_service_client::IdentityServiceClient},
};

use super::{Args, input::Input, menu::choose};
use crate::commands::{password::PasswordArg, server::Server};

/// Signs the person in, as the command line says or as he chooses.
///
/// # Errors
/// What the server says, or that nobody answers.
pub(super) async fn sign_in(args: &Args, server: &Server, input: &mut Input) -> anyhow::Result<Player> {
    let credentials = match &args.name {
        _ if args.guest => Credentials::Guest,
        Some(name) if exists(server, name).await? => existing(args, name.clone(), input).await?,
        Some(name) => {
            let question = format!("There is no account {name}. Make it? (y/n)");
            ensure!(is_yes(&input.ask(&question).await?), "there is no account {name}");
            new(&args.password, name.clone(), Some(input)).await?
        }
        None => chosen(args, input).await?,
    };
    server.sign_in(credentials).await.context("signing in")
}

/// Whether an answer means yes.
pub(super) fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

async fn chosen(args: &Args, input: &mut Input) -> anyhow::Result<Credentials> {
    let items = ["Sign in", "Make an account", "Play as a guest"].map(str::to_owned);
    match choose("Welcome to Shoutan (手谈).", &items, input).await? {
        0 => {
            let name = input.ask("name:").await?;
            existing(args, name, input).await
        }
        1 => {
            let name = input.ask("name (2 to 24 letters, digits, - and _):").await?;
            new(&args.password, name, Some(input)).await
        }
        _ => Ok(Credentials::Guest),
    }
}

async fn existing(args: &Args, name: String, input: &mut Input) -> anyhow::Result<Credentials> {
    let password = match args.password.get()? {
        Some(password) => password,
        None => input.ask_secret(&format!("password of {name}:")).await?,
    };
    Ok(Credentials::Existing { name, password })
}

/// What makes an account; without a file or an environment that has it, its password is asked for.
///
/// # Errors
/// When there is no password, or two that differ.
pub(in crate::commands) async fn new(
    password: &PasswordArg,
    name: String,
    input: Option<&mut Input>,
) -> anyhow::Result<Credentials> {
    if let Some(password) = password.get()? {
        return Ok(Credentials::New { name, password });
    }
    let mut of_terminal = None;
    let input = match input {
        Some(input) => input,
        None => of_terminal.insert(Input::of_terminal()),
    };
    let password = input.ask_secret("password (at least 8 characters):").await?;
    if input.ask_secret("the same again:").await? != password {
        bail!("the passwords differ");
    }
    Ok(Credentials::New { name, password })
}

async fn exists(server: &Server, name: &str) -> anyhow::Result<bool> {
    let request = LookUpAccountsRequest { ids: Vec::new(), names: vec![name.to_owned()] };
    let identity = IdentityServiceClient::new(server.transport());
    let call = || async { identity.clone().look_up_accounts(request.clone()).await };
    let found = with_retry(RetryPolicy::default(), call).await.context("looking the account up")?;
    Ok(!found.accounts.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        assert!(["y", "Y", "yes", " YES "].into_iter().all(is_yes));
        assert!(!["", "n", "no", "yep", "y n"].into_iter().any(is_yes));
    }
}
