reasons! {
    /// Why an act is refused. The position is then as it was.
    #[derive(Copy, Hash)]
    pub enum Illegal {
        /// The game has ended.
        GameOver => "GAME_OVER" as Turn ("the game has ended"),
        /// The other side is to act.
        NotYourTurn => "NOT_YOUR_TURN" as Turn ("the other side is to act"),
        /// A stone stands on the point.
        Occupied => "OCCUPIED" as Occupied ("a stone stands on this point"),
        /// The board has no such point.
        OffBoard => "OFF_BOARD" ("the board has no such point"),
        /// The stone's chain would have no liberty and nothing would be captured (article 5).
        Suicide => "SUICIDE" as Forbidden ("the stone would have no liberty and captures nothing"),
        /// It would take back a ko at once (article 20.1).
        Ko => "KO" as Forbidden ("the ko was taken just now; play elsewhere first"),
        /// It would bring back an earlier board in a way that is forbidden (article 6).
        Repetition => "REPETITION" as Forbidden ("this would bring back an earlier board"),
        /// No more stones can be played after [`super::MAX_TURNS`] turns.
        TurnLimit => "TURN_LIMIT" ("the game has too many turns; only a pass is left"),
        /// The handicap stones come first.
        HandicapFirst => "HANDICAP_FIRST" ("the handicap stones are placed first"),
        /// The point is not forbidden, or forbidden moves are refused rather than void.
        NotVoid => "NOT_VOID" ("this move is not void"),
        /// There is no long cycle to claim, or the arbiter has been asked already.
        NoLongCycle => "NO_LONG_CYCLE" ("there is no long cycle to claim"),
        /// Both have confirmed the end; what is dead is to be agreed on, or disputed.
        InAgreement => "IN_AGREEMENT" ("the end is confirmed; agree on the dead stones or reject"),
        /// The end has not been confirmed by both.
        NotInAgreement => "NOT_IN_AGREEMENT" ("the end has not been confirmed by both sides"),
        /// The opponent has proposed nothing.
        NoProposal => "NO_PROPOSAL" ("the other side has proposed nothing"),
        /// The opponent's proposal is another one than was accepted.
        ProposalChanged => "PROPOSAL_CHANGED" ("the other side's proposal is another one now"),
        /// A point without a stone was called dead.
        NoStone => "NO_STONE" ("a point without a stone cannot be dead"),
        /// Too many proposals were made.
        TooManyProposals => "TOO_MANY_PROPOSALS" ("too many proposals were made; answer the last one"),
    }
}
