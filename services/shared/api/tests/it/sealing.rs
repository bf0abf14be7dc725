//! Moves that are sealed: the suite of the standard, what does not open, and known bytes for clients in other languages.

use std::convert::Infallible;

use api::{
    game::v1 as pb,
    sealing::{
        ACT_BYTES_MAX, CIPHERTEXT_BYTES_MAX, OpenError, SealError, SecretKey, TryCryptoRng, TryRng,
        commitment, seal,
    },
};
use hpke::{
    Deserializable as _, Kem as _, OpModeS, Serializable as _, aead::ChaCha20Poly1305 as Aead,
    kdf::HkdfSha256 as Kdf, kem::X25519HkdfSha256 as Kem, setup_sender_with_rng,
};

const GAME: &str = "0190d6f0-1234-7abc-8def-0123456789ab";

/// Gives these bytes and nothing else.
struct Given(Vec<u8>);

impl TryRng for Given {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        let rest = self.0.split_off(to.len());
        to.copy_from_slice(&self.0);
        self.0 = rest;
        Ok(())
    }
}

impl TryCryptoRng for Given {}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2).map(|at| &hex[at..at + 2]);
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("two digits")).collect()
}

fn key(hex: &str) -> SecretKey {
    SecretKey::from_bytes(bytes(hex).try_into().expect("32 bytes"))
}

/// Of RFC 9180, A.2.1: what the keys of receiver and sender are derived from.
const RECEIVER: &str = "1ac01f181fdf9f352797655161c58b75c656a6cc2716dcb66372da835542e1df";
const SENDER: &str = "909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b";

#[test]
fn the_suite_is_that_of_the_standard() {
    let secret = key(RECEIVER);
    let public = secret.public("");
    let expected = "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a";
    assert_eq!(public.public_key, bytes(expected));
    let stored = "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb";
    let stored = <Kem as hpke::Kem>::PrivateKey::from_bytes(&bytes(stored)).expect("a key");
    assert_eq!(Kem::sk_to_pk(&stored).to_bytes().to_vec(), public.public_key);
    let to = <Kem as hpke::Kem>::PublicKey::from_bytes(&public.public_key).expect("a key");
    let info = bytes("4f6465206f6e2061204772656369616e2055726e");
    let mut rng = Given(bytes(SENDER));
    let (encapsulated, mut context) =
        setup_sender_with_rng::<Aead, Kdf, Kem>(&OpModeS::Base, &to, &info, &mut rng).expect("a context");
    let expected = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a";
    assert_eq!(encapsulated.to_bytes().to_vec(), bytes(expected));
    let plain = bytes("4265617574792069732074727574682c20747275746820626561757479");
    let sealed = context.seal(&plain, &bytes("436f756e742d30")).expect("sealed");
    let expected =
        "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28";
    assert_eq!(sealed, bytes(expected));
}

/// The vector for clients that are not written in Rust: key and encapsulation as above, a salt of the bytes 0 to 31.
#[test]
fn a_known_move_is_sealed_as_it_always_was() {
    let secret = key(RECEIVER);
    let salt: Vec<u8> = (0..32).collect();
    let mut rng = Given([salt.clone(), bytes(SENDER)].concat());
    let sealed = seal(&secret.public("key"), GAME, 41, "Q16", &mut rng).expect("sealed");
    assert_eq!(sealed.commitment.to_vec(), bytes(KNOWN_COMMITMENT));
    assert_eq!(sealed.ciphertext, bytes(KNOWN_CIPHERTEXT));
    let opened = secret.open(GAME, 41, &sealed.ciphertext).expect("opened");
    assert_eq!((opened.salt.to_vec(), opened.act.as_str()), (salt, "Q16"));
}

const KNOWN_COMMITMENT: &str = "15b223edbcf8d8d6a4f46a39c3ced291d85280f24c9b05772482b710cb1e6872";
const KNOWN_CIPHERTEXT: &str = concat!(
    "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4ac69ffa91e7831c79323b0ef98a77bee4",
    "187c2480696bcdc18c872a4a515274c915f5f9c06c5661952d068e8593d9408a6418de",
);

#[test]
fn what_is_sealed_opens_only_where_it_belongs() {
    let secret = key(RECEIVER);
    let mut rng = Given(vec![5; 64]);
    let sealed = seal(&secret.public("key"), GAME, 41, "H8-J8", &mut rng).expect("sealed");
    let opened = secret.open(GAME, 41, &sealed.ciphertext).expect("opened");
    assert_eq!(commitment(&opened.salt, &opened.act), sealed.commitment);
    assert_eq!(secret.open(GAME, 42, &sealed.ciphertext), Err(OpenError), "another ply");
    let other = GAME.replace('9', "8");
    assert_eq!(secret.open(&other, 41, &sealed.ciphertext), Err(OpenError), "another game");
    assert_eq!(key(SENDER).open(GAME, 41, &sealed.ciphertext), Err(OpenError), "another key");
    for index in 0..sealed.ciphertext.len() {
        let mut forged = sealed.ciphertext.clone();
        forged[index] ^= 1;
        assert_eq!(secret.open(GAME, 41, &forged), Err(OpenError), "byte {index} is changed");
        assert_eq!(secret.open(GAME, 41, &forged[..index]), Err(OpenError), "only {index} bytes");
    }
}

#[test]
fn limits_are_kept() {
    let secret = key(RECEIVER);
    let sealed = |act: &str| seal(&secret.public("key"), GAME, 1, act, &mut Given(vec![5; 64]));
    let longest = sealed(&"x".repeat(ACT_BYTES_MAX)).expect("sealed");
    assert_eq!(longest.ciphertext.len(), CIPHERTEXT_BYTES_MAX);
    assert_eq!(secret.open(GAME, 1, &longest.ciphertext).expect("opened").act.len(), ACT_BYTES_MAX);
    assert_eq!(sealed(&"x".repeat(ACT_BYTES_MAX + 1)), Err(SealError::ActTooLong));
    assert_eq!(secret.open(GAME, 1, &[0; CIPHERTEXT_BYTES_MAX + 1]), Err(OpenError));
    let other = pb::SealingKey { aead_id: 1, ..secret.public("key") };
    assert_eq!(seal(&other, GAME, 1, "Q16", &mut Given(vec![5; 64])), Err(SealError::BadKey));
    let short = pb::SealingKey { public_key: vec![1; 31], ..secret.public("key") };
    assert_eq!(seal(&short, GAME, 1, "Q16", &mut Given(vec![5; 64])), Err(SealError::BadKey));
    let zero = pb::SealingKey { public_key: vec![0; 32], ..secret.public("key") };
    assert_eq!(
        seal(&zero, GAME, 1, "Q16", &mut Given(vec![5; 64])),
        Err(SealError::BadKey),
        "no secret in it"
    );
    assert_eq!(format!("{secret:?}"), "SecretKey(..)");
}
