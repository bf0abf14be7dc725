use super::{
    Act, Bid, Done, Drawn, Ending, Illegal, Method, Phase, Play, Rules, STEP_MS, Terms,
    bidding::{Bidding, Settled},
    design::Design,
    digest::Digest,
    phase::Lots,
    placement,
};
use crate::{
    Author, Lot, Lottery, LotteryStage, Proof, Side, SystemAct,
    goban::{self, Board, Colour, Proposal, Seats, Setup},
    prelude::*,
};

/// A game of Tianyi Go from the placement to the count.
///
/// Players act by [`Position::act`] as sides, the system as the system; colours come with the bids.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Rules,
    phase: Phase,
    /// How many acts were done.
    ply: u32,
    /// The act since which the game waits for what it waits for.
    since: u32,
    placed: Vec<Drawn>,
    board: Board,
    bids: Option<[Option<Bid>; 2]>,
    proofs: Vec<Proof>,
}

impl Position {
    /// A new game.
    pub fn new(rules: Rules) -> Position {
        let phase = match rules.method {
            Method::Design => Phase::Design(Design::default()),
            Method::Grab | Method::Uniform => Phase::Placement(Lots::new("placement")),
        };
        let board = Board::new(rules.size, rules.size);
        let (placed, proofs) = (Vec::new(), Vec::new());
        Position { rules, phase, ply: 0, since: 0, placed, board, bids: None, proofs }
    }

    /// A game whose colours and komi are settled, to be played from a position.
    ///
    /// `None` if the board has another size than the rules name.
    pub fn in_play(setup: &Setup, rules: Rules, terms: Terms) -> Option<Position> {
        let board = setup.board().clone();
        if board.columns() != rules.size || board.rows() != rules.size {
            return None;
        }
        let play = Play::new(setup, &rules, terms);
        let phase = Phase::Play(alloc::boxed::Box::new(play));
        Some(Position { phase, board, ..Position::new(rules) })
    }

    /// The rules it is played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How far it has come.
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// How many acts were done, those of the system included.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The stones on the board.
    pub fn board(&self) -> &Board {
        self.play().map_or(&self.board, |play| play.position().board())
    }

    /// Every stone of the placement as it was drawn, void ones included; none if the players made the position.
    pub fn placed(&self) -> &[Drawn] {
        &self.placed
    }

    /// The position the play began from, once the placement is over: with White to move (article 二.4).
    pub fn start(&self) -> Option<Setup> {
        if matches!(self.phase, Phase::Placement(_) | Phase::Design(_)) {
            return None;
        }
        setup_of(&self.board)
    }

    /// Both bids by side, once the bidding is over; `None` for who made none.
    pub const fn bids(&self) -> Option<[Option<Bid>; 2]> {
        self.bids
    }

    /// The finished lotteries, each with all that is needed to check it.
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// The lottery that is going on.
    pub const fn lottery(&self) -> Option<&Lottery> {
        match &self.phase {
            Phase::Placement(lots) | Phase::Nigiri(lots, _) => Some(&lots.lottery),
            _ => None,
        }
    }

    /// The play, once it has begun.
    pub const fn play(&self) -> Option<&Play> {
        match &self.phase {
            Phase::Play(play) => Some(play),
            _ => None,
        }
    }

    /// Colours and komi, once they are settled.
    pub fn terms(&self) -> Option<Terms> {
        self.play().map(Play::terms)
    }

