//! The command with a sixth game in it.

fn main() -> std::process::ExitCode {
    shoutan::cli::run()
}
