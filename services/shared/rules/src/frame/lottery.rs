use crate::{Author, Commitment, Lot, Opening, Secret, Side};
use alloc::borrow::Cow;

/// A lottery that nobody can steer and everybody can check: the system and the two players each commit to a
/// seed, then open it, and every number follows from all the seeds ([`Lot`]).
///
/// ```text
/// System ──(the system gives its seed; only its commitment is shown)──> Commit
/// Commit ──(both players have committed, or time is up)──> Reveal, or Done if nobody committed
/// Reveal ──(all who committed have revealed, or time is up)──> Done
/// ```
///
/// Who has not committed or not revealed in time is left out. The system's seed is opened with the last step
/// and not before: as long as a player may still choose whether to reveal, no player can know the outcome, so
/// that leaving oneself out is a step into the dark as well.
///
/// ```
/// use rules::{Lottery, Opening, Side};
/// let parts = [1, 2, 3].map(|byte| Opening::new([byte; 32], [byte; 32]));
/// let mut lottery = Lottery::new("nigiri");
/// lottery.contribute(parts[0])?;
/// lottery.commit(Side::First, parts[1].commitment())?;
/// lottery.commit(Side::Second, parts[2].commitment())?;
/// assert!(lottery.reveal(Side::Second, parts[1]).is_err());
/// lottery.reveal(Side::Second, parts[2])?;
/// lottery.reveal(Side::First, parts[1])?;
/// let proof = lottery.proof().unwrap();
/// assert!(proof.verify().is_ok());
/// # Ok::<(), rules::LotteryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lottery {
    purpose: &'static str,
    stage: LotteryStage,
    house: Option<Secret<Opening>>,
    commitments: [Option<Commitment>; 3],
    /// What is open, by [`Author::index`].
    openings: [Option<Opening>; 3],
}

/// How far a lottery has come.
///
/// ```
/// use rules::{Lottery, LotteryStage, Opening};
/// let mut lottery = Lottery::new("nigiri");
/// assert_eq!(lottery.stage(), LotteryStage::System);
/// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
/// assert_eq!(lottery.stage(), LotteryStage::Commit);
/// # Ok::<(), rules::LotteryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LotteryStage {
    /// The system gives its part.
    System,
    /// The players commit.
    Commit,
    /// Those who committed reveal.
    Reveal,
    /// Everything is open.
    Done,
}

reasons! {
    /// Why a step of a lottery is refused. The lottery is then as it was.
    ///
    /// ```
    /// use rules::{Lottery, LotteryError, Opening, Side};
    /// let own = Opening::new([1; 32], [2; 32]);
    /// let mut lottery = Lottery::new("nigiri");
    /// assert_eq!(lottery.commit(Side::First, own.commitment()), Err(LotteryError::SystemFirst));
    /// lottery.contribute(Opening::new([3; 32], [4; 32]))?;
    /// assert_eq!(lottery.reveal(Side::First, own), Err(LotteryError::TooEarly));
    /// # Ok::<(), LotteryError>(())
    /// ```
    #[derive(Copy, Hash)]
    pub enum LotteryError {
        /// The system gives its part first.
        SystemFirst => "HOUSE_FIRST" ("the house commits first"),
        /// This party has taken this step already.
        AlreadyDone => "ALREADY_DONE" ("this has been done and cannot be changed"),
        /// The time for commitments is over, or the lottery is.
        TooLate => "TOO_LATE" ("the time for this is over"),
        /// There is nothing to reveal before everybody has committed.
        TooEarly => "TOO_EARLY" ("seeds are revealed when all have committed"),
        /// This party has not committed, and is left out.
        NotCommitted => "NOT_COMMITTED" ("who did not commit is left out of the lottery"),
        /// Salt and seed are not those that were committed to.
        WrongReveal => "WRONG_REVEAL" ("salt and seed are not those that were committed to"),
        /// Nothing waits for the system.
        NothingDue => "NOTHING_DUE" as Turn ("nothing waits for the house"),
    }
}

