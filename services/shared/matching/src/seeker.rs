//! Who waits, and how far two are apart.

/// What a point of deviation costs by which a game is less certain than one among equals of the better known of the two, in
/// points: half of what it moves the expected gap by.
const UNKNOWN_COST: f64 = 0.25;
/// What it costs that both are owed the same colour, for each game by which the less owed of the two is.
const COLOUR_COST: u32 = 4;
/// The games that count for it at most.
const COLOURS_MAX: u32 = 4;
/// What it costs that two have met last, in points, also after they may meet again: any other opponent is a change.
const AGAIN_COST: u32 = 60;

/// Whom somebody met last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Whom: the lower half of his [`Seeker::who`]. Of four thousand million one is taken for another, whom he does not meet for a
    /// while.
    pub whom: u32,
    /// Until when the two are not to meet again, in microseconds of the same clock as [`Seeker::since`].
    pub rest_until: u64,
}

/// Who waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seeker {
    /// What tells him from everybody else, whatever he waits for; it matters to who has met him.
    pub who: u64,
    /// The rating, in points.
    pub rating: i32,
    /// How uncertain it is, in points.
    pub deviation: u32,
    /// How far an opponent's rating may be from it, in points. It holds however long he waits.
    pub window: u32,
    /// Since when he waits, in microseconds of any clock that the pool's caller has.
    pub since: u64,
    /// By how many games he has had the first colour more often than the second; negative for the other way round.
    pub surplus: i32,
    /// Whom he met last, if that was lately.
    pub met: Option<Meeting>,
    /// What he gives away by playing in this pool, in points: as much as it is less to his liking than another.
    pub dislike: u32,
    /// Whether he is a program.
    pub is_bot: bool,
    /// Whether he plays programs.
    pub plays_bots: bool,
}

impl Seeker {
    /// Whether each is within what the other accepts, and plays what the other is.
    #[must_use]
    pub fn accepts(&self, other: &Seeker) -> bool {
        let gap = self.rating.abs_diff(other.rating);
        let plays = |one: &Seeker, other: &Seeker| one.plays_bots || !other.is_bot;
        gap <= self.window && gap <= other.window && plays(self, other) && plays(other, self)
    }

    /// How far two are apart, in points: their ratings, how much less certain these are than they could be, what colours they
    /// are owed, whether they have just met, and what they give away.
    #[must_use]
    pub fn distance(&self, other: &Seeker) -> u32 {
        let gap = self.rating.abs_diff(other.rating);
        gap.saturating_add(self.unknown(other))
            .saturating_add(self.colours(other))
            .saturating_add(if self.rest(other).is_some() { AGAIN_COST } else { 0 })
            .saturating_add(self.dislike)
            .saturating_add(other.dislike)
    }

    /// Until when two are not to meet who have met last; none if they have not.
    pub(crate) fn rest(&self, other: &Seeker) -> Option<u64> {
        let of = |one: &Seeker, other: &Seeker| one.met.filter(|met| met.whom == short(other.who));
        [of(self, other), of(other, self)].into_iter().flatten().map(|met| met.rest_until).max()
    }

    /// What it costs that one is known less than the other. A newcomer loses nothing by it, whomever he meets; and two of
    /// whom nothing is known need not wait for anybody else.
    fn unknown(&self, other: &Seeker) -> u32 {
        let (one, other) = (f64::from(self.deviation), f64::from(other.deviation));
        let among_equals = one.min(other) * std::f64::consts::SQRT_2;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "deviations are of some hundred points, and it is not below 0"
        )]
        let cost = ((one.hypot(other) - among_equals).max(0.0) * UNKNOWN_COST) as u32;
        cost
    }

    /// What it costs that both are owed the same colour.
    fn colours(&self, other: &Seeker) -> u32 {
        if self.surplus.signum() * other.surplus.signum() <= 0 {
            return 0;
        }
        self.surplus.unsigned_abs().min(other.surplus.unsigned_abs()).min(COLOURS_MAX) * COLOUR_COST
    }
}

/// The lower half of what tells somebody from everybody else: what [`Meeting::whom`] is.
#[must_use]
pub const fn short(who: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
    let short = who as u32;
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeker(rating: i32, window: u32) -> Seeker {
        Seeker { rating, window, deviation: 60, ..Seeker::default() }
    }

    #[test]
    fn a_window_is_mutual() {
        assert!(seeker(1500, 100).accepts(&seeker(1600, 100)));
        assert!(
            !seeker(1500, 100).accepts(&seeker(1601, 400)) && !seeker(1601, 400).accepts(&seeker(1500, 100))
        );
    }

    #[test]
    fn a_bot_meets_who_plays_bots() {
        let kind = |is_bot, plays_bots| Seeker { is_bot, plays_bots, ..seeker(1500, 100) };
        let [person, player_of_bots] = [kind(false, false), kind(false, true)];
        let [bot, bot_of_bots] = [kind(true, false), kind(true, true)];
        assert!(person.accepts(&player_of_bots) && player_of_bots.accepts(&player_of_bots));
        for other in [bot, bot_of_bots] {
            assert!(player_of_bots.accepts(&other) && other.accepts(&player_of_bots));
            assert!(!person.accepts(&other) && !other.accepts(&person));
            assert!(!bot.accepts(&other) && !other.accepts(&bot), "it plays people");
        }
        assert!(bot_of_bots.accepts(&bot_of_bots));
    }

    #[test]
    fn what_two_give_away_is_counted() {
        let (one, other) = (seeker(1500, 400), seeker(1540, 400));
        assert_eq!(one.distance(&other), 40, "both are known");
        let newcomer = Seeker { deviation: 350, ..other };
        assert!((105..=110).contains(&one.distance(&newcomer)), "{}", one.distance(&newcomer));
        assert_eq!(Seeker { deviation: 350, ..one }.distance(&newcomer), 40, "neither is");
        let owed = |surplus| Seeker { surplus, ..one };
        assert_eq!(owed(3).distance(&Seeker { surplus: 2, ..other }), 40 + 2 * COLOUR_COST);
        assert_eq!(owed(3).distance(&Seeker { surplus: -2, ..other }), 40, "each gets what he is owed");
        assert_eq!(owed(90).distance(&Seeker { surplus: 90, ..other }), 40 + COLOURS_MAX * COLOUR_COST);
        let met = |rest_until| Some(Meeting { whom: 7, rest_until });
        let (one, seven) = (Seeker { who: 3, ..one }, Seeker { who: 7, ..other });
        assert_eq!(Seeker { met: met(9), ..one }.distance(&seven), 40 + AGAIN_COST);
        assert_eq!(
            seven.distance(&Seeker { met: met(9), ..one }),
            40 + AGAIN_COST,
            "either has met the other"
        );
        assert_eq!(Seeker { met: met(9), ..one }.distance(&other), 40, "he has met somebody else");
        assert_eq!(Seeker { dislike: 7, ..one }.distance(&Seeker { dislike: 5, ..other }), 52);
    }
}
