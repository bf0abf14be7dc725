//! Challenges on a ladder, as they are logged and told.

use api::{
    DecodeError, ProtoEnum as _,
    federation::v1::{self as pb, event_log_body::Fact as Wire},
    time::{moment, timestamp},
};
use pairing::Number;

use crate::core::event::{Challenge, ChallengeAnswer, LadderFact};

impl From<&LadderFact> for Wire {
    fn from(fact: &LadderFact) -> Wire {
        match *fact {
            LadderFact::Challenged { challenger, holder, until } => Wire::ChallengeMade(pb::ChallengeMade {
                challenger: challenger.0,
                holder: holder.0,
                answer_until_time: until.map(timestamp),
            }),
            LadderFact::Answered { challenger, holder, answer } => {
                Wire::ChallengeAnswered(pb::ChallengeAnswered {
                    challenger: challenger.0,
                    holder: holder.0,
                    answer: answer.number(),
                })
            }
        }
    }
}

impl TryFrom<Wire> for LadderFact {
    type Error = DecodeError;

    fn try_from(fact: Wire) -> Result<LadderFact, DecodeError> {
        Ok(match fact {
            Wire::ChallengeMade(it) => {
                let until = it.answer_until_time.as_ref();
                LadderFact::Challenged {
                    challenger: Number(it.challenger),
                    holder: Number(it.holder),
                    until: until.map(|it| moment(it).ok_or(DecodeError("a moment"))).transpose()?,
                }
            }
            Wire::ChallengeAnswered(it) => LadderFact::Answered {
                challenger: Number(it.challenger),
                holder: Number(it.holder),
                answer: ChallengeAnswer::of(it.answer).ok_or(DecodeError("an answer to a challenge"))?,
            },
            _ => return Err(DecodeError("nothing about a ladder")),
        })
    }
}

impl From<&Challenge> for pb::LadderChallenge {
    fn from(it: &Challenge) -> pb::LadderChallenge {
        pb::LadderChallenge {
            challenger: it.challenger.0,
            holder: it.holder.0,
            answer_until_time: it.until.map(timestamp),
        }
    }
}
