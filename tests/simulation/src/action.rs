//! What a player does: one table. Whoever adds a call to the game service adds a row, and its arms in
//! [`Deed::prepare`] and [`Order::send`].

use std::time::Duration;

use api::{
    board::v1::Side,
    client::ANSWER_BYTES_MAX,
    game::v1::{
        AbortRequest, AcceptDrawRequest, Arbitration, CheckInRequest, ClaimKind, ClaimState,
        DeclineDrawRequest, DropProposalRequest, Game, GameEvent, GetSealingKeyRequest, GiveTimeRequest,
        ListHintsRequest, OfferDrawRequest, Petition, PetitionRequest, PlayRequest, Progress, Proposal,
        ProposeRequest, ResignRequest, SealMoveRequest, Stage,
        arbiter_service_client::ArbiterServiceClient,
        game_service_client::GameServiceClient,
        petition::{self, Petition as Asked},
        proposal::{self, Proposal as Wish},
    },
    sealing,
    transport::Transport,
};
use chassis::Env;
use tonic::Status;

use crate::{dice::Dice, player::stage, table::Table};

/// A way of acting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// An act that the server has named.
    Play,
    /// The same in a position that is past.
    PlayStale,
    /// An act that the rules refuse, or that is none.
    PlayWrong,
    /// Resignation.
    Resign,
    /// The offer of a draw.
    OfferDraw,
    /// Its acceptance.
    AcceptDraw,
    /// Its refusal.
    DeclineDraw,
    /// The end of a game that has hardly begun.
    Abort,
    /// A wish that needs the other side.
    Propose,
    /// To share what the other side wishes.
    Agree,
    /// To refuse it, or to wish something no more.
    Drop,
    /// Time for the other side.
    GiveTime,
    /// Being there at the start.
    CheckIn,
    /// A move under seal.
    SealMove,
    /// A call for an arbiter.
    CallArbiter,
    /// A claim.
    FileClaim,
    /// An appeal against a decision.
    Appeal,
    /// The confirmation of the result.
    Confirm,
    /// Nothing, for once.
    Wait,
}

/// How likely each deed is for who may act, and for who may not.
const TABLE: &[(Deed, u32, u32)] = &[
    (Deed::Play, 1000, 10),
    (Deed::PlayStale, 20, 5),
    (Deed::PlayWrong, 20, 5),
    (Deed::Resign, 4, 2),
    (Deed::OfferDraw, 15, 10),
    (Deed::AcceptDraw, 8, 12),
    (Deed::DeclineDraw, 10, 15),
    (Deed::Abort, 4, 2),
    (Deed::Propose, 20, 20),
    (Deed::Agree, 150, 250),
    (Deed::Drop, 30, 30),
    (Deed::GiveTime, 10, 10),
    (Deed::CheckIn, 0, 400),
    (Deed::SealMove, 0, 700),
    (Deed::CallArbiter, 8, 8),
    (Deed::FileClaim, 12, 12),
    (Deed::Appeal, 40, 40),
    (Deed::Confirm, 0, 250),
    (Deed::Wait, 40, 600),
];
/// How likely a deed is that is out of place, to those that are in place.
const OUT_OF_PLACE: u32 = 100;

/// A game as a player sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    table: &'a Table,
    side: usize,
    game: &'a Game,
}

/// A deed with all that is sent of it, so that it can be sent again.
#[derive(Clone, Debug)]
pub struct Order {
    /// What is done.
    pub deed: Deed,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Nothing,
    Act { act: String, ply: u32 },
    Wish(Wish),
    Gift(Duration),
    Asked(Asked),
    Sealed(sealing::SealedMove),
}

/// The clients of a person.
#[derive(Clone, Debug)]
pub struct Clients {
    /// Of the games.
    pub games: GameServiceClient<Transport>,
    /// Of the officials.
    pub officials: ArbiterServiceClient<Transport>,
}

impl Clients {
    /// The clients of whoever this transport calls for.
    pub fn new(transport: &Transport) -> Self {
        Clients {
            games: GameServiceClient::new(transport.clone()).max_decoding_message_size(ANSWER_BYTES_MAX),
            officials: ArbiterServiceClient::new(transport.clone()),
        }
    }
}

