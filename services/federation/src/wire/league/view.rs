//! Seasons as they are told once they are over, and what many of them come to.

use api::federation::v1 as pb;

use crate::{
    core::{
        event::fact::Digest,
        league::{
            Outcome, Season,
            honours::{AllTime, firsts},
        },
    },
    wire::fields::told_name,
};

/// A season, with how it ended where it is closed.
pub(crate) fn ended(season: &Season, outcome: Option<&(Outcome, Digest)>) -> pb::Season {
    let told = pb::Season::from(season);
    match outcome {
        None => told,
        Some((outcome, digest)) => {
            pb::Season { outcome: Some(outcome.into()), outcome_digest: digest.to_vec(), ..told }
        }
    }
}

/// Who was first in a season.
pub(crate) fn honours(season: &Season, outcome: &Outcome) -> pb::SeasonHonours {
    pb::SeasonHonours {
        season_id: season.id.to_string(),
        name: told_name(&season.name),
        number: season.number,
        first_entrant_ids: firsts(outcome).iter().map(ToString::to_string).collect(),
    }
}

impl From<&AllTime> for pb::AllTimeLine {
    fn from(it: &AllTime) -> pb::AllTimeLine {
        pb::AllTimeLine {
            rank: it.rank,
            entrant_id: it.entrant.to_string(),
            titles: it.titles,
            points: it.points,
            top_seasons: it.top_seasons,
            seasons: it.seasons,
        }
    }
}
