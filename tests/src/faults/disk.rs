//! A disk that is full, broken, or cannot be written to.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Context as _;
use tempfile::TempDir;

/// What stands in for a dying disk; compiled when it is needed.
const SABOTAGE: &str = include_str!("sabotage.c");

/// A small file system of its own, in memory. Whoever mounts it must be root.
#[derive(Debug)]
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// A new one of so many mebibytes.
    ///
    /// # Errors
    /// When this process may not mount.
    pub fn mount(mebibytes: u32) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m,mode=0755"), "tmpfs"])
            .arg(folder.path())
            .status()?;
        anyhow::ensure!(status.success(), "a small disk cannot be mounted: these tests are run by root");
        Ok(SmallDisk(folder))
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills it to the last byte.
    ///
    /// # Errors
    /// When it does not become full.
    pub fn fill(&self) -> anyhow::Result<()> {
        let mut ballast = fs::File::create(self.ballast())?;
        for size in [1 << 16, 1 << 12, 1] {
            while ballast.write_all(&vec![0; size]).is_ok() {}
        }
        anyhow::ensure!(ballast.write_all(&[0]).is_err(), "the disk does not become full");
        Ok(())
    }

    /// Makes room again.
    ///
    /// # Errors
    /// When it was not filled.
    pub fn free(&self) -> anyhow::Result<()> {
        fs::remove_file(self.ballast()).context("the disk was not filled")
    }

    fn ballast(&self) -> PathBuf {
        self.0.path().join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _best_effort = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// A library that, preloaded into a process, makes its writing into one folder fail on command.
#[derive(Debug)]
pub struct Sabotage {
    workshop: TempDir,
    folder: PathBuf,
}

impl Sabotage {
    /// Compiles it, for this folder.
    ///
    /// # Errors
    /// When there is no C compiler.
    pub fn of(folder: &Path) -> anyhow::Result<Self> {
        let workshop = tempfile::Builder::new().permissions(world_readable()).tempdir()?;
        let source = workshop.path().join("sabotage.c");
        fs::write(&source, SABOTAGE)?;
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-U_FORTIFY_SOURCE", "-o"])
            .arg(workshop.path().join("sabotage.so"))
            .arg(&source)
            .arg("-ldl")
            .status()
            .context("these tests need a C compiler")?;
        anyhow::ensure!(status.success(), "the saboteur does not compile");
        Ok(Sabotage { workshop, folder: folder.to_owned() })
    }

    /// What must stand in the environment of the process.
    pub fn environment(&self) -> Vec<(String, String)> {
        let set = |name: &str, path: PathBuf| (name.to_owned(), path.display().to_string());
        vec![
            set("LD_PRELOAD", self.workshop.path().join("sabotage.so")),
            set("SABOTAGE_FOLDER", self.folder.clone()),
            set("SABOTAGE_SWITCH", self.switch()),
        ]
    }

    /// From now on writing fails: the device answers with an error.
    ///
    /// # Errors
    /// When the switch cannot be set.
    pub fn break_device(&self) -> anyhow::Result<()> {
        const EIO: &str = "5";
        Ok(fs::write(self.switch(), EIO)?)
    }

    /// From now on writing fails: the file system has become read-only.
    ///
    /// # Errors
    /// When the switch cannot be set.
    pub fn make_read_only(&self) -> anyhow::Result<()> {
        const EROFS: &str = "30";
        Ok(fs::write(self.switch(), EROFS)?)
    }

    /// From now on writing works.
    ///
    /// # Errors
    /// When it worked before.
    pub fn mend(&self) -> anyhow::Result<()> {
        fs::remove_file(self.switch()).context("nothing was broken")
    }

    fn switch(&self) -> PathBuf {
        self.workshop.path().join("switch")
    }
}

fn world_readable() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o755)
}
