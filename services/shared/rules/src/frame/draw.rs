use crate::{Author, Commitment, Lot, Opening, Secret, Side};
use alloc::borrow::Cow;

/// A draw that nobody can steer and everybody can check: the house and the two players each commit to a
/// seed, then open it, and every number follows from all the seeds ([`Lot`]).
///
/// ```text
/// House ──(the house gives its seed; only its commitment is shown)──> Commit
/// Commit ──(both players have committed, or time is up)──> Reveal, or Done if nobody committed
/// Reveal ──(all who committed have revealed, or time is up)──> Done
/// ```
///
/// Who has not committed or not revealed in time is left out. The house's seed is opened with the last step
/// and not before: as long as a player may still choose whether to reveal, no player can know the outcome, so
/// that leaving oneself out is a step into the dark as well.
///
/// ```
/// use rules::{Draw, Opening, Side};
/// let parts = [1, 2, 3].map(|byte| Opening::new([byte; 32], [byte; 32]));
/// let mut draw = Draw::new("nigiri");
/// draw.contribute(parts[0])?;
/// draw.commit(Side::First, parts[1].commitment())?;
/// draw.commit(Side::Second, parts[2].commitment())?;
/// assert!(draw.reveal(Side::Second, parts[1]).is_err());
/// draw.reveal(Side::Second, parts[2])?;
/// draw.reveal(Side::First, parts[1])?;
/// let proof = draw.proof().unwrap();
/// assert!(proof.verify().is_ok());
/// # Ok::<(), rules::DrawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Draw {
    purpose: &'static str,
    stage: DrawStage,
    house: Option<Secret<Opening>>,
    commitments: [Option<Commitment>; 3],
    /// What is open, by [`Author::index`].
    openings: [Option<Opening>; 3],
}

/// How far a draw has come.
///
/// ```
/// use rules::{Draw, DrawStage, Opening};
/// let mut draw = Draw::new("nigiri");
/// assert_eq!(draw.stage(), DrawStage::House);
/// draw.contribute(Opening::new([1; 32], [2; 32]))?;
/// assert_eq!(draw.stage(), DrawStage::Commit);
/// # Ok::<(), rules::DrawError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawStage {
    /// The house gives its part.
    House,
    /// The players commit.
    Commit,
    /// Those who committed reveal.
    Reveal,
    /// Everything is open.
    Done,
}

reasons! {
    /// Why a step of a draw is refused. The draw is then as it was.
    ///
    /// ```
    /// use rules::{Draw, DrawError, Opening, Side};
    /// let own = Opening::new([1; 32], [2; 32]);
    /// let mut draw = Draw::new("nigiri");
    /// assert_eq!(draw.commit(Side::First, own.commitment()), Err(DrawError::HouseFirst));
    /// draw.contribute(Opening::new([3; 32], [4; 32]))?;
    /// assert_eq!(draw.reveal(Side::First, own), Err(DrawError::TooEarly));
    /// # Ok::<(), DrawError>(())
    /// ```
    #[derive(Copy, Hash)]
    pub enum DrawError {
        /// The house gives its part first.
        HouseFirst => "HOUSE_FIRST" ("the house commits first"),
        /// This party has taken this step already.
        AlreadyDone => "ALREADY_DONE" ("this has been done and cannot be changed"),
        /// The time for commitments is over, or the draw is.
        TooLate => "TOO_LATE" ("the time for this is over"),
        /// There is nothing to reveal before everybody has committed.
        TooEarly => "TOO_EARLY" ("seeds are revealed when all have committed"),
        /// This party has not committed, and is left out.
        NotCommitted => "NOT_COMMITTED" ("who did not commit is left out of the draw"),
        /// Salt and seed are not those that were committed to.
        WrongReveal => "WRONG_REVEAL" ("salt and seed are not those that were committed to"),
        /// Nothing waits for the house.
        NothingDue => "NOTHING_DUE" as Turn ("nothing waits for the house"),
    }
}

/// A finished draw: all that is needed to check it, in the order house, first side, second side.
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
/// assert_eq!(proof.verify(), Err(ProofError::NoHouse));
/// proof.commitments[0] = Some(promised.commitment());
/// proof.openings[0] = Some(told);
/// assert_eq!(proof.verify(), Err(ProofError::Mismatch(Author::House)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ProofError {
    /// The house, which cannot be left out, was.
    #[error("the house is missing from the draw")]
    NoHouse,
    /// This party opened what it had not committed to.
    #[error("the {} part is not what was committed to", .0.name())]
    Mismatch(Author),
}

impl Draw {
    /// How long players have for each of the two steps: three minutes, as for the bids (2.2 of the rules page).
    ///
    /// ```
    /// assert_eq!(core::time::Duration::from_millis(rules::Draw::STEP_MS).as_secs(), 180);
    /// ```
    pub const STEP_MS: u64 = 3 * 60 * 1000;

