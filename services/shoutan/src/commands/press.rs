//! The binary that makes PDF of papers. It is built apart, and found beside this command or in PATH.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::Context as _;
use tokio::{io::AsyncWriteExt as _, process::Command};

/// What it is called.
const NAME: &str = "shoutan-press";
/// Where it is named by who keeps it elsewhere.
const SETTING: &str = "SHOUTAN_PRESS";
/// How it is built.
const BUILD: &str = "cargo build --release --manifest-path services/press/Cargo.toml";

/// The binary: the one that is named, the one beside this command, or the first in PATH.
pub(super) fn find() -> anyhow::Result<PathBuf> {
    let beside = env::current_exe().ok();
    find_in(env::var_os(SETTING).as_deref(), beside.as_deref(), env::var_os("PATH").as_deref())
}

/// Makes PDF of a paper.
pub(super) async fn print(press: &Path, paper: &[u8]) -> anyhow::Result<Vec<u8>> {
    let name = press.display();
    let mut child = Command::new(press)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("starting {name}"))?;
    let mut stdin = child.stdin.take().with_context(|| format!("{name} does not read"))?;
    let write = async move {
        // One that ends without reading has its own reason, which it says below.
        let _ = stdin.write_all(paper).await;
    };
    let (output, ()) = tokio::join!(child.wait_with_output(), write);
    let output = output.with_context(|| format!("waiting for {name}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches("error: ");
    anyhow::ensure!(output.status.success(), "{NAME}: {said}");
    anyhow::ensure!(output.stdout.starts_with(b"%PDF"), "{name} has written no PDF");
    Ok(output.stdout)
}

fn find_in(named: Option<&OsStr>, own: Option<&Path>, path: Option<&OsStr>) -> anyhow::Result<PathBuf> {
    if let Some(named) = named.filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        anyhow::ensure!(named.is_file(), "{SETTING} names {}, and there is no such file", named.display());
        return Ok(named);
    }
    let beside = own.and_then(Path::parent).map(|folder| folder.join(NAME));
    // An empty part of PATH is the folder in which one stands: what lies there is not run.
    let folders = path.map(|path| env::split_paths(path).filter(|it| it.is_absolute()).collect::<Vec<_>>());
    let in_path = folders.unwrap_or_default().into_iter().map(|folder| folder.join(NAME));
    beside.into_iter().chain(in_path).find(|candidate| candidate.is_file()).with_context(|| {
        format!(
            "PDF is made by {NAME}, and there is none beside this command or in PATH; build it in the project's folder: \
             {BUILD}; or name it: {SETTING}=FILE"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
        path
    }

    #[test]
    fn it_is_the_one_that_is_named_or_beside_the_command_or_in_the_path() {
        let (own, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let command = own.path().join("shoutan");
        let path = env::join_paths([Path::new(""), other.path()]).expect("a path");
        let find = |named: Option<&Path>| find_in(named.map(Path::as_os_str), Some(&command), Some(&path));
        let missing = find(None).expect_err("there is none").to_string();
        assert!(missing.contains(BUILD) && missing.contains(SETTING), "{missing}");
        let in_path = script(other.path(), NAME, "");
        assert_eq!(find(None).expect("it is in the path"), in_path);
        let beside = script(own.path(), NAME, "");
        assert_eq!(find(None).expect("it is beside"), beside);
        assert_eq!(find(Some(&in_path)).expect("it is named"), in_path);
        let nowhere = find(Some(Path::new("/nowhere/press"))).expect_err("there is none").to_string();
        assert!(nowhere.contains("/nowhere/press"), "{nowhere}");
    }

    #[tokio::test]
    async fn what_it_says_is_told_and_nothing_but_pdf_is_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let good = script(folder.path(), "good", "printf %%PDF-; cat");
        let paper = vec![b'a'; 1 << 20];
        let pdf = print(&good, &paper).await.expect("printed");
        assert!(pdf.len() == paper.len() + 5 && pdf.ends_with(b"a"));
        let bad = script(folder.path(), "bad", "echo 'error: no font has it' >&2; exit 1");
        let error = print(&bad, &paper).await.expect_err("it fails").to_string();
        assert_eq!(error, "shoutan-press: no font has it");
        let other = script(folder.path(), "other", "cat > /dev/null; echo page");
        assert!(print(&other, b"{}").await.is_err());
    }
}
