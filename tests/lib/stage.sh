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

# cargo-nextest when it is there; plain cargo otherwise. Half of the tests wait more than they work, so that there are more of
# them at once than cores; those that must be alone are (.config/nextest.toml).
run_tests() {
  local cores
  cores=$(nproc)
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --locked --no-fail-fast --test-threads $((cores + (cores + 1) / 2)) "$@"
  else
    cargo test --locked --no-fail-fast --lib --bins --tests "$@"
  fi
}
