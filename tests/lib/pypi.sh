# Sourced by benches that hold something to an independent implementation from PyPI.

# Prints the python that has a package in a version, in an environment of its own below the target folder; makes it when it is
# missing. Needs python3 with venv.
#
#   python=$(pypi networkx 3.6.1)
pypi() {
  local package=$1 version=$2
  local venv=${CARGO_TARGET_DIR:-target}/tools/$package-$version
  if ! "$venv/bin/python" -c "import $package" 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$package==$version" >&2
  fi
  echo "$venv/bin/python"
}
