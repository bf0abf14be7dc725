//! The rules of leagues.

use api::{ProtoEnum as _, federation::v1 as pb, reason, time::timestamp};
use chassis::id::AccountId;

use crate::{
    core::{
        event::{Role, settings::TEXT_CHARS_MAX},
        league::{
            Border, Division, League, Rules, SquadRules,
            limits::{DIVISIONS_MAX, OFFICIALS_MAX},
        },
    },
    wire::{
        event::request,
        fields::{name, told_name, told_revision},
    },
};

/// The rules that a request says; `field` is where they stand.
pub(super) fn rules(it: pb::LeagueRules, field: &str) -> Result<Rules, api::Error> {
    let bad = |part: &str, text: &str| {
        api::Error::invalid(reason::BAD_LEAGUE_RULES, &format!("{field}.{part}"), text.to_owned())
    };
    let event = it.event.ok_or_else(|| bad("event", "required"))?;
    let event = request::settings(Some(event))?;
    if it.divisions.len() > DIVISIONS_MAX || it.borders.len() > DIVISIONS_MAX {
        return Err(bad("divisions", "12 at most"));
    }
    if it.officials.len() > OFFICIALS_MAX {
        return Err(bad("officials", "32 at most"));
    }
    if it.text.chars().count() > TEXT_CHARS_MAX {
        return Err(bad("text", "20,000 characters at most"));
    }
    let division = |(at, it): (usize, pb::LeagueDivision)| {
        Ok(Division {
            name: name(it.name.as_ref(), &format!("{field}.divisions[{at}].name"))?,
            size: it.size,
            size_min: if it.size_min == 0 { it.size } else { it.size_min },
        })
    };
    let official = |(at, it): (usize, pb::EventOfficial)| {
        let account = AccountId::parse(&it.account_id, &format!("{field}.officials[{at}].account_id"))?;
        let role = Role::of(it.role).ok_or_else(|| bad(&format!("officials[{at}].role"), "an office"))?;
        Ok((account, role))
    };
    let squads = it.squads.unwrap_or_default();
    Ok(Rules {
        event: Box::new(event),
        divisions: it.divisions.into_iter().enumerate().map(division).collect::<Result<_, api::Error>>()?,
        borders: it.borders.iter().map(|it| Border { direct: it.direct, play_offs: it.play_offs }).collect(),
        squads: SquadRules {
            members_max: squads.members_max,
            of_club: squads.of_club,
            play_off_games_min: squads.play_off_games_min,
        },
        play_offs_double: match it.play_off_matches {
            0 | 1 => false,
            2 => true,
            _ => return Err(bad("play_off_matches", "1 or 2")),
        },
        officials: it.officials.into_iter().enumerate().map(official).collect::<Result<_, api::Error>>()?,
        text: it.text,
    })
}

impl From<&Rules> for pb::LeagueRules {
    fn from(it: &Rules) -> pb::LeagueRules {
        let division = |it: &Division| pb::LeagueDivision {
            name: told_name(&it.name),
            size: it.size,
            size_min: it.size_min,
        };
        pb::LeagueRules {
            event: Some((&*it.event).into()),
            divisions: it.divisions.iter().map(division).collect(),
            borders: it
                .borders
                .iter()
                .map(|it| pb::LeagueBorder { direct: it.direct, play_offs: it.play_offs })
                .collect(),
            squads: Some(pb::SquadRules {
                members_max: it.squads.members_max,
                of_club: it.squads.of_club,
                play_off_games_min: it.squads.play_off_games_min,
            }),
            play_off_matches: if it.play_offs_double { 2 } else { 1 },
            officials: it
                .officials
                .iter()
                .map(|(account, role)| pb::EventOfficial {
                    account_id: account.to_string(),
                    role: role.number(),
                })
                .collect(),
            text: it.text.clone(),
        }
    }
}

/// Rules as they are stored.
pub(crate) fn stored(it: pb::LeagueRules) -> Option<Rules> {
    rules(it, "rules").ok()
}

/// A league with a version of its rules, or without any.
pub(crate) fn league(it: &League, rules: Option<(u32, &Rules)>) -> pb::League {
    pb::League {
        league_id: it.id.to_string(),
        federation_id: it.federation.to_string(),
        name: told_name(&it.name),
        rules: rules.map(|(_, rules)| rules.into()),
        rules_version: rules.map_or(it.version, |(version, _)| version),
        create_time: Some(timestamp(it.made)),
        revision: told_revision(it.revision),
    }
}
