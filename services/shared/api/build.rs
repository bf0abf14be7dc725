//! Compiles the protos with protox, so that no protoc is needed.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;

/// Every proto file, from the root of the proto tree.
const FILES: &[&str] = &[
    "shoutan/board/v1/board.proto",
    "shoutan/clock/v1/clock.proto",
    "shoutan/clock/v1/clock_service.proto",
    "shoutan/clock/v1/clock_internal_service.proto",
    "shoutan/clock/v1/clock_log.proto",
    "shoutan/federation/v1/calendar.proto",
    "shoutan/federation/v1/calendar_service.proto",
    "shoutan/federation/v1/document.proto",
    "shoutan/federation/v1/document_service.proto",
    "shoutan/federation/v1/event.proto",
    "shoutan/federation/v1/event_arranging.proto",
    "shoutan/federation/v1/event_arranging_requests.proto",
    "shoutan/federation/v1/event_boards.proto",
    "shoutan/federation/v1/event_fair_play.proto",
    "shoutan/federation/v1/event_import.proto",
    "shoutan/federation/v1/event_incident.proto",
    "shoutan/federation/v1/event_incident_requests.proto",
    "shoutan/federation/v1/event_leave.proto",
    "shoutan/federation/v1/event_leave_requests.proto",
    "shoutan/federation/v1/event_log.proto",
    "shoutan/federation/v1/event_match.proto",
    "shoutan/federation/v1/event_outbox.proto",
    "shoutan/federation/v1/event_play_off.proto",
    "shoutan/federation/v1/event_requests.proto",
    "shoutan/federation/v1/event_round_requests.proto",
    "shoutan/federation/v1/event_service.proto",
    "shoutan/federation/v1/event_standings.proto",
    "shoutan/federation/v1/event_team.proto",
    "shoutan/federation/v1/event_team_requests.proto",
    "shoutan/federation/v1/event_time.proto",
    "shoutan/federation/v1/exchange_event.proto",
    "shoutan/federation/v1/exchange_file.proto",
    "shoutan/federation/v1/exchange_service.proto",
    "shoutan/federation/v1/federation_internal_service.proto",
    "shoutan/federation/v1/notice.proto",
    "shoutan/federation/v1/notice_live.proto",
    "shoutan/federation/v1/notice_service.proto",
    "shoutan/federation/v1/language.proto",
    "shoutan/federation/v1/language_service.proto",
    "shoutan/federation/v1/league.proto",
    "shoutan/federation/v1/league_requests.proto",
    "shoutan/federation/v1/league_service.proto",
    "shoutan/federation/v1/organisation.proto",
    "shoutan/federation/v1/member_requests.proto",
    "shoutan/federation/v1/federation_service.proto",
    "shoutan/federation/v1/membership.proto",
    "shoutan/federation/v1/membership_service.proto",
    "shoutan/federation/v1/pairing_service.proto",
    "shoutan/federation/v1/rating_list.proto",
    "shoutan/federation/v1/rating_list_service.proto",
    "shoutan/federation/v1/title.proto",
    "shoutan/federation/v1/title_service.proto",
    "shoutan/game/v1/event_games_internal_service.proto",
    "shoutan/game/v1/adjournment.proto",
    "shoutan/game/v1/arbiter.proto",
    "shoutan/game/v1/arbiter_service.proto",
    "shoutan/game/v1/chat_service.proto",
    "shoutan/game/v1/progress.proto",
    "shoutan/game/v1/game.proto",
    "shoutan/game/v1/glimpse.proto",
    "shoutan/game/v1/game_service.proto",
    "shoutan/game/v1/own_game.proto",
    "shoutan/game/v1/game_internal_service.proto",
    "shoutan/game/v1/presence.proto",
    "shoutan/game/v1/regulations.proto",
    "shoutan/game/v1/variant.proto",
    "shoutan/identity/v1/role.proto",
    "shoutan/identity/v1/identity_service.proto",
    "shoutan/identity/v1/identity_internal_service.proto",
    "shoutan/matchmaking/v1/challenge.proto",
    "shoutan/matchmaking/v1/challenge_service.proto",
    "shoutan/matchmaking/v1/conduct.proto",
    "shoutan/matchmaking/v1/matchmaking_internal_service.proto",
    "shoutan/matchmaking/v1/matchmaking_live.proto",
    "shoutan/matchmaking/v1/follow_service.proto",
    "shoutan/matchmaking/v1/matchmaking_service.proto",
    "shoutan/matchmaking/v1/pause_service.proto",
    "shoutan/rating/v1/rating_service.proto",
    "shoutan/rating/v1/moderation.proto",
    "shoutan/rating/v1/moderation_service.proto",
    "shoutan/rating/v1/rating_internal_service.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../../proto");
    for file in FILES {
        println!("cargo::rerun-if-changed={}", root.join(file).display());
    }
    let descriptors = protox::compile(FILES, [&root])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("shoutan.bin"), descriptors.encode_to_vec())?;
    // Maps in order: the same message is the same bytes, and prints the same.
    tonic_prost_build::configure()
        .btree_map(".")
        .extern_path(".shoutan.game.v1.Game", "crate::game::v1::Game")
        .compile_fds(descriptors)?;
    Ok(())
}
