#!/usr/bin/env bash
# Lints the protos and makes sure that they break nobody who was built with proto/base.binpb, the descriptors to which
# every change is held.
#
#   tests/lib/protos.sh           checks
#   tests/lib/protos.sh --renew   checks, and has what was added since be kept from now on, too
#
# Installs buf, whose binary comes inside its package, into target/tools.
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

"$tools/buf" breaking proto --against proto/base.binpb
if [[ ${1:-} == --renew ]]; then
  "$tools/buf" build proto --exclude-source-info --output proto/base.binpb
fi
