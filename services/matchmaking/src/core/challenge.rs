//! Games that somebody asks for himself.

use chassis::id::{AccountId, ChallengeId, GameId};
use rules::Side;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::{Arranged, ArrangedState, Pair, Player, Settings};

/// The longest message of a challenge, in characters: a sentence, not a letter.
pub const MESSAGE_MAX: usize = 200;
/// The most that a link may be used: a class, not the world.
pub const USES_MAX: u32 = 1_000;
/// How long a challenge can be accepted when nobody says otherwise, at least, and at most.
pub const LIFE: Duration = Duration::hours(1);
/// The shortest time.
pub const LIFE_MIN: Duration = Duration::minutes(1);
/// The longest time: a game that nobody wants for a month is forgotten by who asked for it.
pub const LIFE_MAX: Duration = Duration::days(30);
/// The most open challenges of an account: a list that fits a screen, and costs others little.
pub const OPEN_MAX: u64 = 20;
/// How long a challenge is kept that is over.
pub const KEPT: Duration = Duration::days(30);

/// Where a list of challenges goes on: behind the one that was made then, in microseconds, of this id.
pub type ChallengePlace = (i64, Uuid);

/// A game that somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Its id.
    pub id: ChallengeId,
    /// Who asks.
    pub from: Party,
    /// His rating when he asked, rounded.
    pub rating: u32,
    /// Whether he is a bot.
    pub bot: bool,
    /// Whether a bot may accept it that it does not name.
    pub allow_bots: bool,
    /// Whom.
    pub to: Addressee,
    /// What is to be played.
    pub settings: Settings,
    /// The side of who asks; none if it is given as in the queue.
    pub side: Option<Side>,
    /// What he says to it.
    pub message: String,
    /// Since when it is there.
    pub created: OffsetDateTime,
    /// Until when it can be accepted.
    pub expires: OffsetDateTime,
    /// When the game begins; nothing if when it is accepted.
    pub starts: Option<OffsetDateTime>,
    /// How often it could be accepted at first.
    pub uses: u32,
    /// How often it can still be accepted.
    pub uses_left: u32,
    /// What has become of it, but for time.
    pub state: ChallengeState,
    /// Why it was declined.
    pub declined: Option<DeclineReason>,
    /// The latest game that came of it.
    pub game: Option<GameId>,
}

/// An account by id and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// Its id.
    pub account: AccountId,
    /// Its name then.
    pub name: String,
}

/// To whom a challenge is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addressee {
    /// To this one.
    Direct(Party),
    /// To whoever has a secret with this SHA-256.
    Link([u8; 32]),
    /// To anybody whose rating is at most so far from his who asks.
    Open(u32),
}

/// What has become of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChallengeState {
    /// It can be accepted.
    Open,
    /// It was, as often as it may be.
    Accepted,
    /// It was declined.
    Declined,
    /// Who made it has taken it back.
    Withdrawn,
    /// Nobody accepted it in time.
    Expired,
}

/// Why a challenge is declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclineReason {
    /// Not now.
    Later,
    /// Another time control.
    TimeControl,
    /// Another variant, or other rules.
    Settings,
    /// Rated, or casual.
    Rated,
    /// The other side.
    Side,
}

impl Challenge {
    /// What has become of it at a moment.
    pub fn state_at(&self, now: OffsetDateTime) -> ChallengeState {
        let is_late = self.state == ChallengeState::Open && now >= self.expires;
        if is_late { ChallengeState::Expired } else { self.state }
    }

    /// Whether an account may see it, which perhaps has a secret with this SHA-256.
    pub fn is_shown_to(&self, account: AccountId, secret: Option<[u8; 32]>) -> bool {
        self.from.account == account
            || match &self.to {
                Addressee::Direct(party) => party.account == account,
                Addressee::Link(hash) => secret == Some(*hash),
                Addressee::Open(_) => true,
            }
    }

    /// Whether another is this challenge made again: all is the same that its maker has said.
    pub fn is_same(&self, other: &Challenge) -> bool {
        let same_to = match (&self.to, &other.to) {
            (Addressee::Direct(one), Addressee::Direct(other)) => one.account == other.account,
            (one, other) => one == other,
        };
        let said =
            |of: &Challenge| (of.id, of.from.account, of.side, of.uses, of.allow_bots, of.starts, of.life());
        same_to
            && said(self) == said(other)
            && self.settings == other.settings
            && self.message == other.message
    }

    /// How long it can be accepted; nothing if until its game begins.
    fn life(&self) -> Option<Duration> {
        (self.starts != Some(self.expires)).then(|| self.expires - self.created)
    }

    /// Whether somebody's rating is too far from his who asks.
    pub fn is_too_far(&self, rating: u32) -> bool {
        matches!(self.to, Addressee::Open(window) if rating.abs_diff(self.rating) > window)
    }

    /// Whether it is for people, and named none.
    pub fn is_for_people(&self) -> bool {
        !self.allow_bots && !matches!(self.to, Addressee::Direct(_))
    }

    /// The game at a time on which who asked, and who has accepted, agree at a moment.
    pub fn arranged(
        &self,
        game: GameId,
        players: [Player; 2],
        starts: OffsetDateTime,
        since: OffsetDateTime,
    ) -> Arranged {
        Arranged {
            game,
            challenge: self.id,
            settings: self.settings.clone(),
            players,
            side: self.side,
            starts,
            since,
            state: ArrangedState::Coming,
            called_off_by: None,
        }
    }

    /// The two who play a game that came of it: who asked, and who has accepted.
    pub fn pair(&self, game: GameId, asked: Player, accepted: Player) -> Pair {
        Pair { game, settings: self.settings.clone(), players: [asked, accepted] }
    }
}
