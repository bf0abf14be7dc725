# Stages of a test run: a heading, the time it took, and a stop at the first that fails.

stage() {
  local name=$1 began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if ! "$@"; then
    printf '== %s FAILED after %d s\n' "$name" $((SECONDS - began))
    exit 1
  fi
  printf '== %s ok, %d s\n' "$name" $((SECONDS - began))
}

stages_done() {
  printf '\nall stages ok, %d s\n' "$SECONDS"
}

# Runs a command of cargo as `cargo clippy -- -D warnings` runs `cargo check`: what that has looked at is not looked at again.
with_lints() {
  local driver
  driver=$(rustc --print sysroot)/bin/clippy-driver
  RUSTC_WORKSPACE_WRAPPER=$driver CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__" "$@"
}

# What tests run, built as they run it.
build_tests() {
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-run
  else
    cargo test --locked --no-run --lib --bins --tests
  fi
}

# cargo-nextest when it is there; plain cargo otherwise. How many tests run at once, and which of them alone, is said where the
# threads are counted (.config/nextest.toml).
run_tests() {
  local cores
  cores=$(nproc)
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-fail-fast --test-threads $((3 * cores)) "$@"
  else
    cargo test --locked --no-fail-fast --lib --bins --tests "$@"
  fi
}
