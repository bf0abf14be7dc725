//! Games and variants as protos.

use api::game::v1 as pb;
use chassis::auth::Caller;
use rules::{CountBoard, View, Viewer};

use crate::{
    convert::{act_to_pb, info_to_pb, score_to_pb, state_to_pb, view_to_pb},
    core::{Event, Game, Kind, standing},
    fault::CallError,
    rooms::{Rooms, delay, until},
};

/// A game with its board and acts, as `viewer` may see it.
pub(super) async fn whole_game(rooms: &Rooms, game: &Game, viewer: Viewer) -> Result<pb::Game, CallError> {
    let log = rooms.reader.events_after(game.info.id, 0).await?;
    let acts = acts(log.iter().take_while(|event| event.sequence <= game.sequence));
    let position = game.position.as_ref();
    Ok(pb::Game {
        info: Some(info_to_pb(&game.info)),
        state: Some(state_to_pb(game.sequence, &game.after)),
        board: Some(view_to_pb(&position.view(viewer), &|point| position.point_name(point))),
        acts,
        update_time: Some(api::time::timestamp(game.updated)),
        audience: None,
    })
}

/// Every act as everybody may read it now: with its full text, if that has been revealed.
fn acts<'a>(log: impl Iterator<Item = &'a Event>) -> Vec<pb::PlayedAct> {
    let mut acts: Vec<pb::PlayedAct> = Vec::new();
    for played in standing(log) {
        acts.push(act_to_pb(played.author, &played.text));
        for (ply, text) in &played.revealed {
            let index = usize::try_from(*ply).ok().and_then(|ply| ply.checked_sub(1));
            if let Some(act) = index.and_then(|index| acts.get_mut(index)) {
                act.text.clone_from(text);
            }
        }
    }
    acts
}

/// A game of a list, from its first and its last event, as somebody sees it; none if he does not yet.
pub(super) async fn listed_game(
    rooms: &Rooms,
    (first, last): (Event, Event),
    caller: Option<&Caller>,
) -> Result<Option<pb::Game>, CallError> {
    let Kind::Created(info) = &first.kind else { return Ok(None) };
    let last = match delay(info, caller) {
        None => Some(last),
        Some(delay) => {
            let log = rooms.reader.events_after(info.id, 0).await?;
            until(&log, rooms.ambient.now() - delay).last().cloned()
        }
    };
    Ok(last.map(|last| pb::Game {
        info: Some(info_to_pb(info)),
        state: Some(state_to_pb(last.sequence, &last.after)),
        board: None,
        acts: Vec::new(),
        update_time: Some(api::time::timestamp(last.time)),
        audience: None,
    }))
}

/// Every way of counting a position.
pub(super) fn counts(position: &dyn rules::Game) -> Vec<pb::Count> {
    let view = position.view(Viewer::Spectator);
    let step = |step: rules::CountStep| pb::CountStep {
        text: step.text,
        board: step.board.map(|CountBoard { stones, marks }| {
            let board = View { stones, marks, facts: Vec::new(), ..view.clone() };
            view_to_pb(&board, &|point| position.point_name(point))
        }),
    };
    position
        .counts()
        .into_iter()
        .map(|count| pb::Count {
            method: count.method.to_owned(),
            name: count.name.to_owned(),
            native_name: count.native_name.to_owned(),
            steps: count.steps.into_iter().map(step).collect(),
            result: Some(score_to_pb(&count.result)),
        })
        .collect()
}

/// A variant with its rule sets and options.
pub(super) fn variant(variant: &rules::Variant) -> pb::Variant {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pb::Variant {
        id: variant.id.to_owned(),
        name: variant.name.to_owned(),
        native_name: variant.native_name.to_owned(),
        first_colour: variant.colours[0].name().to_owned(),
        second_colour: variant.colours[1].name().to_owned(),
        rule_sets: variant
            .rule_sets
            .iter()
            .map(|rule_set| pb::RuleSet {
                id: rule_set.id.to_owned(),
                description: rule_set.describes.to_owned(),
                options: rule_set.sets.iter().map(owned).collect(),
            })
            .collect(),
        options: variant
            .options
            .iter()
            .map(|option| pb::VariantOption {
                name: option.name.to_owned(),
                default_value: option.default.to_owned(),
                values: option.values.to_owned(),
                description: option.describes.to_owned(),
            })
            .collect(),
    }
}
