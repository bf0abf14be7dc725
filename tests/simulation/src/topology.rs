//! Who can reach whom, and how much is lost on the way.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

pub(crate) use shoutan::platform::Service;

/// One replica of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    /// What it is a replica of.
    pub service: Service,
    /// Which one, from 0.
    pub number: usize,
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.service, self.number)
    }
}

/// An end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// Players and spectators.
    Outside,
    /// A replica.
    Node(Node),
    /// The databases.
    Database,
    /// The live state.
    Live,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Outside => f.write_str("outside"),
            End::Node(node) => node.fmt(f),
            End::Database => f.write_str("database"),
            End::Live => f.write_str("live"),
        }
    }
}

/// How likely it is that something goes wrong, each time that it can; between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LinkQuality {
    /// A request never arrives.
    pub request_lost: f64,
    /// A request is answered, and the answer never arrives.
    pub answer_lost: f64,
    /// A stream breaks between two of its messages.
    pub stream_cut: f64,
    /// A message takes its time.
    pub slow: f64,
    /// A statement to a database fails.
    pub database: f64,
    /// A call to the live state fails.
    pub live: f64,
    /// A published message is heard by nobody.
    pub unheard: f64,
}

impl LinkQuality {
    /// Nothing goes wrong.
    pub(crate) const CALM: LinkQuality = LinkQuality {
        request_lost: 0.0,
        answer_lost: 0.0,
        stream_cut: 0.0,
        slow: 0.0,
        database: 0.0,
        live: 0.0,
        unheard: 0.0,
    };
}

/// The quality of the links now, and the lines that are cut.
#[derive(Debug, Default)]
pub(crate) struct Topology {
    quality: Mutex<LinkQuality>,
    cut: Mutex<BTreeSet<(End, End)>>,
}

impl Topology {
    /// The quality of the links now.
    pub(crate) fn quality(&self) -> LinkQuality {
        *locked(&self.quality)
    }

    /// Changes the quality of the links.
    pub(crate) fn set_weather(&self, quality: LinkQuality) {
        *locked(&self.quality) = quality;
    }

    /// Cuts the line between two ends, or mends it.
    pub(crate) fn set_cut(&self, a: End, b: End, cut: bool) {
        let mut lines = locked(&self.cut);
        if cut {
            lines.insert(ordered(a, b));
        } else {
            lines.remove(&ordered(a, b));
        }
    }

    /// Whether the line between two ends is cut.
    pub(crate) fn is_cut(&self, a: End, b: End) -> bool {
        locked(&self.cut).contains(&ordered(a, b))
    }
}

fn ordered(a: End, b: End) -> (End, End) {
    if a <= b { (a, b) } else { (b, a) }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
