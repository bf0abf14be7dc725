//! A game that is encoded once.

use api::{
    board::v1::Board,
    game::v1::{Audience, Game, GameInfo, GameState, GetGameResponse, PlayedAct},
};
use bytes::Bytes;
use prost::Message as _;
use prost_types::{DescriptorProto, FileDescriptorSet, Timestamp};

fn game() -> Game {
    let act = |text: &str| PlayedAct { side: 1, text: text.to_owned() };
    Game {
        info: Some(GameInfo { id: "a game".to_owned(), ..GameInfo::default() }),
        state: Some(GameState { sequence: 7, ..GameState::default() }),
        board: Some(Board::default()),
        acts: vec![act("D4"), act("Q16")],
        update_time: Some(Timestamp { seconds: 5, nanos: 6 }),
        audience: None,
        encoded: Bytes::new(),
    }
}

#[test]
fn the_fields_are_those_of_the_proto() {
    let files = FileDescriptorSet::decode(api::FILE_DESCRIPTOR_SET).expect("our own");
    let package = files.file.iter().filter(|file| file.package() == "shoutan.game.v1");
    let mut messages = package.flat_map(|file| &file.message_type);
    let proto: &DescriptorProto = messages.find(|message| message.name() == "Game").expect("a game");
    let fields =
        proto.field.iter().map(|field| (u32::try_from(field.number()).expect("small"), field.name()));
    assert_eq!(fields.collect::<Vec<_>>(), Game::FIELDS);
}

#[test]
fn a_game_reads_the_same_whether_it_was_encoded_before_or_not() {
    let audience = Some(Audience { count: 3 });
    let plain = Game { audience, ..game() };
    let once = Game { audience, ..game().encoded_once() };
    for sent in [&plain, &once] {
        let answer = GetGameResponse { game: Some(sent.clone()), ..GetGameResponse::default() };
        let bytes = answer.encode_to_vec();
        assert_eq!(bytes.len(), answer.encoded_len());
        let read = GetGameResponse::decode(bytes.as_slice()).expect("it is one");
        assert_eq!(read.game.as_ref(), Some(&plain));
    }
    assert_eq!(once.decoded().expect("it is one"), plain);
}

#[test]
fn what_is_no_game_names_the_field() {
    let error = Game::decode([0x0a, 0x01].as_slice()).expect_err("one byte is missing");
    assert!(error.to_string().contains("Game.info"), "{error}");
    assert_eq!(Game::decode([0xf8, 0x3f, 0x01].as_slice()).expect("an unknown field"), Game::default());
}
