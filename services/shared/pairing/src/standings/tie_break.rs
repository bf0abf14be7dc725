//! The tie-breaks of Go and FIDE events.

named! {
    /// What decides between players with equal points, where an event names it.
    pub enum TieBreak {
        /// Sum of the opponents' scores (Buchholz). A round without an opponent adds the player's own score where it
        /// gave points (FIDE C.07 calls this a dummy), else nothing.
        Sos = "sos",
        /// Sum of the opponents' SOS.
        Sosos = "sosos",
        /// Sum of the scores of beaten opponents and half of those of drawn ones (Sonneborn-Berger).
        Sodos = "sodos",
        /// SOS without the lowest opponent.
        BuchholzCut1 = "buchholz_cut_1",
        /// SOS without the lowest and the highest opponent.
        BuchholzMedian = "buchholz_median",
        /// Points among those who are equal, once all of them have met.
        DirectEncounter = "direct_encounter",
        /// Games won, forfeits included.
        Wins = "wins",
        /// Points against opponents with at least half of the possible points (Koya).
        Koya = "koya",
    }
}
