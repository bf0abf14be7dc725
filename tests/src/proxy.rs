//! A network that forgets connections: what a firewall or a paused machine does between two processes.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// A way to an address on which connections can die without a word.
#[derive(Debug)]
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    silent: Arc<Mutex<CancellationToken>>,
    stop: CancellationToken,
}

impl Proxy {
    /// A way to an address.
    ///
    /// # Errors
    /// When no port is free.
    pub async fn to(target: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (silent, stop) = (Arc::<Mutex<CancellationToken>>::default(), CancellationToken::new());
        let proxy = Proxy { address, silent: Arc::clone(&silent), stop: stop.clone() };
        tokio::spawn(stop.run_until_cancelled_owned(async move {
            while let Ok((near, _)) = listener.accept().await {
                let dead = silent.lock().unwrap_or_else(PoisonError::into_inner).clone();
                tokio::spawn(carry(near, target, dead));
            }
        }));
        Ok(proxy)
    }

    /// From now on nothing comes through on the connections that are open, and nobody is told. New ones are well.
    pub fn forget_connections(&self) {
        let mut silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *silent).cancel();
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn carry(mut near: TcpStream, target: SocketAddr, dead: CancellationToken) {
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    tokio::select! {
        biased;
        () = dead.cancelled() => std::future::pending().await,
        _ended = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
    }
}
