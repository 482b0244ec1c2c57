#!/usr/bin/env bash
# Are all C++ and CUDA sources laid out as .clang-format says? check-format.sh [--write]
# Exit: 0 they are, or it could not be checked, which it says; 1 they are not.
set -euo pipefail
cd "$(dirname "$0")/.."
# Versions differ in where they break a line, so only one counts: that of Debian 12.
for tool in clang-format-14 clang-format; do
  [[ "$("$tool" --version 2> /dev/null)" == *" version 14."* ]] && break
  tool=
done
if [ -z "$tool" ]; then
  echo 'layout of C++ not checked: clang-format 14 is missing (on Debian 12: apt-get install clang-format)'
  exit
fi
find native test/native test/support/simulated-driver -path native/build -prune -o -regex '.*\.\(h\|cpp\|cu\)' -print0 |
  if [ "${1:-}" = --write ]; then xargs -0 "$tool" -i; else xargs -0 "$tool" --dry-run -Werror; fi