impl<'a> View<'a> {
    /// The game as who has this seat sees it.
    pub fn new(table: &'a Table, seat: usize, game: &'a Game) -> Self {
        let view = View { table, side: seat, game };
        let swapped = view.arbitration().is_some_and(|arbitration| arbitration.seats_swapped);
        View { side: if swapped { 1 - seat } else { seat }, ..view }
    }

    fn me(&self) -> Side {
        Table::side_pb(self.side)
    }

    fn progress(&self) -> Option<&'a Progress> {
        self.game.state.as_ref()?.progress.as_ref()
    }

    fn arbitration(&self) -> Option<&'a Arbitration> {
        self.progress()?.arbitration.as_ref()
    }

    fn ply(&self) -> u32 {
        self.game.state.as_ref().map_or(0, |state| state.ply)
    }

    fn may_act(&self) -> bool {
        self.game.state.as_ref().is_some_and(|state| state.actors().any(|actor| actor == self.me()))
    }

    /// What is wished, by the other side or by anybody.
    fn wishes(&self, other_only: bool) -> Vec<Wish> {
        let open = self.progress().into_iter().flat_map(|progress| &progress.proposals);
        let open = open.filter(|open| !other_only || open.side() != self.me());
        open.filter_map(|open| open.proposal.as_ref()?.proposal).collect()
    }

    /// Whether a deed is in place now.
    fn fits(&self, deed: Deed) -> bool {
        let (stage, event) = (stage(self.game), self.table.bench.is_some());
        let running = stage < Stage::Ended;
        match deed {
            Deed::Play | Deed::PlayStale | Deed::PlayWrong => stage == Stage::Playing,
            Deed::Resign | Deed::OfferDraw | Deed::AcceptDraw | Deed::DeclineDraw => running,
            Deed::Abort | Deed::GiveTime => running && !event,
            Deed::Propose => running && stage != Stage::Waiting,
            Deed::Agree => !self.wishes(true).is_empty(),
            Deed::Drop => !self.wishes(false).is_empty(),
            Deed::CheckIn => stage == Stage::Waiting,
            Deed::SealMove => {
                let sealer = self.progress().and_then(|progress| progress.adjournment.as_ref());
                stage == Stage::Sealing && sealer.is_some_and(|it| it.sealer() == self.me())
            }
            Deed::CallArbiter | Deed::FileClaim => event,
            Deed::Appeal => self.claim(ClaimState::Decided).is_some(),
            Deed::Confirm => stage == Stage::Ended,
            Deed::Wait => true,
        }
    }

    fn claim(&self, state: ClaimState) -> Option<u32> {
        let claims = &self.arbitration()?.claims;
        claims.iter().find(|claim| claim.state() == state).map(|claim| claim.number)
    }
}

