//! What a player does: one table. Whoever adds a call to the game service adds a row, and its arms in
//! [`Action::prepare`] and [`Order::send`].

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

use crate::{player::stage, rng::Rng, table::Table};

/// A way of acting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
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

/// How likely each action is for who may act, and for who may not.
const TABLE: &[(Action, u32, u32)] = &[
    (Action::Play, 1000, 10),
    (Action::PlayStale, 20, 5),
    (Action::PlayWrong, 20, 5),
    (Action::Resign, 4, 2),
    (Action::OfferDraw, 15, 10),
    (Action::AcceptDraw, 8, 12),
    (Action::DeclineDraw, 10, 15),
    (Action::Abort, 4, 2),
    (Action::Propose, 20, 20),
    (Action::Agree, 150, 250),
    (Action::Drop, 30, 30),
    (Action::GiveTime, 10, 10),
    (Action::CheckIn, 0, 400),
    (Action::SealMove, 0, 700),
    (Action::CallArbiter, 8, 8),
    (Action::FileClaim, 12, 12),
    (Action::Appeal, 40, 40),
    (Action::Confirm, 0, 250),
    (Action::Wait, 40, 600),
];
/// How likely an action is that is out of place, to those that are in place.
const OUT_OF_PLACE: u32 = 100;

/// A game as a player sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    table: &'a Table,
    side: usize,
    game: &'a Game,
}

/// An action with all that is sent of it, so that it can be sent again.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// What is done.
    pub action: Action,
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
pub(crate) struct Clients {
    /// Of the games.
    pub games: GameServiceClient<Transport>,
    /// Of the officials.
    pub officials: ArbiterServiceClient<Transport>,
}

impl Clients {
    /// The clients of whoever this transport calls for.
    pub(crate) fn new(transport: &Transport) -> Self {
        Clients {
            games: GameServiceClient::new(transport.clone()).max_decoding_message_size(ANSWER_BYTES_MAX),
            officials: ArbiterServiceClient::new(transport.clone()),
        }
    }
}

impl<'a> View<'a> {
    /// The game as who has this seat sees it.
    pub(crate) fn new(table: &'a Table, seat: usize, game: &'a Game) -> Self {
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

    /// Whether an action is in place now.
    fn fits(&self, action: Action) -> bool {
        let (stage, event) = (stage(self.game), self.table.officials.is_some());
        let running = stage < Stage::Ended;
        match action {
            Action::Play | Action::PlayStale | Action::PlayWrong => stage == Stage::Playing,
            Action::Resign | Action::OfferDraw | Action::AcceptDraw | Action::DeclineDraw => running,
            Action::Abort | Action::GiveTime => running && !event,
            Action::Propose => running && stage != Stage::Waiting,
            Action::Agree => !self.wishes(true).is_empty(),
            Action::Drop => !self.wishes(false).is_empty(),
            Action::CheckIn => stage == Stage::Waiting,
            Action::SealMove => {
                let sealer = self.progress().and_then(|progress| progress.adjournment.as_ref());
                stage == Stage::Sealing && sealer.is_some_and(|it| it.sealer() == self.me())
            }
            Action::CallArbiter | Action::FileClaim => event,
            Action::Appeal => self.claim(ClaimState::Decided).is_some(),
            Action::Confirm => stage == Stage::Ended,
            Action::Wait => true,
        }
    }

    fn claim(&self, state: ClaimState) -> Option<u32> {
        let claims = &self.arbitration()?.claims;
        claims.iter().find(|claim| claim.state() == state).map(|claim| claim.number)
    }
}

impl Action {
    /// An action by chance, for a player who sees this.
    pub(crate) fn choose(rng: &Rng, view: &View<'_>) -> Action {
        let may_act = view.may_act();
        let weight = |row: &'static (Action, u32, u32)| {
            let weight = if may_act { row.1 } else { row.2 };
            (&row.0, if view.fits(row.0) { weight * OUT_OF_PLACE } else { weight.min(20) })
        };
        let rows: Vec<_> = TABLE.iter().map(weight).collect();
        rng.weighed(rows).copied().unwrap_or(Action::Wait)
    }

