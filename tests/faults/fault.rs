//! The faults: how each is made, how it ends, and how long it is.

use std::{fmt, time::Duration};

use crate::{
    control::Refusal,
    net::{self, Ways},
    spots::Spot,
    stand::{PLATFORM, Shape, Stand},
};

/// How long a process stays down: longer than what counts as an outage.
const DOWN: Duration = Duration::from_secs(3);
/// How long everything else lasts.
const LASTS: Duration = Duration::from_secs(6);

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// None, to see what is measured without.
    Nothing,
    /// A process ends by `kill -9`, and is started again.
    Kill(&'static str),
    /// A process is stopped in its tracks, and goes on.
    Freeze(&'static str),
    /// A process is asked to stop, and is started again.
    Stop(&'static str),
    /// The disk of this folder is full.
    FullDisk(&'static str),
    /// Somebody else holds the right to write of the SQLite file of games.
    Locked,
    /// The PostgreSQL takes no writes.
    ReadOnly,
    /// The PostgreSQL ends all connections and takes no new ones.
    NoConnections,
    /// The Redis answers, but refuses.
    Redis(Refusal),
    /// A server answers late.
    Slow(Spot),
    /// Of the answers of a server some are lost, and their connections with them.
    CutAnswers(Spot),
    /// Packets between two spots go nowhere.
    Partition(Spot, Spot, Ways),
    /// A spot is reached by nobody.
    Unplugged(Spot),
}

/// Every fault of a shape.
pub(crate) fn all(shape: Shape) -> Vec<Fault> {
    let parts: Vec<&'static str> = match shape {
        Shape::One => vec![PLATFORM],
        Shape::Many => Spot::ALL.map(Spot::name).to_vec(),
    };
    let mut faults = vec![Fault::Nothing];
    faults.extend(parts.iter().flat_map(|part| [Fault::Kill(part), Fault::Freeze(part), Fault::Stop(part)]));
    match shape {
        Shape::One => faults.extend([Fault::FullDisk("data"), Fault::Locked]),
        Shape::Many => {
            faults.extend([Fault::ReadOnly, Fault::NoConnections, Fault::FullDisk("postgres")]);
            let refusals = [Refusal::Memory, Refusal::ReadOnly, Refusal::Unsaved, Refusal::Password];
            faults.extend(refusals.map(Fault::Redis));
            for server in [Spot::Postgres, Spot::Redis] {
                faults.extend([Fault::Slow(server), Fault::CutAnswers(server)]);
            }
            faults.extend(Spot::ALL.map(Fault::Unplugged));
            for (index, one) in Spot::ALL.into_iter().enumerate() {
                for other in Spot::ALL.into_iter().skip(index + 1) {
                    let ways = [Ways::Both, Ways::There, Ways::Back];
                    faults.extend(ways.map(|ways| Fault::Partition(one, other, ways)));
                }
            }
        }
    }
    faults
}

impl Fault {
    /// How long it lasts once it is made.
    pub(crate) fn lasts(self) -> Duration {
        match self {
            Fault::Kill(_) | Fault::Stop(_) => DOWN,
            _ => LASTS,
        }
    }

    /// Makes it.
    pub(crate) async fn make(self, stand: &mut Stand) -> anyhow::Result<()> {
        match self {
            Fault::Kill(part) => stand.service(part)?.kill().await,
            Fault::Stop(part) => {
                // A PostgreSQL that is asked more politely waits for its clients.
                let how = if part == Spot::Postgres.name() { "INT" } else { "TERM" };
                stand.service(part)?.stop(how).await.map(drop)
            }
            _ => self.turn(stand, true).await,
        }
    }

    /// Ends it.
    pub(crate) async fn mend(self, stand: &mut Stand) -> anyhow::Result<()> {
        match self {
            Fault::Kill(part) | Fault::Stop(part) => {
                if part == Spot::Postgres.name() {
                    // The id in it may by now be that of another process.
                    let _was_not_there =
                        std::fs::remove_file(stand.disk("postgres").join("data/postmaster.pid"));
                }
                stand.service(part)?.spawn().await
            }
            _ => self.turn(stand, false).await,
        }
    }

    async fn turn(self, stand: &mut Stand, on: bool) -> anyhow::Result<()> {
        match self {
            Fault::Nothing | Fault::Kill(_) | Fault::Stop(_) => Ok(()),
            Fault::Freeze(part) => stand.service(part)?.freeze(on).await,
            Fault::FullDisk(disk) => {
                stand.fill(disk, on)?;
                // A PostgreSQL that could not write its log may have given up.
                if !on && disk == Spot::Postgres.name() {
                    stand.revive(Spot::Postgres.name()).await
                } else {
                    Ok(())
                }
            }
            Fault::Locked => stand.lock_games(on),
            Fault::ReadOnly => stand.read_only(on).await,
            Fault::NoConnections => stand.refuse_connections(on).await,
            Fault::Redis(refusal) => stand.redis(refusal, on).await,
            Fault::Slow(spot) => stand.proxy(spot)?.tell(if on { "slow" } else { "pass" }).await,
            Fault::CutAnswers(spot) => stand.proxy(spot)?.tell(if on { "cut" } else { "pass" }).await,
            Fault::Partition(one, other, ways) => net::cut(one, other, ways, on).await,
            Fault::Unplugged(spot) => net::unplug(spot, on).await,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Nothing => f.write_str("nothing"),
            Fault::Kill(part) => write!(f, "kill -9 {part}"),
            Fault::Freeze(part) => write!(f, "pause {part}"),
            Fault::Stop(part) => write!(f, "stop {part}"),
            Fault::FullDisk(disk) => write!(f, "full disk {disk}"),
            Fault::Locked => f.write_str("locked sqlite"),
            Fault::ReadOnly => f.write_str("read-only postgres"),
            Fault::NoConnections => f.write_str("no connections postgres"),
            Fault::Redis(Refusal::Memory) => f.write_str("OOM redis"),
            Fault::Redis(Refusal::ReadOnly) => f.write_str("READONLY redis"),
            Fault::Redis(Refusal::Unsaved) => f.write_str("MISCONF redis"),
            Fault::Redis(Refusal::Password) => f.write_str("NOAUTH redis"),
            Fault::Slow(spot) => write!(f, "slow {}", spot.name()),
            Fault::CutAnswers(spot) => write!(f, "cut answers {}", spot.name()),
            Fault::Partition(one, other, ways) => {
                let arrow = match ways {
                    Ways::Both => "x",
                    Ways::There => "x>",
                    Ways::Back => "<x",
                };
                write!(f, "partition {} {arrow} {}", one.name(), other.name())
            }
            Fault::Unplugged(spot) => write!(f, "unplug {}", spot.name()),
        }
    }
}
