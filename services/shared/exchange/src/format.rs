//! The formats, and how one is known from another.

use std::io::Read;

use pairing::trf::Form;

use crate::{
    Doubt, Fault, Loss, ReadError, Tournament, WriteError, csv, doubt::Doubts, gotha, h9,
    limits::FILE_BYTES_MAX, loss, trf,
};

/// A format that events are read from and written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// TRF16 of FIDE, in ASCII: [`crate::trf`].
    Trf16,
    /// TRF26 of FIDE, in UTF-8: [`crate::trf`].
    Trf26,
    /// The XML of OpenGotha: [`crate::gotha`].
    OpenGotha,
    /// The table of results of the European Go Database: [`crate::h9`].
    H9,
    /// A crosstable of CSV: [`crate::csv`].
    Csv,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Trf16, Format::Trf26, Format::OpenGotha, Format::H9, Format::Csv];

    /// Its stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Trf16 => "trf16",
            Format::Trf26 => "trf26",
            Format::OpenGotha => "opengotha",
            Format::H9 => "h9",
            Format::Csv => "csv",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The format of a file, from what is in it; why it is none that is read.
    ///
    /// ```
    /// use exchange::Format;
    /// let table = "; EV[Spring]\n1 Li Wei 3d CN Ch 2+/w0\n2 Wang Fang 1k CN Ch 1-/b0\n";
    /// assert_eq!(Format::detect(table.as_bytes()), Ok(Format::H9));
    /// assert_eq!(Format::detect(b"number,last_name\n1,Li\n"), Ok(Format::Csv));
    /// assert_eq!(Format::detect(b"\xff\xfe1\0").unwrap_err().fault.name(), "utf16");
    /// ```
    pub fn detect(bytes: &[u8]) -> Result<Format, ReadError> {
        let text = text_of(bytes)?;
        let mut lines = text.split(['\r', '\n']).map(str::trim_end).filter(|it| !it.trim().is_empty());
        let Some(first) = lines.next() else { return Err(ReadError::new(Fault::Empty, (1, 1), "")) };
        if first.trim_start().starts_with('<') {
            return Ok(Format::OpenGotha);
        }
        if csv::is_head(first) {
            return Ok(Format::Csv);
        }
        let all = || core::iter::once(first).chain(lines.clone());
        if all().any(|it| it.starts_with("001 ")) {
            // Codes that JaVaFo has added to the older form stand in few reports of the newer one.
            if all().any(|it| ["XXR", "XXS", "XXC"].iter().any(|tag| it.starts_with(tag))) {
                return Ok(Format::Trf16);
            }
            let is_new = |it: &str| ["142", "152", "162", "240", "310"].iter().any(|tag| it.starts_with(tag));
            let new = all().any(|it| is_new(it) || !it.is_ascii());
            return Ok(if new { Format::Trf26 } else { Format::Trf16 });
        }
        if all().any(h9::is_line) {
            return Ok(Format::H9);
        }
        Err(ReadError::new(Fault::UnknownFormat, (1, 1), first))
    }

    /// Reads an event: bytes from anywhere give an event that is one ([`Tournament::check`]), with what is doubtful in it, or
    /// an error.
    pub fn read(self, bytes: &[u8]) -> Result<(Tournament, Vec<Doubt>), ReadError> {
        let text = text_of(bytes)?;
        let mut doubts = Doubts::default();
        let event = match self {
            Format::Trf16 | Format::Trf26 => trf::read(text, &mut doubts)?,
            Format::OpenGotha => gotha::read(text, &mut doubts)?,
            Format::H9 => h9::read(text, &mut doubts)?,
            Format::Csv => csv::read(text)?,
        };
        Ok((sound(event)?, doubts.into_inner()))
    }

    /// Writes an event, and says what the format could not carry. What is written is read back as
    /// [`Tournament::as_carried_by`] says.
    pub fn write(self, event: &Tournament) -> Result<(Vec<u8>, Vec<Loss>), WriteError> {
        event.check()?;
        let carried = event.as_carried_by(self)?;
        let bytes = match self {
            Format::Trf16 => trf::write(&carried, Form::Trf16)?,
            Format::Trf26 => trf::write(&carried, Form::Trf26)?,
            Format::OpenGotha => gotha::write(&carried)?,
            Format::H9 => h9::write(&carried, event.header.time.and_then(crate::TimeControl::class)),
            Format::Csv => csv::crosstable(&carried, csv::Mark::None)?,
        };
        Ok((bytes, loss::between(event, &carried)))
    }
}

/// The whole of a stream, which is refused as soon as it is longer than [`FILE_BYTES_MAX`]: no more than that of it is
/// read and kept.
///
/// ```
/// let endless = std::io::repeat(b'0');
/// let refused = exchange::collect(endless, 1_000).unwrap_err();
/// assert_eq!(refused.to_string(), "line 1, column 1: the file is too large");
/// ```
pub fn collect(stream: impl Read, bytes_max: usize) -> std::io::Result<Vec<u8>> {
    let most = bytes_max.min(FILE_BYTES_MAX);
    let mut bytes = Vec::new();
    stream.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let error = ReadError::new(Fault::FileTooLarge, (1, 1), "");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, error));
    }
    Ok(bytes)
}

/// An event in its one form; an error where it is none, for a reason that only the whole of it shows.
pub(crate) fn sound(mut event: Tournament) -> Result<Tournament, ReadError> {
    event.tidy();
    match event.check() {
        Ok(()) => Ok(event),
        Err(it) => Err(ReadError::new(it.fault, (1, 1), &it.place.to_string())),
    }
}

/// What a file is that is no text in UTF-8, as far as its first bytes tell: [`Fault::Packed`] or [`Fault::Utf16`].
///
/// ```
/// use exchange::{Fault, foreign};
/// assert_eq!((foreign(b"PK\x03\x04"), foreign(b"n\0a\0")), (Some(Fault::Packed), Some(Fault::Utf16)));
/// assert_eq!(foreign("王".as_bytes()), None);
/// ```
pub fn foreign(bytes: &[u8]) -> Option<Fault> {
    let packed: [&[u8]; 4] = [b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!"];
    if packed.iter().any(|it| bytes.starts_with(it)) {
        return Some(Fault::Packed);
    }
    // Every second byte of ASCII in UTF-16 is nought; no text has one otherwise.
    let head = &bytes[..bytes.len().min(64)];
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || head.contains(&0);
    wide.then_some(Fault::Utf16)
}

/// The text of a file without its byte order mark, or by which encoding it is none.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    let error = |fault| Err(ReadError::new(fault, (1, 1), ""));
    if bytes.len() > FILE_BYTES_MAX {
        return error(Fault::FileTooLarge);
    }
    if let Some(fault) = foreign(bytes) {
        return error(fault);
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let good = core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            let place = crate::text::place_of(good, good.len());
            Err(ReadError::new(Fault::NotUtf8, place, ""))
        }
    }
}