    /// What is to be sent for it in a game as it stands; `None` when there is nothing.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub(crate) async fn prepare(
        self,
        clients: &Clients,
        view: &View<'_>,
        rng: &Rng,
        env: &Env,
    ) -> Result<Option<Order>, Status> {
        let body = match self {
            Action::Wait => None,
            Action::Play | Action::PlayStale => {
                let (act, ply) = act(clients, view, rng).await?;
                let ply = if self == Action::PlayStale { view.ply().saturating_sub(1) } else { ply };
                act.map(|act| Body::Act { act, ply })
            }
            Action::PlayWrong => Some(Body::Act { act: wrong(rng), ply: view.ply() }),
            Action::Propose => Some(Body::Wish(wish(view, rng, env))),
            Action::Agree | Action::Drop => {
                let wishes = view.wishes(self == Action::Agree);
                (!wishes.is_empty()).then(|| Body::Wish(*rng.pick(&wishes)))
            }
            Action::GiveTime => Some(Body::Gift(*rng.pick(&[0, 1, 5, 601].map(Duration::from_secs)))),
            Action::SealMove => {
                let (act, ply) = act(clients, view, rng).await?;
                let act = act.filter(|_| !rng.chance(0.3)).unwrap_or_else(|| wrong(rng));
                let key =
                    clients.games.clone().get_sealing_key(GetSealingKeyRequest {}).await?.into_inner().key;
                let seal = |key| env.with_rng(|rng| sealing::seal(&key, &view.table.id, ply, &act, rng)).ok();
                key.and_then(seal).map(Body::Sealed)
            }
            Action::CallArbiter => {
                let text = "come".to_owned();
                Some(Body::Asked(Asked::CallArbiter(petition::CallArbiter { text })))
            }
            Action::FileClaim => Some(Body::Asked(Asked::FileClaim(claim(view, rng)))),
            Action::Appeal => {
                let claim = view.claim(ClaimState::Decided).unwrap_or(1);
                Some(Body::Asked(Asked::Appeal(petition::Appeal { claim, text: "no".to_owned() })))
            }
            Action::Confirm => Some(Body::Asked(Asked::Confirm(petition::Confirm {}))),
            Action::Resign
            | Action::OfferDraw
            | Action::AcceptDraw
            | Action::DeclineDraw
            | Action::Abort
            | Action::CheckIn => Some(Body::Nothing),
        };
        Ok(body.map(|body| Order { action: self, body }))
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Action::Play => "play",
            Action::PlayStale => "play in a past position",
            Action::PlayWrong => "play what is wrong",
            Action::Resign => "resign",
            Action::OfferDraw => "offer a draw",
            Action::AcceptDraw => "accept a draw",
            Action::DeclineDraw => "decline a draw",
            Action::Abort => "abort",
            Action::Propose => "propose",
            Action::Agree => "agree",
            Action::Drop => "drop a proposal",
            Action::GiveTime => "give time",
            Action::CheckIn => "check in",
            Action::SealMove => "seal a move",
            Action::CallArbiter => "call an arbiter",
            Action::FileClaim => "file a claim",
            Action::Appeal => "appeal",
            Action::Confirm => "confirm",
            Action::Wait => "wait",
        }
    }
}

/// An act that the rules allow, and the ply at which they do.
async fn act(clients: &Clients, view: &View<'_>, rng: &Rng) -> Result<(Option<String>, u32), Status> {
    let request = ListHintsRequest { game_id: view.table.id.clone(), side: view.me() as i32 };
    let answer = clients.games.clone().list_hints(request).await?.into_inner();
    let whole = answer.hints.iter().filter(|hint| hint.choices_left == 0);
    let complete: Vec<&str> = whole.map(|hint| hint.text.as_str()).collect();
    let act = if complete.is_empty() {
        Table::complete_act(view.game, view.side, rng)
    } else {
        Some((*rng.pick(&complete)).to_owned())
    };
    Ok((act, answer.ply))
}

fn wrong(rng: &Rng) -> String {
    (*rng.pick(&["A1", "no such act", "pass", "accept", "seed 00 00", "expire", "", "C3"])).to_owned()
}

fn wish(view: &View<'_>, rng: &Rng, env: &Env) -> Wish {
    let ply = u32::try_from(rng.below(3)).unwrap_or(0) + 1;
    let at = env.now() + rng.between(Duration::ZERO, Duration::from_secs(20));
    let resume_at = Wish::ResumeAt(proposal::ResumeAt { resumption_time: Some(api::time::timestamp(at)) });
    let undo = Wish::Undo(proposal::Undo { ply: view.ply().saturating_sub(ply) });
    let paused = view.progress().is_some_and(|progress| !progress.pauses.is_empty());
    match stage(view.game) {
        Stage::Adjourned => resume_at,
        Stage::Playing if paused && rng.chance(0.8) => Wish::Resume(proposal::Resume {}),
        Stage::Playing if view.table.officials.is_some() && rng.chance(0.7) => {
            Wish::Adjourn(proposal::Adjourn {})
        }
        _ => *rng.pick(&[
            undo,
            undo,
            Wish::Pause(proposal::Pause {}),
            Wish::Resume(proposal::Resume {}),
            resume_at,
        ]),
    }
}

fn claim(view: &View<'_>, rng: &Rng) -> petition::FileClaim {
    let incidents = view.arbitration().map_or(0, |arbitration| arbitration.incidents);
    let kinds = [ClaimKind::Other, ClaimKind::Conduct, ClaimKind::Count, ClaimKind::NoWinningForce];
    let kind = if incidents > 0 && rng.chance(0.6) { ClaimKind::Decision } else { *rng.pick(&kinds) };
    petition::FileClaim {
        kind: kind as i32,
        text: "look at this".to_owned(),
        evidence_sha256: Vec::new(),
        incident: if kind == ClaimKind::Decision { incidents } else { 0 },
        urgent: rng.chance(0.8),
        ply: if kind == ClaimKind::Conduct { view.ply() } else { 0 },
    }
}

impl Order {
    /// A resignation.
    pub(crate) const fn resignation() -> Self {
        Order { action: Action::Resign, body: Body::Nothing }
    }

    /// Sends it under a request id; the event that it has become.
    ///
    /// # Errors
    /// What the server says.
    pub(crate) async fn send(
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
                if self.action == Action::Drop {
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

    /// Sends an action of which nothing more is to be said.
    async fn send_bare(
        &self,
        mut games: GameServiceClient<Transport>,
        game_id: String,
        request_id: String,
    ) -> Result<Option<GameEvent>, Status> {
        Ok(match self.action {
            Action::OfferDraw => {
                games.offer_draw(OfferDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Action::AcceptDraw => {
                games.accept_draw(AcceptDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Action::DeclineDraw => {
                games.decline_draw(DeclineDrawRequest { game_id, request_id }).await?.into_inner().event
            }
            Action::Abort => games.abort(AbortRequest { game_id, request_id }).await?.into_inner().event,
            Action::CheckIn => {
                games.check_in(CheckInRequest { game_id, request_id }).await?.into_inner().event
            }
            _ => games.resign(ResignRequest { game_id, request_id }).await?.into_inner().event,
        })
    }
}
