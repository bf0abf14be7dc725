//! Random events: who comes, stays away, leaves and wins, from one number.

use pairing::{
    Acceleration, Colour, ColourLaw, Entry, FirstRound, Number, Player, Reason, ResultCode, Status,
    swiss::{Input, Prohibited, Round},
};

/// A generator for tests (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((z ^ (z >> 31)) % u64::from(n)).expect("it is small")
    }

    pub(crate) fn percent(&mut self, share: u32) -> bool {
        self.below(100) < share
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(u32::try_from(all.len()).expect("it is small")) as usize]
    }
}

/// An event of at most so many rounds with settings and players by chance, before its first round.
pub(crate) fn random_event(chance: &mut Chance, players: u32, rounds_max: u32) -> Input {
    let rounds = 1 + chance.below(rounds_max);
    let players = (1..=players).map(|number| random_player(chance, number, rounds)).collect();
    let mut event = Input::new(1, u16::try_from(rounds).expect("it is small"), players);
    event.settings.colours = chance.one_of(ColourLaw::ALL);
    event.settings.first_round = chance.one_of(FirstRound::ALL);
    event.settings.absolute_first = chance.percent(50);
    event.settings.half_bye_is_downfloat = chance.percent(20);
    if chance.percent(20) {
        event.settings.acceleration = Acceleration::Baku;
    }
    event.seed = core::array::from_fn(|_| u8::try_from(chance.below(256)).expect("it is small"));
    if chance.percent(30) {
        let (a, b) = (1 + chance.below(4), 5 + chance.below(4));
        if b as usize <= event.players.len() {
            event.prohibited.push(Prohibited { a: Number(b), b: Number(a), from_round: 1, to_round: 3 });
        }
    }
    event
}

fn random_player(chance: &mut Chance, number: u32, rounds: u32) -> Player {
    let mut player = Player::new(number);
    let some_round = |chance: &mut Chance| u16::try_from(1 + chance.below(rounds)).expect("it is small");
    if chance.percent(5) {
        player.states = vec![Status::Registered, Status::Active { from_round: some_round(chance).min(3) }];
    }
    if chance.percent(8) {
        player.states.push(Status::Absent { round: some_round(chance) });
    }
    if chance.percent(8) {
        let code = chance.one_of(&[ResultCode::ByeFull, ResultCode::ByeHalf, ResultCode::ByeZero]);
        player.states.push(Status::Bye { round: some_round(chance), code });
    }
    if chance.percent(5) {
        let after_round = some_round(chance);
        player.states.push(Status::Withdrawn { after_round });
        if chance.percent(30) {
            player.states.push(Status::Active { from_round: after_round + 2 });
        }
    } else if chance.percent(2) {
        player.states.push(Status::Expelled { after_round: some_round(chance) });
    }
    player.affiliations = if chance.percent(50) { vec![chance.below(6)] } else { Vec::new() };
    player
}

/// Plays a round with results by chance and goes on to the next.
pub(crate) fn play(chance: &mut Chance, event: &mut Input, round: &Round) {
    for pair in &round.pairs {
        let colour = pair.colour.unwrap_or(if chance.percent(50) { Colour::First } else { Colour::Second });
        let (code, reply) = random_result(chance);
        let [a, b] = pair.players;
        add(event, a, game(event.round, b, colour, code));
        add(event, b, game(event.round, a, colour.opposite(), reply));
    }
    for out in &round.out {
        add(event, out.number, Entry::bye(event.round, out.code));
    }
    event.round += 1;
}

fn game(round: u16, opponent: Number, colour: Colour, code: ResultCode) -> Entry {
    let mut entry = Entry::game(round, opponent, colour, code);
    if !code.is_met() {
        entry.reason = Reason::Late;
        (entry.assigned, entry.played) = (None, None);
    }
    entry
}

fn random_result(chance: &mut Chance) -> (ResultCode, ResultCode) {
    use ResultCode::{Adjourned, Annulled, DoubleForfeit, Draw, ForfeitLoss, ForfeitWin, Loss, Win};
    match chance.below(100) {
        0..=1 => (DoubleForfeit, DoubleForfeit),
        2..=3 => (ForfeitWin, ForfeitLoss),
        4..=5 => (ForfeitLoss, ForfeitWin),
        6 => (Adjourned, Adjourned),
        7 => (Annulled, Annulled),
        8..=19 => (Draw, Draw),
        20..=64 => (Win, Loss),
        _ => (Loss, Win),
    }
}

fn add(event: &mut Input, number: Number, entry: Entry) {
    let player = event.players.iter_mut().find(|player| player.number == number).expect("he is in the event");
    player.history.push(entry);
}