    /// A draw for a purpose, a lower case word. Two draws of one game have different purposes.
    ///
    /// ```
    /// let draw = rules::Draw::new("nigiri");
    /// assert_eq!(draw.stage(), rules::DrawStage::House);
    /// assert!(draw.proof().is_none());
    /// ```
    pub const fn new(purpose: &'static str) -> Draw {
        Draw { purpose, stage: DrawStage::House, house: None, commitments: [None; 3], openings: [None; 3] }
    }

    /// How far it has come.
    ///
    /// ```
    /// use rules::{Draw, DrawStage, Opening};
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// draw.expire()?;
    /// assert_eq!(draw.stage(), DrawStage::Done, "nobody committed");
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub const fn stage(&self) -> DrawStage {
        self.stage
    }

    /// What a party has promised, which everybody may know.
    ///
    /// ```
    /// use rules::{Author, Draw, Opening, Side};
    /// let mut draw = Draw::new("nigiri");
    /// let promised = draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(draw.commitment(Author::House), Some(&promised));
    /// assert_eq!(draw.commitment(Author::Side(Side::First)), None);
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub const fn commitment(&self, author: Author) -> Option<&Commitment> {
        self.commitments[author.index()].as_ref()
    }

    /// What a party has opened, which everybody may know.
    ///
    /// ```
    /// use rules::{Author, Draw, Opening};
    /// let house = Opening::new([1; 32], [2; 32]);
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(house)?;
    /// assert!(draw.opening(Author::House).is_none(), "closed until the end");
    /// draw.expire()?;
    /// assert!(draw.opening(Author::House) == Some(&house));
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub const fn opening(&self, author: Author) -> Option<&Opening> {
        self.openings[author.index()].as_ref()
    }

    /// Whether the draw waits for this side.
    ///
    /// ```
    /// use rules::{Draw, Opening, Side};
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// draw.commit(Side::First, Opening::new([3; 32], [4; 32]).commitment())?;
    /// assert_eq!(Side::BOTH.map(|side| draw.awaits(side)), [false, true]);
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub const fn awaits(&self, side: Side) -> bool {
        let index = Author::Side(side).index();
        match self.stage {
            DrawStage::House | DrawStage::Done => false,
            DrawStage::Commit => self.commitments[index].is_none(),
            DrawStage::Reveal => self.commitments[index].is_some() && self.openings[index].is_none(),
        }
    }

    /// The house gives its part, and everybody may know the commitment that is returned.
    ///
    /// ```
    /// use rules::{Draw, DrawError, Opening};
    /// let house = Opening::new([1; 32], [2; 32]);
    /// let mut draw = Draw::new("nigiri");
    /// assert_eq!(draw.contribute(house), Ok(house.commitment()));
    /// assert_eq!(draw.contribute(house), Err(DrawError::NothingDue));
    /// ```
    ///
    /// # Errors
    /// [`DrawError::NothingDue`] if it has done so.
    pub fn contribute(&mut self, opening: Opening) -> Result<Commitment, DrawError> {
        if self.stage != DrawStage::House {
            return Err(DrawError::NothingDue);
        }
        let commitment = opening.commitment();
        self.commitments[Author::House.index()] = Some(commitment);
        self.house = Some(Secret::new(opening));
        self.stage = DrawStage::Commit;
        Ok(commitment)
    }

    /// A player commits.
    ///
    /// ```
    /// use rules::{Draw, DrawError, Opening, Side};
    /// let mut draw = Draw::new("nigiri");
    /// let promised = draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(draw.commit(Side::First, promised), Ok(()));
    /// assert_eq!(draw.commit(Side::First, promised), Err(DrawError::AlreadyDone));
    /// # Ok::<(), DrawError>(())
    /// ```
    ///
    /// # Errors
    /// It is not the time, or this player has committed.
    pub fn commit(&mut self, side: Side, commitment: Commitment) -> Result<(), DrawError> {
        match self.stage {
            DrawStage::House => Err(DrawError::HouseFirst),
            DrawStage::Reveal | DrawStage::Done => Err(DrawError::TooLate),
            DrawStage::Commit if !self.awaits(side) => Err(DrawError::AlreadyDone),
            DrawStage::Commit => {
                self.commitments[Author::Side(side).index()] = Some(commitment);
                if !Side::BOTH.into_iter().any(|side| self.awaits(side)) {
                    self.stage = DrawStage::Reveal;
                }
                Ok(())
            }
        }
    }

