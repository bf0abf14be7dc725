//! A proxy that passes bytes on, slows answers or cuts them off; its input says which.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::Duration,
};

use chassis::Env;
use rand::RngExt as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, tcp},
};

use crate::child::input_lines;

/// How late slow answers are.
const SLOW: Duration = Duration::from_millis(300);
/// How many answers there are to one that is cut off.
const CUT_ONE_OF: u32 = 50;

/// What the proxy says when it is up.
pub(crate) const SIGN: &str = "the proxy is up";

const PASS: u8 = 0;
const SLOWLY: u8 = 1;
const CUT: u8 = 2;

/// Passes on until it is killed.
pub(crate) async fn serve(listen: &str, target: &str) -> anyhow::Result<()> {
    let mode = Arc::new(AtomicU8::new(PASS));
    let told = Arc::clone(&mode);
    tokio::spawn(input_lines(move |line| {
        let new = match line {
            "slow" => SLOWLY,
            "cut" => CUT,
            _ => PASS,
        };
        told.store(new, Ordering::SeqCst);
    }));
    let listener = TcpListener::bind(listen).await?;
    println!("{SIGN}");
    loop {
        let (client, _) = listener.accept().await?;
        let (target, mode) = (target.to_owned(), Arc::clone(&mode));
        tokio::spawn(async move {
            let Ok(server) = TcpStream::connect(&target).await else { return };
            let _nothing = (client.set_nodelay(true), server.set_nodelay(true));
            let ((asks, asked), (answers, answered)) = (client.into_split(), server.into_split());
            // When either way ends, both do: so is a connection that breaks.
            tokio::select! {
                biased;
                () = pass(asks, answered, None) => {}
                () = pass(answers, asked, Some(mode)) => {}
            }
        });
    }
}

async fn pass(mut from: tcp::OwnedReadHalf, mut to: tcp::OwnedWriteHalf, mode: Option<Arc<AtomicU8>>) {
    let (env, mut bytes) = (Env::system(), vec![0; 64 * 1024]);
    let unlucky = || env.with_rng(|rng| rng.random_range(0..CUT_ONE_OF)) == 0;
    while let Ok(count) = from.read(&mut bytes).await {
        if count == 0 {
            return;
        }
        match mode.as_ref().map_or(PASS, |mode| mode.load(Ordering::SeqCst)) {
            SLOWLY => tokio::time::sleep(SLOW).await,
            // The server has done what was asked, and nobody hears of it.
            CUT if unlucky() => return,
            _ => {}
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
