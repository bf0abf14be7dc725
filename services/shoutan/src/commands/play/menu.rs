//! What to play: said on the command line, or chosen from lists.

use anyhow::{Context as _, bail};
use api::{
    client::{RetryPolicy, with_retry},
    clock::v1::{ListTimeControlsRequest, TimeControl, clock_service_client::ClockServiceClient},
    game::v1::Variant,
    matchmaking::v1::GameSettings,
};

use super::{Args, input::Input};
use crate::commands::{render::sanitize, server::Server, terminal::say};

/// So often a choice may be mistyped.
const TRIES: usize = 5;

/// Reads `size=9`.
pub(in crate::commands) fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}

/// What the person wants to play, what he would rather play first.
///
/// # Errors
/// What the server says, or that nobody answers.
pub(super) async fn settings(
    args: &Args,
    server: &Server,
    guest: bool,
    input: &mut Input,
) -> anyhow::Result<Vec<GameSettings>> {
    let variants = server.variants().await?;
    // Who names the variant has made up his mind; the rest then has its defaults, but for the time.
    let asking = args.variant.is_none();
    let variant = match &args.variant {
        Some(id) => variants.iter().find(|variant| variant.id == *id).with_context(|| {
            let known: Vec<&str> = variants.iter().map(|variant| variant.id.as_str()).collect();
            format!("the server has no variant {id}; it has {}", known.join(", "))
        })?,
        None => choose_variant(&variants, input).await?,
    };
    let rule_set = match &args.rule_set {
        Some(id) => id.clone(),
        None if asking => choose_rule_set(variant, input).await?,
        None => String::new(),
    };
    let controls = if args.controls.is_empty() {
        vec![choose_control(server, &variant.id, input).await?]
    } else {
        args.controls.iter().map(|control| (*control).into()).collect()
    };
    let rated = !guest && !args.casual && (!asking || wants_rated(input).await?);
    if guest && !args.casual {
        say("guests play casual games")?;
    }
    let settings = |time_control| GameSettings {
        variant: variant.id.clone(),
        rule_set: rule_set.clone(),
        options: args.options.iter().cloned().collect(),
        time_control: Some(time_control),
        rated,
    };
    Ok(controls.into_iter().map(settings).collect())
}

/// Shows a numbered list and gives the index that was chosen; Enter alone takes the first.
///
/// # Errors
/// When nobody answers, or only nonsense.
pub(super) async fn choose(title: &str, items: &[String], input: &mut Input) -> anyhow::Result<usize> {
    say(title)?;
    for (number, item) in (1..).zip(items) {
        say(format_args!("  {number}. {item}"))?;
    }
    for _try in 0..TRIES {
        let answer = input.ask("number [1]:").await?;
        match pick(&answer, items.len()) {
            Some(index) => return Ok(index),
            None => say(format_args!("a number from 1 to {} is wanted", items.len()))?,
        }
    }
    bail!("nothing was chosen")
}

/// The index that an answer chooses out of so many.
fn pick(answer: &str, count: usize) -> Option<usize> {
    match answer {
        "" if count > 0 => Some(0),
        _ => answer.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < count),
    }
}

async fn choose_variant<'a>(variants: &'a [Variant], input: &mut Input) -> anyhow::Result<&'a Variant> {
    let item = |variant: &Variant| {
        // In English, and as its players write it.
        let names: Vec<&str> = variant.names.iter().take(2).map(|name| name.name.as_str()).collect();
        sanitize(&names.join(" "))
    };
    let items: Vec<String> = variants.iter().map(item).collect();
    Ok(&variants[choose("What do you want to play?", &items, input).await?])
}

async fn choose_rule_set(variant: &Variant, input: &mut Input) -> anyhow::Result<String> {
    let item =
        |rule_set: &api::game::v1::RuleSet| sanitize(&format!("{}: {}", rule_set.id, rule_set.description));
    let items: Vec<String> = variant.rule_sets.iter().map(item).collect();
    if items.is_empty() {
        return Ok(String::new());
    }
    Ok(variant.rule_sets[choose("By which rules?", &items, input).await?].id.clone())
}

async fn choose_control(server: &Server, variant: &str, input: &mut Input) -> anyhow::Result<TimeControl> {
    let request = ListTimeControlsRequest { variant: variant.to_owned() };
    let clocks = ClockServiceClient::new(server.transport());
    let call = || async { clocks.clone().list_time_controls(request.clone()).await };
    let mut offered =
        with_retry(RetryPolicy::default(), call).await.context("asking for the time controls")?.time_controls;
    let class = |class: api::clock::v1::SpeedClass| {
        class.as_str_name().trim_start_matches("SPEED_CLASS_").to_ascii_lowercase()
    };
    let items: Vec<String> =
        offered.iter().map(|it| format!("{} ({})", sanitize(&it.text), class(it.speed_class()))).collect();
    if items.is_empty() {
        bail!("the server offers no time control; name one with --control");
    }
    let index = choose("How much time?", &items, input).await?;
    offered.swap_remove(index).time_control.context("the server's answer lacks the time control")
}

async fn wants_rated(input: &mut Input) -> anyhow::Result<bool> {
    let items = ["rated".to_owned(), "casual".to_owned()];
    Ok(choose("Shall it count for your rating?", &items, input).await? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_with_values() {
        let read = |text| parse_option(text).map(|(name, value)| format!("{name}|{value}"));
        assert_eq!(read("size=9").as_deref(), Ok("size|9"));
        assert_eq!(read(" komi = 3.75 ").as_deref(), Ok("komi|3.75"));
        assert_eq!(read("setup=a=b").as_deref(), Ok("setup|a=b"));
        assert_eq!(read("setup=").as_deref(), Ok("setup|"));
        for bad in ["", "size", "=9", " =9"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn answers_choose_by_number() {
        assert_eq!(pick("", 3), Some(0));
        assert_eq!(pick("3", 3), Some(2));
        for bad in ["0", "4", "-1", "x", "99999999999999999999999"] {
            assert_eq!(pick(bad, 3), None, "{bad}");
        }
        assert_eq!(pick("", 0), None);
    }
}
