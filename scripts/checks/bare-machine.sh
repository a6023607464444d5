#!/usr/bin/env bash
# Runs a command in a clone of this checkout on a bare Debian, which has Node, npm and git and nothing else:
#   bash scripts/checks/bare-machine.sh [--with PACKAGE,...] COMMAND
#   bash scripts/checks/bare-machine.sh --possible        whether this machine can do it, and if not, why
# The command runs as an ordinary user, under a path with a space, and is not process 1. The clone has what is committed.
# --with installs packages and starts the services of the same names, such as redis-server,postgresql.
# It needs root on Debian, and installs mmdebstrap. The first run takes about 25 s longer. The machine's network is used,
# and processes end with the command.
set -euo pipefail
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

impossible() {
  echo "bare-machine: not possible here: $1" >&2
  exit 69 # EX_UNAVAILABLE of sysexits.h
}
[ "$(id -u)" = 0 ] || impossible "it needs root"
release=$(. /etc/os-release && [ "$ID" = debian ] && echo "$VERSION_CODENAME") || impossible "this is not Debian"
unshare --mount --pid --fork true 2>/dev/null || impossible "the kernel refuses namespaces (a container without CAP_SYS_ADMIN?)"
[ "${1:-}" != --possible ] || exit 0

packages=
if [ "${1:-}" = --with ]; then
  packages=${2//,/ }
  shift 2
fi
[ $# = 1 ] || { sed -n 2,4p "${BASH_SOURCE[0]}" >&2; exit 64; }

# Node is copied from this machine, and so is all that tells apt and npm how to reach their registries.
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
base=/var/cache/tollhouse/bare-$release-$("$node" --version)

build_base() {
  command -v mmdebstrap >/dev/null || { apt-get update -qq && apt-get install -y -qq mmdebstrap >/dev/null; }
  rm -rf --one-file-system "$base.new"
  local sources=()
  for each in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do [ ! -s "$each" ] || sources+=("$each"); done
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,git "$release" "$base.new" "${sources[@]}"
  rm -rf "$base.new/etc/apt/sources.list.d"
  cp -r /etc/apt/. "$base.new/etc/apt/"
  cp -r /etc/ssl/certs/. "$base.new/etc/ssl/certs/"
  cp "$node" "$base.new/usr/bin/node"
  mkdir -p "$base.new/usr/lib/node_modules"
  cp -r "$npm" "$base.new/usr/lib/node_modules/npm"
  for each in npm npx; do ln -s "../lib/node_modules/npm/bin/$each-cli.js" "$base.new/usr/bin/$each"; done
  mkdir -p "$base.new/usr/etc"
  for each in "$(npm config get globalconfig)" "$HOME/.npmrc"; do
    if [ -f "$each" ]; then cat "$each" && echo; fi
  done >"$base.new/usr/etc/npmrc"
  chroot "$base.new" useradd --create-home guest
  mv "$base.new" "$base"
}
mkdir -p "$(dirname "$base")"
exec 9>"$base.lock"
flock 9
# In a namespace, so that the mounts of mmdebstrap end with it.
export release node npm base
[ -d "$base" ] || unshare --mount bash -euc "$(declare -f build_base); build_base"
exec 9>&-

machine=$(mktemp -d /var/tmp/bare-machine-XXXXXX)
trap 'rm -rf --one-file-system "$machine"' EXIT
chmod 755 "$machine"
cp -a "$base/." "$machine/"
cp /etc/hosts /etc/resolv.conf "$machine/etc/"
clone="home/guest/my code/$(basename "$checkout")"
git clone --quiet "$checkout" "$machine/$clone"
chroot "$machine" chown -R guest:guest /home/guest

variables=(PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8)
while IFS= read -r each; do
  case $each in CI=* | *[pP][rR][oO][xX][yY]=* | npm_config_* | NODE_EXTRA_CA_CERTS=* | SSL_CERT_*=*) variables+=("$each") ;; esac
done < <(env)

# Runs in namespaces of its own, as their process 1. The machine becomes their root: the kernel lets nobody make users in a
# folder that chroot has made the root.
within() {
  local machine=$1 clone=$2 packages=$3 command=$4
  shift 4
  mount --bind "$machine" "$machine"
  mount -t proc proc "$machine/proc"
  mount -t sysfs sysfs "$machine/sys"
  mount --rbind /dev "$machine/dev"
  mount -t tmpfs -o mode=1777 shm "$machine/dev/shm"
  cd "$machine"
  local root=/ variables=("$@")
  # A machine that runs from memory has a root that cannot be replaced.
  if pivot_root . . 2>/dev/null; then umount --lazy .; else root=$machine; fi
  as_root() { env -i "${variables[@]}" DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
  if [ -n "$packages" ]; then
    as_root apt-get update -qq
    as_root sh -c "apt-get install -y -qq $packages >/dev/null"
    for each in $packages; do
      [ ! -e "${root%/}/etc/init.d/$each" ] || as_root "/etc/init.d/$each" start
    done
  fi
  chroot --userspec=guest "$root" env -i "$@" HOME=/home/guest USER=guest \
    bash -c 'cd "$1" && eval "$2"' bash "/$clone" "$command"
}
# In the background, so that a signal reaches this script. Without unshare, the kernel kills its process 1, and so all others.
unshare --mount --pid --fork --kill-child bash -euc "$(declare -f within); within \"\$@\"; exit" bare-machine \
  "$machine" "$clone" "$packages" "$1" "${variables[@]}" &
trap 'kill -KILL "$!"' INT TERM HUP
wait "$!"