/// A finished lottery: all that is needed to check it, in the order house, first side, second side.
///
/// A commitment without an opening, or neither, is a party that was left out.
///
/// ```
/// use rules::{Lot, Opening, Proof};
/// let house = Opening::new([1; 32], [2; 32]);
/// let proof = Proof {
///     purpose: "nigiri".into(),
///     commitments: [Some(house.commitment()), None, None],
///     openings: [Some(house), None, None],
/// };
/// assert_eq!(proof.verify(), Ok(Lot::of("nigiri", [Some(&house), None, None])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What was drawn for; part of the hashed text.
    pub purpose: Cow<'static, str>,
    /// What each party promised.
    pub commitments: [Option<Commitment>; 3],
    /// What each party opened.
    pub openings: [Option<Opening>; 3],
}

/// Why a proof proves nothing.
///
/// ```
/// use rules::{Author, Opening, Proof, ProofError};
/// let [told, promised] = [1, 2].map(|byte| Opening::new([byte; 32], [byte; 32]));
/// let mut proof = Proof { purpose: "nigiri".into(), commitments: [None; 3], openings: [None; 3] };
/// assert_eq!(proof.verify(), Err(ProofError::NoSystem));
/// proof.commitments[0] = Some(promised.commitment());
/// proof.openings[0] = Some(told);
/// assert_eq!(proof.verify(), Err(ProofError::Mismatch(Author::System)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ProofError {
    /// The system, which cannot be left out, was.
    #[error("the house is missing from the lottery")]
    NoSystem,
    /// This party opened what it had not committed to.
    #[error("the {} part is not what was committed to", .0.name())]
    Mismatch(Author),
}

impl Lottery {
    /// How long players have for each of the two steps: three minutes, as for the bids (2.2 of the rules page).
    ///
    /// ```
    /// assert_eq!(core::time::Duration::from_millis(rules::Lottery::STEP_MS).as_secs(), 180);
    /// ```
    pub const STEP_MS: u64 = 3 * 60 * 1000;

    /// A lottery for a purpose, a lower case word. Two lotteries of one game have different purposes.
    ///
    /// ```
    /// let lottery = rules::Lottery::new("nigiri");
    /// assert_eq!(lottery.stage(), rules::LotteryStage::System);
    /// assert!(lottery.proof().is_none());
    /// ```
    pub const fn new(purpose: &'static str) -> Lottery {
        Lottery {
            purpose,
            stage: LotteryStage::System,
            house: None,
            commitments: [None; 3],
            openings: [None; 3],
        }
    }

    /// How far it has come.
    ///
    /// ```
    /// use rules::{Lottery, LotteryStage, Opening};
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// lottery.expire()?;
    /// assert_eq!(lottery.stage(), LotteryStage::Done, "nobody committed");
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub const fn stage(&self) -> LotteryStage {
        self.stage
    }

    /// What a party has promised, which everybody may know.
    ///
    /// ```
    /// use rules::{Author, Lottery, Opening, Side};
    /// let mut lottery = Lottery::new("nigiri");
    /// let promised = lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(lottery.commitment(Author::System), Some(&promised));
    /// assert_eq!(lottery.commitment(Author::Side(Side::First)), None);
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub const fn commitment(&self, author: Author) -> Option<&Commitment> {
        self.commitments[author.index()].as_ref()
    }

    /// What a party has opened, which everybody may know.
    ///
    /// ```
    /// use rules::{Author, Lottery, Opening};
    /// let house = Opening::new([1; 32], [2; 32]);
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(house)?;
    /// assert!(lottery.opening(Author::System).is_none(), "closed until the end");
    /// lottery.expire()?;
    /// assert!(lottery.opening(Author::System) == Some(&house));
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub const fn opening(&self, author: Author) -> Option<&Opening> {
        self.openings[author.index()].as_ref()
    }

