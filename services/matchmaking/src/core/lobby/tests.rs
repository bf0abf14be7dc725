use std::collections::BTreeMap;

use proptest::prelude::*;
use rules::RuleSet;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::*;
use crate::core::{ChallengeState, Party, Settings};

/// The challenge of a number, of one of four kinds of game, of a bot or a person.
fn challenge(number: u8) -> Challenge {
    let (variant, rated) = (["go", "jiu"][usize::from(number % 2)], number % 4 < 2);
    let control = "20m+5s".parse().expect("a time control");
    Challenge {
        id: Uuid::from_u128(number.into()).into(),
        from: Party { account: Uuid::from_u128(9).into(), name: "one".to_owned() },
        rating: 1500,
        bot: number.is_multiple_of(3),
        allow_bots: false,
        to: Addressee::Open(400),
        settings: Settings::new(variant, &RuleSet::named(""), control, rated).expect("it can be played"),
        side: None,
        message: String::new(),
        created: OffsetDateTime::UNIX_EPOCH,
        expires: OffsetDateTime::UNIX_EPOCH + Duration::HOUR,
        starts: None,
        uses: 1,
        uses_left: 1,
        state: ChallengeState::Open,
        declined: None,
        game: None,
    }
}

/// What somebody knows who believes all that he is told.
#[derive(Default)]
struct Listener {
    number: Option<u64>,
    known: BTreeMap<ChallengeId, Arc<Challenge>>,
}

impl Listener {
    fn hears(&mut self, news: LobbyNews) {
        if news.whole {
            self.known.clear();
        }
        for id in news.closed {
            self.known.remove(&id);
        }
        self.known.extend(news.opened.into_iter().map(|challenge| (challenge.id, challenge)));
        self.number = Some(news.number);
    }
}

proptest! {
    /// Whoever listens, however rarely and at whichever replica, knows what is open, and no more than he seeks.
    #[test]
    fn whoever_listens_knows_what_is_open(
        steps in prop::collection::vec((0_u8..40, any::<bool>(), 0_u8..6, any::<bool>()), 1..200),
        variant in prop::option::of(prop::sample::select(vec!["go", "jiu"])),
        rated in prop::option::of(any::<bool>()),
        bots in prop::option::of(any::<bool>()),
    ) {
        let sought = Sought { variants: variant.into_iter().collect(), rated, speeds: Vec::new(), bots };
        let (mut lobby, mut open) = (Lobby::default(), BTreeMap::new());
        let mut listener = Listener::default();
        for (number, (which, opens, listens, anew)) in (1..).zip(steps) {
            let of = challenge(which);
            let id = of.id;
            if opens {
                open.insert(id, of.clone());
            } else {
                open.remove(&id);
            }
            // What is over may be forgotten already.
            lobby.note(number, id, (opens || which % 3 > 0).then_some(of), opens);
            if anew {
                // Another replica begins with what is open.
                let all: Vec<Challenge> = open.values().cloned().collect();
                lobby = Lobby::of(all, number);
            }
            if listens == 0 {
                listener.hears(lobby.since(listener.number, &sought));
                let expected: Vec<&Challenge> = open.values().filter(|it| sought.is(it)).collect();
                let known: Vec<&Challenge> = listener.known.values().map(|it| &**it).collect();
                prop_assert_eq!(known, expected);
                prop_assert!(lobby.since(listener.number, &sought).is_empty());
            }
        }
    }
}

#[test]
fn whoever_has_missed_too_much_or_comes_from_elsewhere_is_told_all() {
    let mut lobby = Lobby::default();
    for number in 1..=CHANGES_MAX as u64 + 10 {
        lobby.note(number, challenge(7).id, Some(challenge(7)), number % 2 == 0);
    }
    let since = |number| lobby.since(number, &Sought::default());
    assert!(!since(Some(10)).whole && since(Some(9)).whole, "ten are not remembered");
    assert_eq!(since(Some(10)).opened.len(), 1, "the latest counts");
    assert!(since(None).whole && since(Some(0)).whole);
    assert!(since(Some(lobby.up_to())).is_empty());
    assert!(since(Some(lobby.up_to() + 1)).whole, "that was another lobby");
    assert!(Lobby::default().since(Some(0), &Sought::default()).is_empty(), "nothing was ever opened");
}

#[test]
fn those_who_come_are_told_the_latest_and_a_lobby_knows_so_many() {
    let many = |count: usize| {
        let id = |number: usize| Uuid::from_u128(number as u128 + 1000).into();
        (0..count).map(|number| Challenge { id: id(number), ..challenge(2) }).collect::<Vec<_>>()
    };
    let lobby = Lobby::of(many(LOBBY_MAX + 5), 3);
    assert_eq!(lobby.open.len(), LOBBY_MAX);
    let news = lobby.since(None, &Sought::default());
    assert_eq!((news.opened.len(), news.number), (WHOLE_MAX, 3));
    assert_eq!(news.opened.last().map(|it| it.id), many(LOBBY_MAX + 5).last().map(|it| it.id));
}
