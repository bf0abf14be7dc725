//! A stream that only who has the password can read, and nobody can change or cut short without its being seen: ChaCha20-Poly1305 over
//! pieces of it (the STREAM construction), under a key that Argon2id makes of the password.

use std::io::{self, Read, Write};

use aead_stream::{DecryptorBE32, EncryptorBE32};
use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{ChaCha20Poly1305, Key};

/// Bytes of a piece before it is sealed.
const PIECE_BYTES: usize = 64 * 1024;
/// What sealing adds to one.
const TAG_BYTES: usize = 16;
/// Bytes of chance that stand before the pieces, and make the key another one each time.
const SALT_BYTES: usize = 16;
/// Bytes of chance after them, with which the pieces are counted.
const NONCE_BYTES: usize = 7;
/// What a try at the password costs: memory in KiB, and passes over it.
const COST: (u32, u32) = (64 * 1024, 3);

/// What stands before the pieces.
pub(crate) const HEAD_BYTES: usize = SALT_BYTES + NONCE_BYTES;

fn key(password: &str, salt: &[u8]) -> io::Result<Key> {
    let failed = |error: argon2::Error| io::Error::other(error.to_string());
    let params = Params::new(COST.0, COST.1, 1, Some(32)).map_err(failed)?;
    let mut key = Key::default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(password.as_bytes(), salt, &mut key)
        .map_err(failed)?;
    Ok(key)
}

fn nonce(bytes: &[u8]) -> [u8; NONCE_BYTES] {
    let mut nonce = [0; NONCE_BYTES];
    nonce.copy_from_slice(bytes);
    nonce
}

/// Seals what is written.
pub(super) struct Sealing<W> {
    to: W,
    encryptor: EncryptorBE32<ChaCha20Poly1305>,
    piece: Vec<u8>,
}

impl<W: Write> Sealing<W> {
    /// Begins; `head` is chance.
    pub(super) fn new(mut to: W, password: &str, head: &[u8; HEAD_BYTES]) -> io::Result<Self> {
        let (salt, count) = head.split_at(SALT_BYTES);
        let encryptor = EncryptorBE32::new(&key(password, salt)?, &nonce(count).into());
        to.write_all(head)?;
        Ok(Sealing { to, encryptor, piece: Vec::with_capacity(PIECE_BYTES) })
    }

    /// Says that this was all.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let sealed = self.encryptor.encrypt_last(&*self.piece).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.to.write_all(&sealed)?;
        Ok(self.to)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE_BYTES {
            let sealed =
                self.encryptor.encrypt_next(&*self.piece).map_err(|_| io::ErrorKind::FileTooLarge)?;
            self.to.write_all(&sealed)?;
            self.piece.clear();
        }
        let taken = bytes.len().min(PIECE_BYTES - self.piece.len());
        self.piece.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A piece is sealed when it is whole, or the last.
        self.to.flush()
    }
}

/// Opens what was sealed.
pub(super) struct Opening<R> {
    from: R,
    /// `None` when the last piece was opened.
    decryptor: Option<DecryptorBE32<ChaCha20Poly1305>>,
    /// What comes next, still sealed.
    sealed: Vec<u8>,
    piece: Vec<u8>,
    at: usize,
}

impl<R: Read> Opening<R> {
    pub(super) fn new(mut from: R, password: &str) -> io::Result<Self> {
        let mut head = [0; HEAD_BYTES];
        from.read_exact(&mut head)?;
        let (salt, count) = head.split_at(SALT_BYTES);
        let decryptor = Some(DecryptorBE32::new(&key(password, salt)?, &nonce(count).into()));
        let mut opening = Opening { from, decryptor, sealed: Vec::new(), piece: Vec::new(), at: 0 };
        opening.sealed = opening.next_sealed()?;
        Ok(opening)
    }

    fn next_sealed(&mut self) -> io::Result<Vec<u8>> {
        let most = (PIECE_BYTES + TAG_BYTES) as u64;
        let mut sealed = Vec::new();
        self.from.by_ref().take(most).read_to_end(&mut sealed)?;
        Ok(sealed)
    }

    /// Opens the next piece, if there is one.
    fn open(&mut self) -> io::Result<()> {
        let Some(mut decryptor) = self.decryptor.take() else { return Ok(()) };
        let next = self.next_sealed()?;
        let sealed = std::mem::replace(&mut self.sealed, next);
        let opened = if self.sealed.is_empty() {
            decryptor.decrypt_last(&*sealed)
        } else {
            let opened = decryptor.decrypt_next(&*sealed);
            self.decryptor = Some(decryptor);
            opened
        };
        let is_wrong = "the password is another one, or the file is damaged or cut short";
        self.piece = opened.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, is_wrong))?;
        self.at = 0;
        Ok(())
    }
}

impl<R: Read> Read for Opening<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() && self.decryptor.is_some() {
            self.open()?;
        }
        let left = self.piece.get(self.at..).unwrap_or_default();
        let count = left.len().min(into.len());
        for (to, from) in into.iter_mut().zip(left) {
            *to = *from;
        }
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: [u8; HEAD_BYTES] = [7; HEAD_BYTES];

    fn sealed(text: &[u8]) -> Vec<u8> {
        let mut sealing = Sealing::new(Vec::new(), "password", &HEAD).expect("it begins");
        sealing.write_all(text).expect("it is taken");
        sealing.finish().expect("it ends")
    }

    fn opened(sealed: &[u8], password: &str) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Opening::new(sealed, password)?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn whatever_is_sealed_is_opened_as_it_was_by_the_same_password_alone() {
        for length in [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES] {
            let text: Vec<u8> = (0..=250).cycle().take(length).collect();
            let sealed = sealed(&text);
            assert!(length < 16 || !sealed.windows(16).any(|part| part == &text[..16]), "{length}");
            assert_eq!(opened(&sealed, "password").expect("it is opened"), text, "{length}");
            let refused = opened(&sealed, "another").expect_err("it is another");
            assert_eq!(refused.kind(), io::ErrorKind::InvalidData, "{length}");
        }
    }

    #[test]
    fn what_is_cut_short_changed_or_in_another_order_is_refused() {
        let whole = sealed(&vec![1; 2 * PIECE_BYTES + 10]);
        let piece = PIECE_BYTES + TAG_BYTES;
        let mut bad = vec![
            whole[..whole.len() - 1].to_vec(),
            whole[..HEAD_BYTES + piece].to_vec(),
            whole[..HEAD_BYTES + 2 * piece].to_vec(),
            whole[..HEAD_BYTES].to_vec(),
            [&whole[..HEAD_BYTES], &whole[HEAD_BYTES + piece..]].concat(),
            [&whole[..], &[0]].concat(),
        ];
        let mut changed = whole.clone();
        changed[HEAD_BYTES + 100] ^= 1;
        bad.push(changed);
        for (which, bad) in bad.iter().enumerate() {
            assert!(opened(bad, "password").is_err(), "{which}");
        }
    }
}