    /// A player opens what he committed to.
    ///
    /// ```
    /// use rules::{Draw, DrawError, Opening, Side};
    /// let [house, first] = [1, 2].map(|byte| Opening::new([byte; 32], [byte; 32]));
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(house)?;
    /// draw.commit(Side::First, first.commitment())?;
    /// draw.expire()?;
    /// assert_eq!(draw.reveal(Side::Second, house), Err(DrawError::NotCommitted));
    /// assert_eq!(draw.reveal(Side::First, house), Err(DrawError::WrongReveal));
    /// assert_eq!(draw.reveal(Side::First, first), Ok(()));
    /// # Ok::<(), DrawError>(())
    /// ```
    ///
    /// # Errors
    /// It is not the time, this player has revealed or is left out, or it is something else.
    pub fn reveal(&mut self, side: Side, opening: Opening) -> Result<(), DrawError> {
        let index = Author::Side(side).index();
        match (self.stage, self.commitments[index]) {
            (DrawStage::House, _) => Err(DrawError::HouseFirst),
            (DrawStage::Commit, _) => Err(DrawError::TooEarly),
            (DrawStage::Done, _) => Err(DrawError::TooLate),
            (DrawStage::Reveal, None) => Err(DrawError::NotCommitted),
            (DrawStage::Reveal, Some(_)) if self.openings[index].is_some() => Err(DrawError::AlreadyDone),
            (DrawStage::Reveal, Some(promised)) if promised != opening.commitment() => {
                Err(DrawError::WrongReveal)
            }
            (DrawStage::Reveal, Some(_)) => {
                self.openings[index] = Some(opening);
                if !Side::BOTH.into_iter().any(|side| self.awaits(side)) {
                    self.finish();
                }
                Ok(())
            }
        }
    }

    /// Time is up: whoever the draw waits for is left out.
    ///
    /// ```
    /// use rules::{Draw, DrawError, DrawStage, Opening, Side};
    /// let mut draw = Draw::new("nigiri");
    /// assert_eq!(draw.expire(), Err(DrawError::NothingDue));
    /// let promised = draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// draw.commit(Side::First, promised)?;
    /// draw.expire()?;
    /// assert_eq!(draw.stage(), DrawStage::Reveal);
    /// # Ok::<(), DrawError>(())
    /// ```
    ///
    /// # Errors
    /// [`DrawError::NothingDue`] if it waits for no player.
    pub fn expire(&mut self) -> Result<(), DrawError> {
        match self.stage {
            DrawStage::House | DrawStage::Done => return Err(DrawError::NothingDue),
            DrawStage::Commit if self.commitments[1..].iter().any(Option::is_some) => {
                self.stage = DrawStage::Reveal;
            }
            DrawStage::Commit | DrawStage::Reveal => self.finish(),
        }
        Ok(())
    }

    /// The finished draw; `None` while it is going on.
    ///
    /// ```
    /// use rules::{Draw, Opening};
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// assert_eq!(draw.proof(), None);
    /// draw.expire()?;
    /// assert_eq!(draw.proof().unwrap().purpose, "nigiri");
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub fn proof(&self) -> Option<Proof> {
        (self.stage == DrawStage::Done).then_some(Proof {
            purpose: Cow::Borrowed(self.purpose),
            commitments: self.commitments,
            openings: self.openings,
        })
    }

    fn finish(&mut self) {
        self.openings[Author::House.index()] = self.house.map(|opening| *opening.open());
        self.stage = DrawStage::Done;
    }
}

impl Proof {
    /// Checks every opening against its commitment and gives the outcome.
    ///
    /// ```
    /// use rules::{Author, Draw, Opening, ProofError};
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// draw.expire()?;
    /// let mut proof = draw.proof().unwrap();
    /// assert!(proof.verify().is_ok());
    /// proof.openings[0] = Some(Opening::new([1; 32], [3; 32]));
    /// assert_eq!(proof.verify(), Err(ProofError::Mismatch(Author::House)));
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    ///
    /// # Errors
    /// What does not fit.
    pub fn verify(&self) -> Result<Lot, ProofError> {
        for author in Author::ALL {
            match (self.commitments[author.index()], self.openings[author.index()]) {
                (Some(promised), Some(opening)) if promised == opening.commitment() => {}
                (_, None) if author == Author::House => return Err(ProofError::NoHouse),
                (_, None) => {}
                (_, Some(_)) => return Err(ProofError::Mismatch(author)),
            }
        }
        Ok(Lot::of(&self.purpose, self.openings.each_ref().map(Option::as_ref)))
    }

    /// Whether a party was left out.
    ///
    /// ```
    /// use rules::{Author, Draw, Opening};
    /// let mut draw = Draw::new("nigiri");
    /// draw.contribute(Opening::new([1; 32], [2; 32]))?;
    /// draw.expire()?;
    /// let proof = draw.proof().unwrap();
    /// assert_eq!(Author::ALL.map(|author| proof.left_out(author)), [false, true, true]);
    /// # Ok::<(), rules::DrawError>(())
    /// ```
    pub const fn left_out(&self, author: Author) -> bool {
        self.openings[author.index()].is_none()
    }
}