    /// Whether the lottery waits for this side.
    ///
    /// ```
    /// use rules::{Lottery, Opening, Side};
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// lottery.commit(Side::First, Opening::new([3; 32], [4; 32]).commitment())?;
    /// assert_eq!(Side::BOTH.map(|side| lottery.awaits(side)), [false, true]);
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub const fn awaits(&self, side: Side) -> bool {
        let index = Author::Side(side).index();
        match self.stage {
            LotteryStage::System | LotteryStage::Done => false,
            LotteryStage::Commit => self.commitments[index].is_none(),
            LotteryStage::Reveal => self.commitments[index].is_some() && self.openings[index].is_none(),
        }
    }

    /// The system gives its part, and everybody may know the commitment that is returned.
    ///
    /// ```
    /// use rules::{Lottery, LotteryError, Opening};
    /// let house = Opening::new([1; 32], [2; 32]);
    /// let mut lottery = Lottery::new("nigiri");
    /// assert_eq!(lottery.contribute(house), Ok(house.commitment()));
    /// assert_eq!(lottery.contribute(house), Err(LotteryError::NothingDue));
    /// ```
    ///
    /// # Errors
    /// [`LotteryError::NothingDue`] if it has done so.
    pub fn contribute(&mut self, opening: Opening) -> Result<Commitment, LotteryError> {
        if self.stage != LotteryStage::System {
            return Err(LotteryError::NothingDue);
        }
        let commitment = opening.commitment();
        self.commitments[Author::System.index()] = Some(commitment);
        self.house = Some(Secret::new(opening));
        self.stage = LotteryStage::Commit;
        Ok(commitment)
    }

    /// A player commits.
    ///
    /// ```
    /// use rules::{Lottery, LotteryError, Opening, Side};
    /// let mut lottery = Lottery::new("nigiri");
    /// let promised = lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(lottery.commit(Side::First, promised), Ok(()));
    /// assert_eq!(lottery.commit(Side::First, promised), Err(LotteryError::AlreadyDone));
    /// # Ok::<(), LotteryError>(())
    /// ```
    ///
    /// # Errors
    /// It is not the time, or this player has committed.
    pub fn commit(&mut self, side: Side, commitment: Commitment) -> Result<(), LotteryError> {
        match self.stage {
            LotteryStage::System => Err(LotteryError::SystemFirst),
            LotteryStage::Reveal | LotteryStage::Done => Err(LotteryError::TooLate),
            LotteryStage::Commit if !self.awaits(side) => Err(LotteryError::AlreadyDone),
            LotteryStage::Commit => {
                self.commitments[Author::Side(side).index()] = Some(commitment);
                if !Side::BOTH.into_iter().any(|side| self.awaits(side)) {
                    self.stage = LotteryStage::Reveal;
                }
                Ok(())
            }
        }
    }

    /// A player opens what he committed to.
    ///
    /// ```
    /// use rules::{Lottery, LotteryError, Opening, Side};
    /// let [house, first] = [1, 2].map(|byte| Opening::new([byte; 32], [byte; 32]));
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(house)?;
    /// lottery.commit(Side::First, first.commitment())?;
    /// lottery.expire()?;
    /// assert_eq!(lottery.reveal(Side::Second, house), Err(LotteryError::NotCommitted));
    /// assert_eq!(lottery.reveal(Side::First, house), Err(LotteryError::WrongReveal));
    /// assert_eq!(lottery.reveal(Side::First, first), Ok(()));
    /// # Ok::<(), LotteryError>(())
    /// ```
    ///
    /// # Errors
    /// It is not the time, this player has revealed or is left out, or it is something else.
    pub fn reveal(&mut self, side: Side, opening: Opening) -> Result<(), LotteryError> {
        let index = Author::Side(side).index();
        match (self.stage, self.commitments[index]) {
            (LotteryStage::System, _) => Err(LotteryError::SystemFirst),
            (LotteryStage::Commit, _) => Err(LotteryError::TooEarly),
            (LotteryStage::Done, _) => Err(LotteryError::TooLate),
            (LotteryStage::Reveal, None) => Err(LotteryError::NotCommitted),
            (LotteryStage::Reveal, Some(_)) if self.openings[index].is_some() => {
                Err(LotteryError::AlreadyDone)
            }
            (LotteryStage::Reveal, Some(promised)) if promised != opening.commitment() => {
                Err(LotteryError::WrongReveal)
            }
            (LotteryStage::Reveal, Some(_)) => {
                self.openings[index] = Some(opening);
                if !Side::BOTH.into_iter().any(|side| self.awaits(side)) {
                    self.finish();
                }
                Ok(())
            }
        }
    }

