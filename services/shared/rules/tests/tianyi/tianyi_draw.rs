//! The draw: the numbers of another program, who is left out, and what cannot be changed afterwards.

use core::num::NonZeroU32;

use rules::{Author, Commitment, Lot, Lottery, LotteryError, LotteryStage, Opening, ProofError, Side};

use crate::play::parts;

const GOLDEN: &str = include_str!("../golden/tianyi/draws.txt");

#[test]
fn tianyi_another_program_draws_the_same() {
    let (mut hashes, mut numbers) = (0, 0);
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "commit" {
            let opening: Opening = format!("{} {}", words[1], words[2]).parse().expect("an opening");
            assert_eq!(opening.commitment().to_string(), words[3]);
            assert_eq!(words[3].parse::<Commitment>(), Ok(opening.commitment()));
            hashes += 1;
            continue;
        }
        let read = |word: &str| word.replace(':', " ").parse::<Opening>().ok();
        let openings = [words[2], words[3], words[4]].map(read);
        let lot = Lot::of(words[1], openings.each_ref().map(Option::as_ref));
        for word in &words[5..] {
            let (index, rest) = word.split_once('/').expect("an index");
            let (below, wanted) = rest.split_once('=').expect("a number");
            let number = |text: &str| text.parse::<u32>().expect("a number");
            let below = NonZeroU32::new(number(below)).expect("not zero");
            assert_eq!(lot.number(number(index), below), number(wanted), "{word}");
            numbers += 1;
        }
    }
    assert_eq!((hashes, numbers), (3, 95));
}

/// What each party does in a draw: nothing, commit only, or both.
#[test]
fn tianyi_who_does_not_commit_or_reveal_is_left_out() {
    let all = parts(1);
    for (first, second) in (0..9).map(|n| (n / 3, n % 3)) {
        let mut draw = Lottery::new("lot");
        assert_eq!(draw.commit(Side::First, all[1].commitment()), Err(LotteryError::SystemFirst));
        assert_eq!(draw.expire(), Err(LotteryError::NothingDue));
        draw.contribute(all[0]).expect("the house begins");
        assert_eq!(draw.contribute(all[0]), Err(LotteryError::NothingDue));
        let did = [first, second];
        for side in Side::BOTH.into_iter().filter(|side| did[side.index()] > 0) {
            assert_eq!(draw.reveal(side, all[1 + side.index()]), Err(LotteryError::TooEarly));
            draw.commit(side, all[1 + side.index()].commitment()).expect("in time");
            assert!(draw.commit(side, all[0].commitment()).is_err());
        }
        if draw.stage() == LotteryStage::Commit {
            draw.expire().expect("somebody is late");
        }
        for side in Side::BOTH.into_iter().filter(|side| did[side.index()] > 1) {
            assert!(draw.opening(Author::System).is_none(), "the house reveals last");
            assert_eq!(draw.reveal(side, all[0]), Err(LotteryError::WrongReveal));
            draw.reveal(side, all[1 + side.index()]).expect("in time");
        }
        if draw.stage() == LotteryStage::Reveal {
            assert!(draw.opening(Author::System).is_none(), "the house reveals last");
            draw.expire().expect("somebody is late");
        }
        let proof = draw.proof().expect("done");
        for side in Side::BOTH {
            assert_eq!(proof.left_out(side.into()), did[side.index()] < 2);
            assert_eq!(draw.reveal(side, all[1 + side.index()]), Err(LotteryError::TooLate));
        }
        let parts = Author::ALL.map(|author| (!proof.left_out(author)).then(|| &all[author.index()]));
        assert_eq!(proof.verify(), Ok(Lot::of("lot", parts)));
    }
}

#[test]
fn tianyi_every_part_matters_and_no_part_can_be_changed() {
    let all = parts(1);
    let proof = {
        let mut draw = Lottery::new("lot");
        draw.contribute(all[0]).expect("first");
        for side in Side::BOTH {
            draw.commit(side, all[1 + side.index()].commitment()).expect("second");
        }
        for side in Side::BOTH {
            draw.reveal(side, all[1 + side.index()]).expect("third");
        }
        draw.proof().expect("done")
    };
    let lot = proof.verify().expect("right");
    for author in Author::ALL {
        let mut other = proof.clone();
        other.openings[author.index()] = Some(parts(9)[0]);
        assert_eq!(other.verify(), Err(ProofError::Mismatch(author)));
        // Another seed, honestly committed to, gives another lot.
        other.commitments[author.index()] = Some(parts(9)[0].commitment());
        assert_ne!(other.verify(), Ok(lot));
        other.openings[author.index()] = None;
        let missing = other.verify();
        if author == Author::System {
            assert_eq!(missing, Err(ProofError::NoSystem));
        } else {
            assert_ne!(missing, Ok(lot));
        }
        other.commitments[author.index()] = None;
        other.openings[author.index()] = Some(all[0]);
        assert_eq!(other.verify(), Err(ProofError::Mismatch(author)));
    }
    let mut other = proof.clone();
    other.purpose = "another".into();
    assert_ne!(other.verify(), Ok(lot));
}

#[test]
fn tianyi_only_whole_hashes_are_read() {
    let good = "0a".repeat(32);
    assert!(good.parse::<Commitment>().is_ok() && good.to_uppercase().parse::<Commitment>().is_ok());
    let one_more = format!("{good}0");
    let signed = format!("+{}", &good[1..]);
    let wide = format!("é{}", &good[2..]);
    for bad in ["", "0a", &good[1..], &one_more, &signed, &wide] {
        assert!(bad.parse::<Commitment>().is_err(), "{bad}");
        assert!(format!("{good} {bad}").parse::<Opening>().is_err(), "{bad}");
    }
    assert!(format!("{good}  {good}").parse::<Opening>().is_err());
}