impl Deed {
    /// A deed by chance, for a player who sees this.
    pub fn choose(dice: &Dice, view: &View<'_>) -> Deed {
        let may_act = view.may_act();
        let weight = |row: &'static (Deed, u32, u32)| {
            let weight = if may_act { row.1 } else { row.2 };
            (&row.0, if view.fits(row.0) { weight * OUT_OF_PLACE } else { weight.min(20) })
        };
        let rows: Vec<_> = TABLE.iter().map(weight).collect();
        dice.weighed(rows).copied().unwrap_or(Deed::Wait)
    }

    /// What is to be sent for it in a game as it stands; `None` when there is nothing.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub async fn prepare(
        self,
        clients: &Clients,
        view: &View<'_>,
        dice: &Dice,
        env: &Env,
    ) -> Result<Option<Order>, Status> {
        let body = match self {
            Deed::Wait => None,
            Deed::Play | Deed::PlayStale => {
                let (act, ply) = act(clients, view, dice).await?;
                let ply = if self == Deed::PlayStale { view.ply().saturating_sub(1) } else { ply };
                act.map(|act| Body::Act { act, ply })
            }
            Deed::PlayWrong => Some(Body::Act { act: wrong(dice), ply: view.ply() }),
            Deed::Propose => Some(Body::Wish(wish(view, dice, env))),
            Deed::Agree | Deed::Drop => {
                let wishes = view.wishes(self == Deed::Agree);
                (!wishes.is_empty()).then(|| Body::Wish(*dice.pick(&wishes)))
            }
            Deed::GiveTime => Some(Body::Gift(*dice.pick(&[0, 1, 5, 601].map(Duration::from_secs)))),
            Deed::SealMove => {
                let (act, ply) = act(clients, view, dice).await?;
                let act = act.filter(|_| !dice.chance(0.3)).unwrap_or_else(|| wrong(dice));
                let key =
                    clients.games.clone().get_sealing_key(GetSealingKeyRequest {}).await?.into_inner().key;
                let seal = |key| env.with_rng(|rng| sealing::seal(&key, &view.table.id, ply, &act, rng)).ok();
                key.and_then(seal).map(Body::Sealed)
            }
            Deed::CallArbiter => {
                let text = "come".to_owned();
                Some(Body::Asked(Asked::CallArbiter(petition::CallArbiter { text })))
            }
            Deed::FileClaim => Some(Body::Asked(Asked::FileClaim(claim(view, dice)))),
            Deed::Appeal => {
                let claim = view.claim(ClaimState::Decided).unwrap_or(1);
                Some(Body::Asked(Asked::Appeal(petition::Appeal { claim, text: "no".to_owned() })))
            }
            Deed::Confirm => Some(Body::Asked(Asked::Confirm(petition::Confirm {}))),
            Deed::Resign
            | Deed::OfferDraw
            | Deed::AcceptDraw
            | Deed::DeclineDraw
            | Deed::Abort
            | Deed::CheckIn => Some(Body::Nothing),
        };
        Ok(body.map(|body| Order { deed: self, body }))
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Play => "play",
            Deed::PlayStale => "play in a past position",
            Deed::PlayWrong => "play what is wrong",
            Deed::Resign => "resign",
            Deed::OfferDraw => "offer a draw",
            Deed::AcceptDraw => "accept a draw",
            Deed::DeclineDraw => "decline a draw",
            Deed::Abort => "abort",
            Deed::Propose => "propose",
            Deed::Agree => "agree",
            Deed::Drop => "drop a proposal",
            Deed::GiveTime => "give time",
            Deed::CheckIn => "check in",
            Deed::SealMove => "seal a move",
            Deed::CallArbiter => "call an arbiter",
            Deed::FileClaim => "file a claim",
            Deed::Appeal => "appeal",
            Deed::Confirm => "confirm",
            Deed::Wait => "wait",
        }
    }
}

/// An act that the rules allow, and the ply at which they do.
async fn act(clients: &Clients, view: &View<'_>, dice: &Dice) -> Result<(Option<String>, u32), Status> {
    let request = ListHintsRequest { game_id: view.table.id.clone(), side: view.me() as i32 };
    let answer = clients.games.clone().list_hints(request).await?.into_inner();
    let whole = answer.hints.iter().filter(|hint| hint.choices_left == 0);
    let complete: Vec<&str> = whole.map(|hint| hint.text.as_str()).collect();
    let act = if complete.is_empty() {
        Table::complete_act(view.game, view.side, dice)
    } else {
        Some((*dice.pick(&complete)).to_owned())
    };
    Ok((act, answer.ply))
}

fn wrong(dice: &Dice) -> String {
    (*dice.pick(&["A1", "no such act", "pass", "accept", "seed 00 00", "expire", "", "C3"])).to_owned()
}

fn wish(view: &View<'_>, dice: &Dice, env: &Env) -> Wish {
    let ply = u32::try_from(dice.below(3)).unwrap_or(0) + 1;
    let at = env.now() + dice.between(Duration::ZERO, Duration::from_secs(20));
    let resume_at = Wish::ResumeAt(proposal::ResumeAt { resumption_time: Some(api::time::timestamp(at)) });
    let undo = Wish::Undo(proposal::Undo { ply: view.ply().saturating_sub(ply) });
    let paused = view.progress().is_some_and(|progress| !progress.pauses.is_empty());
    match stage(view.game) {
        Stage::Adjourned => resume_at,
        Stage::Playing if paused && dice.chance(0.8) => Wish::Resume(proposal::Resume {}),
        Stage::Playing if view.table.bench.is_some() && dice.chance(0.7) => {
            Wish::Adjourn(proposal::Adjourn {})
        }
        _ => *dice.pick(&[
            undo,
            undo,
            Wish::Pause(proposal::Pause {}),
            Wish::Resume(proposal::Resume {}),
            resume_at,
        ]),
    }
}