    /// How the game ended, once it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.play().and_then(Play::ending)
    }

    /// Whether the game waits for an act of this side.
    pub fn awaits(&self, side: Side) -> bool {
        match &self.phase {
            Phase::Placement(lots) | Phase::Nigiri(lots, _) => lots.lottery.awaits(side),
            Phase::Design(_) => true,
            Phase::Bidding(sealed) => !sealed.has_bid(side),
            Phase::Choice(chooser, _) => *chooser == side,
            Phase::Play(play) => play.position().agreement().is_some() || play.on_clock() == Some(side),
        }
    }

    /// What the system has to do now.
    pub fn system_due(&self) -> Option<SystemAct> {
        let expire = |after_ms| Some(SystemAct::Expire { since: self.since, after_ms });
        match &self.phase {
            Phase::Placement(lots) | Phase::Nigiri(lots, _) => match lots.lottery.stage() {
                LotteryStage::System => Some(SystemAct::Seed),
                _ => expire(Lottery::STEP_MS),
            },
            Phase::Bidding(_) | Phase::Choice(..) => expire(STEP_MS),
            Phase::Design(_) | Phase::Play(_) => None,
        }
    }

    /// The acts that are sealed, by ply, with what everybody may read of them.
    pub fn sealed(&self) -> Vec<(u32, String)> {
        match &self.phase {
            Phase::Placement(lots) | Phase::Nigiri(lots, _) => lots.sealed().into_iter().collect(),
            Phase::Bidding(bidding) => {
                let mut plies: Vec<u32> = bidding.sealed().collect();
                plies.sort_unstable();
                plies.into_iter().map(|ply| (ply, PUBLIC_BID.into())).collect()
            }
            Phase::Design(_) | Phase::Choice(..) | Phase::Play(_) => Vec::new(),
        }
    }

    /// Does what somebody asks for.
    ///
    /// # Errors
    /// The rule that forbids it; nothing has then changed.
    pub fn act(&mut self, author: Author, act: &Act) -> Result<Done, Illegal> {
        let done = match author {
            Author::System => self.act_of_system(act),
            Author::Side(side) => self.act_of_side(side, act),
        }?;
        self.ply += 1;
        Ok(done)
    }

    /// A hash of all that everybody may know: not of sealed bids and seeds.
    pub fn hash(&self) -> u64 {
        let digest = Digest::new(self.board.hash());
        let digest = self.bids.iter().flatten().fold(digest, |digest, bid| digest.add(bid_word(*bid)));
        match &self.phase {
            Phase::Placement(lots) => lots.digest(digest.add(1)),
            Phase::Design(design) => {
                let digest = digest.add(2).add(u64::from(design.proposals));
                design.proposal.as_ref().map_or(digest, |Proposal { by, terms }| {
                    digest.add(by.index() as u64).points(&terms.black).points(&terms.white)
                })
            }
            Phase::Bidding(sealed) => {
                Side::BOTH.into_iter().fold(digest.add(3), |it, side| it.add(u64::from(sealed.has_bid(side))))
            }
            Phase::Nigiri(lots, bid) => lots.digest(digest.add(4).add(bid_word(Some(*bid)))),
            Phase::Choice(side, bid) => digest.add(5).add(side.index() as u64).add(bid_word(Some(*bid))),
            Phase::Play(play) => {
                let white = play.terms().seats.side(Colour::White).index() as u64;
                play.digest(digest.add(6).add(white).add(bid_word(Some(play.terms().komi))))
            }
        }
        .value()
    }

    /// Gives the turn to a side out of turn, in the play alone.
    pub(super) fn give_turn(&mut self, side: Side) -> bool {
        match &mut self.phase {
            Phase::Play(play) => play.give_turn(side),
            _ => false,
        }
    }

    fn act_of_system(&mut self, act: &Act) -> Result<Done, Illegal> {
        let now = self.ply + 1;
        match (&mut self.phase, act) {
            (Phase::Placement(lots) | Phase::Nigiri(lots, _), Act::Seed(opening)) => {
                let commitment = lots.lottery.contribute(*opening)?;
                (lots.system_ply, self.since) = (now, now);
                let public = Some(format!("commit {commitment}"));
                Ok(Done { act: act.clone(), public, revealed: Vec::new() })
            }
            (Phase::Placement(_) | Phase::Nigiri(..), Act::Expire) => {
                self.step_lottery(Act::Expire, Lottery::expire)
            }
            (Phase::Bidding(bidding), Act::Expire) => {
                let (result, bids) = (bidding.result(), bidding.opened());
                let revealed = bidding.revealed(now).map(|(at, bid)| (at, Act::Bid(bid))).collect();
                self.settle(result, bids);
                Ok(Done { act: Act::Expire, public: None, revealed })
            }
            (Phase::Choice(chooser, bid), Act::Expire) => {
                // Who does not choose has what the bid was for.
                let terms = Terms { seats: Seats::with_white(*chooser), komi: *bid };
                self.begin(terms);
                Ok(Done::open(Act::Expire))
            }
            _ => Err(Illegal::NothingDue),
        }
    }

    fn act_of_side(&mut self, side: Side, act: &Act) -> Result<Done, Illegal> {
        let now = self.ply + 1;
        match (&mut self.phase, act) {
            (_, Act::Seed(_) | Act::Expire) => Err(Illegal::SystemOnly),
            (Phase::Play(play), _) => play.act(side, act).map(Done::open),
            (Phase::Placement(_) | Phase::Nigiri(..), Act::Commit(commitment)) => {
                self.step_lottery(act.clone(), |lottery| lottery.commit(side, *commitment))
            }
            (Phase::Placement(_) | Phase::Nigiri(..), Act::Reveal(opening)) => {
                self.step_lottery(act.clone(), |lottery| lottery.reveal(side, *opening))
            }
            (Phase::Design(design), Act::Propose(layout)) => {
                let (layout, setup) = layout.canonical(self.rules.size)?;
                if design.propose(side, &layout)? {
                    self.place(setup.board().clone());
                }
                Ok(Done::open(Act::Propose(layout)))
            }
            (Phase::Design(design), Act::Accept(_) | Act::Turn(goban::Act::Accept(None))) => {
                let named = if let Act::Accept(layout) = act {
                    Some(layout.canonical(self.rules.size))
                } else {
                    None
                };
                let layout = design.accept(side, named.map(|named| named.map(|(layout, _)| layout)))?;
                let (layout, setup) = layout.canonical(self.rules.size)?;
                self.place(setup.board().clone());
                Ok(Done::open(Act::Accept(layout)))
            }
            (Phase::Bidding(bidding), Act::Bid(bid)) => {
                if !bid.is_allowed(self.board.point_count()) {
                    return Err(Illegal::BidOutOfRange);
                }
                let Some(result) = bidding.bid(side, *bid, now)? else {
                    let public = Some(PUBLIC_BID.into());
                    return Ok(Done { act: act.clone(), public, revealed: Vec::new() });
                };
                let bids = bidding.opened();
                let revealed = bidding.revealed(now).map(|(at, bid)| (at, Act::Bid(bid))).collect();
                self.settle(result, bids);
                Ok(Done { act: act.clone(), public: None, revealed })
            }
            (Phase::Choice(chooser, _), Act::Choose(_)) if *chooser != side => {
                Err(goban::Illegal::NotYourTurn.into())
            }
            (Phase::Choice(_, bid), Act::Choose(colour)) => {
                let white = if *colour == Colour::White { side } else { side.other() };
                let terms = Terms { seats: Seats::with_white(white), komi: *bid };
                self.begin(terms);
                Ok(Done::open(act.clone()))
            }
            _ => Err(Illegal::NotNow),
        }
    }

    /// Takes a step of the lottery and, if it was the last, does what the lot says.
    fn step_lottery(
        &mut self,
        act: Act,
        step: impl FnOnce(&mut Lottery) -> Result<(), crate::LotteryError>,
    ) -> Result<Done, Illegal> {
        let (Phase::Placement(lots) | Phase::Nigiri(lots, _)) = &mut self.phase else {
            return Err(Illegal::NotNow);
        };
        let stage = lots.lottery.stage();
        step(&mut lots.lottery)?;
        if lots.lottery.stage() != stage {
            self.since = self.ply + 1;
        }
        let mut done = Done::open(act);
        let house =
            lots.lottery.opening(Author::System).map(|opening| (lots.system_ply, Act::Seed(*opening)));
        if let Some(proof) = lots.lottery.proof() {
            done.revealed.extend(house);
            let lot = Lot::of(&proof.purpose, proof.openings.each_ref().map(Option::as_ref));
            self.proofs.push(proof);
            self.apply(&lot);
        }
        Ok(done)
    }

    fn apply(&mut self, lot: &Lot) {
        if let Phase::Nigiri(_, komi) = self.phase {
            // Number 0 below 2: 0 gives White to the first side (T12: the winner of the nigiri has White).
            let coin = lot.number(0, COIN);
            let white = if coin == 0 { Side::First } else { Side::Second };
            self.begin(Terms { seats: Seats::with_white(white), komi });
        } else {
            let Rules { method, size, quadrants, stones, .. } = &self.rules;
            let (placed, board) = placement::place(lot, *method, *size, *quadrants, *stones);
            self.placed = placed;
            self.place(board);
        }
    }

    /// The placement is over, and the bidding begins.
    fn place(&mut self, board: Board) {
        self.board = board;
        self.enter(Phase::Bidding(Bidding::default()));
    }

    fn settle(&mut self, result: Settled, bids: [Option<Bid>; 2]) {
        self.bids = Some(bids);
        match result {
            Settled::Terms(terms) => self.begin(terms),
            Settled::Nigiri(bid) => self.enter(Phase::Nigiri(Lots::new("nigiri"), bid)),
            Settled::Choice(side, bid) => self.enter(Phase::Choice(side, bid)),
        }
    }

    fn begin(&mut self, terms: Terms) {
        let setup = setup_of(&self.board).expect("every chain of a placement has a liberty");
        self.enter(Phase::Play(alloc::boxed::Box::new(Play::new(&setup, &self.rules, terms))));
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = self.ply + 1;
    }
}

/// What everybody may read of a sealed bid.
const PUBLIC_BID: &str = "bid";

/// Two equally likely outcomes.
const COIN: core::num::NonZeroU32 = core::num::NonZeroU32::MIN.saturating_add(1);

fn bid_word(bid: Option<Bid>) -> u64 {
    bid.map_or(u64::MAX, |bid| u64::from(bid.halves().cast_unsigned()))
}

/// A board as the start of play, White to move.
fn setup_of(board: &Board) -> Option<Setup> {
    let stones = board.points().map(|at| (at, board.stone(at)));
    Setup::new(board.columns(), board.rows(), stones, Colour::White).ok()
}
