//! Invitations, and the codes that open them.

use chassis::{
    Env,
    id::{AccountId, FederationId, MemberId},
};
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{application::Answer, name::Name};

/// Letters and digits that are not mistaken for one another (Crockford's).
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code: 80 bits.
const CODE_CHARS: usize = 16;

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: Uuid,
    /// Into which federation.
    pub federation: FederationId,
    /// For which account; for whoever has the code if there is none.
    pub account: Option<AccountId>,
    /// The digest of the code.
    pub code: Option<CodeDigest>,
    /// Whose account it is to be; a new member's if there is none.
    pub member: Option<MemberId>,
    /// What became of it.
    pub answer: Answer,
    /// Who made it.
    pub made_by: AccountId,
    /// When.
    pub made: OffsetDateTime,
    /// Until when it is worth something.
    pub expires: OffsetDateTime,
    /// Who answered.
    pub answered_by: Option<AccountId>,
}

/// A code as it is told, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code(String);

/// What is kept of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDigest(pub [u8; 32]);

/// Invites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invite {
    /// Into which federation.
    pub federation: FederationId,
    /// Which account; whoever has the code if there is none.
    pub account: Option<AccountId>,
    /// Whose account it is to be.
    pub member: Option<MemberId>,
    /// For how many days.
    pub days: u32,
}

/// Accepts an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accept {
    /// Which.
    pub way: Way,
    /// The name by which to be known.
    pub name: Option<Name>,
}

/// How an invitation is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By its id.
    Id(Uuid),
    /// By its code.
    Code(CodeDigest),
}

/// Ends an invitation without a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndInvitation {
    /// Which.
    pub id: Uuid,
    /// Whether whoever made it takes it back; otherwise whoever it is for refuses.
    pub withdrawn: bool,
}

impl Invitation {
    /// Whether it can still be answered.
    pub fn is_open(&self, now: OffsetDateTime) -> bool {
        self.answer == Answer::Pending && now < self.expires
    }
}

impl Code {
    /// A new one.
    pub fn new(env: &Env) -> Code {
        let bits = env.bytes::<CODE_CHARS>();
        Code(bits.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
    }

    /// Its digest.
    pub fn digest(&self) -> CodeDigest {
        CodeDigest::of(&self.0)
    }

    /// As it is told: in groups of four.
    pub fn told(&self) -> String {
        let groups: Vec<&str> =
            (0..self.0.len()).step_by(4).filter_map(|at| self.0.get(at..at + 4)).collect();
        groups.join("-")
    }
}

impl CodeDigest {
    /// The digest of a code as somebody typed it: case, blanks and "-" do not matter, nor what is read for another.
    pub fn of(text: &str) -> CodeDigest {
        let read = text.chars().take(64).filter(|c| !c.is_whitespace() && *c != '-');
        let plain: String = read
            .map(|c| match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                other => other,
            })
            .collect();
        CodeDigest(Sha256::digest(plain.as_bytes()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_write_it() {
        let (env, _) = Env::mock(OffsetDateTime::UNIX_EPOCH, 1);
        let (code, other) = (Code::new(&env), Code::new(&env));
        let told = code.told();
        assert_eq!(told.len(), CODE_CHARS + 3);
        for written in [
            told.clone(),
            told.to_lowercase(),
            told.replace('-', " "),
            told.replace('0', "o").replace('1', "l"),
        ] {
            assert_eq!(CodeDigest::of(&written), code.digest(), "{written}");
        }
        assert_ne!(other.digest(), code.digest());
    }
}
