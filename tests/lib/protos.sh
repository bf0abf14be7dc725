#!/usr/bin/env bash
# Lints the protos and makes sure that they break nobody: against the newest `api-v*` tag, or the commit
# before when there is none yet. Installs buf, whose binary comes inside its package, into target/tools.
set -euo pipefail
version=1.75.0
tools=${CARGO_TARGET_DIR:-target}/tools/buf-$version

if [[ ! -x $tools/buf ]]; then
  mkdir -p "$tools"
  if command -v npm >/dev/null; then
    npm install --silent --no-audit --no-fund --prefix "$tools" "@bufbuild/buf@$version" >/dev/null
    ln -sf node_modules/.bin/buf "$tools/buf"
  elif command -v python3 >/dev/null; then
    python3 -m pip install --quiet --target "$tools/python" "buf-bin==$version"
    ln -sf python/bin/buf "$tools/buf"
  elif [[ ${CI:-} == true ]]; then
    echo "neither npm nor pip is there to install buf with, and in CI the protos must be checked" >&2
    exit 1
  else
    echo "NOTE: neither npm nor pip is there to install buf with; the protos are not checked" >&2
    exit 0
  fi
fi

"$tools/buf" lint proto
"$tools/buf" format proto --diff --exit-code

base=$(git describe --tags --match 'api-v*' --abbrev=0 2>/dev/null || git rev-parse --quiet --verify HEAD~1 || true)
if [[ -n $base ]] && git cat-file -e "$base:proto" 2>/dev/null; then
  before=$(mktemp -d)
  trap 'rm -rf "$before"' EXIT
  git archive "$base" proto | tar -x -C "$before"
  "$tools/buf" breaking proto --against "$before/proto"
fi