fn claim(view: &View<'_>, dice: &Dice) -> petition::FileClaim {
    let incidents = view.arbitration().map_or(0, |arbitration| arbitration.incidents);
    let kinds = [ClaimKind::Other, ClaimKind::Conduct, ClaimKind::Count, ClaimKind::NoWinningForce];
    let kind = if incidents > 0 && dice.chance(0.6) { ClaimKind::Decision } else { *dice.pick(&kinds) };
    petition::FileClaim {
        kind: kind as i32,
        text: "look at this".to_owned(),
        evidence_sha256: Vec::new(),
        incident: if kind == ClaimKind::Decision { incidents } else { 0 },
        urgent: dice.chance(0.8),
        ply: if kind == ClaimKind::Conduct { view.ply() } else { 0 },
    }
}

impl Order {
    /// A resignation.
    pub const fn resignation() -> Self {
        Order { deed: Deed::Resign, body: Body::Nothing }
    }

    /// Sends it under a request id; the event that it has become.
    ///
    /// # Errors
    /// What the server says.
    pub async fn send(
        &self,
        clients: &Clients,
        game: &str,
        request: &str,
    ) -> Result<Option<GameEvent>, Status> {
        let Clients { mut games, mut officials } = clients.clone();
        let (game_id, request_id) = (game.to_owned(), request.to_owned());
        let event = match self.body.clone() {
            Body::Act { act, ply } => {
                let request = PlayRequest { game_id, act, ply, request_id, lag_duration: None };
                games.play(request).await?.into_inner().event
            }
            Body::Wish(wish) => {
                let proposal = Some(Proposal { proposal: Some(wish) });
                if self.deed == Deed::Drop {
                    let request = DropProposalRequest { game_id, proposal, request_id };
                    games.drop_proposal(request).await?.into_inner().event
                } else {
                    let request = ProposeRequest { game_id, proposal, request_id };
                    games.propose(request).await?.into_inner().event
                }
            }
            Body::Gift(gift) => {
                let given_duration = Some(api::time::duration(gift));
                let request = GiveTimeRequest { game_id, given_duration, request_id };
                games.give_time(request).await?.into_inner().event
            }
            Body::Asked(asked) => {
                let petition = Some(Petition { petition: Some(asked) });
                let request = PetitionRequest { game_id, petition, request_id };
                officials.petition(request).await?.into_inner().event
            }
            Body::Sealed(sealed) => {
                let sealing::SealedMove { commitment, key_id, ciphertext } = sealed;
                let commitment = commitment.to_vec();
                let request = SealMoveRequest { game_id, commitment, key_id, ciphertext, request_id };
                games.seal_move(request).await?.into_inner().event
            }
            Body::Nothing => return self.send_bare(games, game_id, request_id).await,
        };
        Ok(event)
    }

    /// Sends a deed of which nothing more is to be said.
    async fn send_bare(
        &self,
        mut games: GameServiceClient<Transport>,
        game_id: String,
        request_id: String,
    ) -> Result<Option<GameEvent>, Status> {
        Ok(match self.deed {
            Deed::OfferDraw => {
                games.offer_draw(OfferDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Deed::AcceptDraw => {
                games.accept_draw(AcceptDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Deed::DeclineDraw => {
                games.decline_draw(DeclineDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Deed::Abort => games.abort(AbortRequest { game_id, request_id }).await?.into_inner().event,
            Deed::CheckIn => games.check_in(CheckInRequest { game_id, request_id }).await?.into_inner().event,
            _ => games.resign(ResignRequest { game_id, request_id }).await?.into_inner().event,
        })
    }
}