    /// Time is up: whoever the lottery waits for is left out.
    ///
    /// ```
    /// use rules::{Lottery, LotteryError, LotteryStage, Opening, Side};
    /// let mut lottery = Lottery::new("nigiri");
    /// assert_eq!(lottery.expire(), Err(LotteryError::NothingDue));
    /// let promised = lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// lottery.commit(Side::First, promised)?;
    /// lottery.expire()?;
    /// assert_eq!(lottery.stage(), LotteryStage::Reveal);
    /// # Ok::<(), LotteryError>(())
    /// ```
    ///
    /// # Errors
    /// [`LotteryError::NothingDue`] if it waits for no player.
    pub fn expire(&mut self) -> Result<(), LotteryError> {
        match self.stage {
            LotteryStage::System | LotteryStage::Done => return Err(LotteryError::NothingDue),
            LotteryStage::Commit if self.commitments[1..].iter().any(Option::is_some) => {
                self.stage = LotteryStage::Reveal;
            }
            LotteryStage::Commit | LotteryStage::Reveal => self.finish(),
        }
        Ok(())
    }

    /// The finished lottery; `None` while it is going on.
    ///
    /// ```
    /// use rules::{Lottery, Opening};
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(lottery.proof(), None);
    /// lottery.expire()?;
    /// assert_eq!(lottery.proof().unwrap().purpose, "nigiri");
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub fn proof(&self) -> Option<Proof> {
        (self.stage == LotteryStage::Done).then_some(Proof {
            purpose: Cow::Borrowed(self.purpose),
            commitments: self.commitments,
            openings: self.openings,
        })
    }

    fn finish(&mut self) {
        self.openings[Author::System.index()] = self.house.map(|opening| *opening.open());
        self.stage = LotteryStage::Done;
    }
}

impl Proof {
    /// Checks every opening against its commitment and gives the outcome.
    ///
    /// ```
    /// use rules::{Author, Lottery, Opening, ProofError};
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// lottery.expire()?;
    /// let mut proof = lottery.proof().unwrap();
    /// assert!(proof.verify().is_ok());
    /// proof.openings[0] = Some(Opening::new([1; 32], [3; 32]));
    /// assert_eq!(proof.verify(), Err(ProofError::Mismatch(Author::System)));
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    ///
    /// # Errors
    /// What does not fit.
    pub fn verify(&self) -> Result<Lot, ProofError> {
        for author in Author::ALL {
            match (self.commitments[author.index()], self.openings[author.index()]) {
                (Some(promised), Some(opening)) if promised == opening.commitment() => {}
                (_, None) if author == Author::System => return Err(ProofError::NoSystem),
                (_, None) => {}
                (_, Some(_)) => return Err(ProofError::Mismatch(author)),
            }
        }
        Ok(Lot::of(&self.purpose, self.openings.each_ref().map(Option::as_ref)))
    }

    /// Whether a party was left out.
    ///
    /// ```
    /// use rules::{Author, Lottery, Opening};
    /// let mut lottery = Lottery::new("nigiri");
    /// lottery.contribute(Opening::new([1; 32], [2; 32]))?;
    /// lottery.expire()?;
    /// let proof = lottery.proof().unwrap();
    /// assert_eq!(Author::ALL.map(|author| proof.left_out(author)), [false, true, true]);
    /// # Ok::<(), rules::LotteryError>(())
    /// ```
    pub const fn left_out(&self, author: Author) -> bool {
        self.openings[author.index()].is_none()
    }
}
