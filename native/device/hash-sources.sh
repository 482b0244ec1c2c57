#!/usr/bin/env bash
# One hash over everything the device images are built from, the flags included.
set -euo pipefail
cd "$(dirname "$0")"
find . -name "*.cu" -o -name "*.h" -o -name build-images.sh | LC_ALL=C sort -u | xargs cat | sha256sum | cut -d" " -f1
