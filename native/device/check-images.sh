#!/usr/bin/env bash
# Are the device images those that these sources give? check-images.sh [--rebuild] [IMAGES, default ../images]
#   Without --rebuild, by hashes: every image is the one of its MANIFEST line, was made from the sources as they are now, none is missing
#   or unknown. With it, also by building all images again (or those named in ONLY), where the compilers are those of the MANIFEST, and
#   comparing bytes.
# Exit: 0 they are; 1 they are not; 2 usage; 3 --rebuild could not check all, for want of a compiler.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rebuild=no
if [ "${1:-}" = --rebuild ]; then rebuild=yes; shift; fi
if [ $# -gt 1 ] || [[ "${1:-}" == -* ]] || [ ! -d "${1:-$here/../images}" ]; then
  echo "usage: check-images.sh [--rebuild] [FOLDER WITH IMAGES]" >&2
  exit 2
fi
images=$(cd "${1:-$here/../images}" && pwd)
NVCC=${NVCC:-nvcc}
CLANG=${CLANG:-clang++-22}
verdict=0

fail() { echo "FAILED $*"; verdict=1; }

listed=$("$here/build-images.sh" --list)
sources=$("$here/hash-sources.sh")
[ -f "$images/MANIFEST" ] || fail "MANIFEST is missing"

for image in $listed; do
  read -r hash _ made_from _ < <(grep " $image " "$images/MANIFEST" 2> /dev/null) || { fail "$image: no line in MANIFEST"; continue; }
  if [ ! -f "$images/$image" ]; then fail "$image: missing"; continue; fi
  [ "$(sha256sum < "$images/$image" | cut -d' ' -f1)" = "$hash" ] || fail "$image: not the file that MANIFEST names"
  [ "$made_from" = "sources=$sources" ] || fail "$image: made from other sources than these"
done
for file in $(cd "$images" && ls) $(cut -d' ' -f2 "$images/MANIFEST" 2> /dev/null); do
  [ "$file" = MANIFEST ] || grep -qx -- "$file" <<< "$listed" || fail "$file: not an image that build-images.sh makes"
done

# present COMMAND-VERSION: prints the version of the compiler that is here, or nothing
present() {
  case $1 in
    nvcc) command -v "$NVCC" > /dev/null && "$NVCC" --version | sed -n 's/.*, V\([0-9.]*\)$/nvcc-\1/p' ;;
    clang) command -v "$CLANG" > /dev/null && echo "clang-$("$CLANG" -dumpversion)" ;;
  esac || true
}

if [ $rebuild = yes ] && [ $verdict = 0 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  again=$work/images
  for compiler in nvcc clang; do
    needed=$(cut -d' ' -f4 "$images/MANIFEST" | grep "^$compiler-" | sort -u)
    if [ "$(present $compiler)" != "$needed" ]; then
      echo "NOT REBUILT: $(grep -c " $compiler-" "$images/MANIFEST") images need $needed; here is $(present $compiler | grep . || echo none)"
      unchecked=yes
    else
      wanted="${wanted:-} $compiler"
    fi
  done
  # build-images.sh leaves out what has no compiler; one of another version is hidden from it.
  [[ "${wanted:-}" == *nvcc* ]] || NVCC=none
  [[ "${wanted:-}" == *clang* ]] || CLANG=none
  NVCC=$NVCC CLANG=$CLANG "$here/build-images.sh" "$again" > "$work/log" 2>&1 || { cat "$work/log"; fail "build-images.sh did not succeed"; }
  for image in $listed; do
    if [ -f "$again/$image" ] && ! cmp -s "$again/$image" "$images/$image"; then fail "$image: building it again gives another file"; fi
  done
fi

if [ $verdict != 0 ]; then
  echo "To build them again: native/device/build-images.sh"
  echo "  with $(cut -d' ' -f4 "$images/MANIFEST" 2> /dev/null | sort -u | tr '\n' ' ')and lld, llvm-strip of that clang; then commit native/images"
  exit 1
fi
echo "ok: $(wc -w <<< "$listed") images, sources $sources"
[ -z "${unchecked:-}" ] || exit 3
