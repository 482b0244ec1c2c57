#!/usr/bin/env bash
# Builds the device images into $1 (default ../images) and writes their MANIFEST: what each was built from and by, and its hash.
#   ONLY="NAME NAME" builds these alone.
#   NVCC (CUDA 13.0) makes the cubins and the PTX of the matrix kernels, CLANG (22: the first Debian package with gfx950) the AMD code
#   objects and the portable PTX. An image whose compiler is absent is left as it is; so is the MANIFEST's line of it.
#   build-images.sh --list prints the names of all images.
# Two sets: kernels.cu for every architecture, matrix/matrix.cu ("matrix-...") for those with matrix units. PTX is for devices without a
# cubin (P100, V100) and for drivers older than the cubins: the portable one is for sm_60 in version 6.3, which every
# driver that the runner takes (CUDA 11.4 and later) compiles, the matrix ones are in the oldest version that has their instructions.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cubins="75 80 86 89 90 100 103 120"
matrix_cubins="75 80 89 90a 100a 103a 120a 121a"
matrix_ptx="75:6.5 80:7.0 89:8.4 90a:8.0 100a:8.7 103a:8.8 120a:8.7 121a:8.8"
objects="gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201"
matrix_objects="gfx90a gfx942 gfx950 gfx1100 gfx1101 gfx1200 gfx1201"

if [ "${1:-}" = --list ]; then
  for arch in $cubins; do echo "sm_$arch.cubin"; done
  for arch in $matrix_cubins; do echo "matrix-sm_$arch.cubin"; done
  for arch in $matrix_ptx; do echo "matrix-sm_${arch%:*}.ptx"; done
  for arch in $objects; do echo "$arch.hsaco"; done
  for arch in $matrix_objects; do echo "matrix-$arch.hsaco"; done
  echo sm_60.ptx
  exit
fi

out=$(mkdir -p "${1:-$here/../images}" && cd "${1:-$here/../images}" && pwd)
NVCC=${NVCC:-nvcc}
CLANG=${CLANG:-clang++-22}
STRIP=${STRIP:-llvm-strip-22}
cd "$here"

sources=$("$here/hash-sources.sh")
touch "$out/MANIFEST"

# record FILE COMPILER-VERSION
record() {
  { grep -v " $1 " "$out/MANIFEST" || true; echo "$(sha256sum "$out/$1" | cut -d' ' -f1) $1 sources=$sources $2"; } | sort -k2 > "$out/MANIFEST.new"
  mv "$out/MANIFEST.new" "$out/MANIFEST"
}

# wanted IMAGE
wanted() { [ -z "${ONLY:-}" ] || [[ " $ONLY " == *" $1 "* ]]; }

# cubin ARCH SOURCE IMAGE
cubin() {
  wanted "$3" || return 0
  "$NVCC" -std=c++17 -O3 -I. -gencode "arch=compute_$1,code=sm_$1" -cubin -o "$out/$3" "$2"
  record "$3" "$version"
}

# ptx ARCH VERSION SOURCE IMAGE: the compiler writes its own version, though nothing in the text needs it but a hint about loads, which
# goes. ptxas says whether that holds.
ptx() {
  wanted "$4" || return 0
  "$NVCC" -std=c++17 -O3 -I. -gencode "arch=compute_$1,code=compute_$1" -ptx -o "$out/$4.new" "$3"
  sed "s/^\.version .*/.version $2/; /^\/\//d; /used_bytes_mask/d" "$out/$4.new" > "$out/$4"
  rm "$out/$4.new"
  "${PTXAS:-ptxas}" -arch="sm_$1" -o /dev/null "$out/$4"
  record "$4" "$version"
}

# code_object ARCH SOURCE IMAGE
code_object() {
  wanted "$3" || return 0
  "$CLANG" -x hip "--offload-arch=$1" -nogpulib -nogpuinc --no-gpu-bundle-output -mcode-object-version=5 "${freestanding[@]}" "$2" -o "$out/$3"
  # Local symbols only: ROCm's loader finds kernels by .symtab (ROCR-Runtime, amd_elf_image.cpp) and would see none in .dynsym.
  "$STRIP" --discard-all "$out/$3"
  chmod 644 "$out/$3"
  record "$3" "$version"
}

if command -v "$NVCC" > /dev/null; then
  version="nvcc-$("$NVCC" --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')"
  for arch in $cubins; do cubin "$arch" kernels.cu "sm_$arch.cubin"; done
  for arch in $matrix_cubins; do cubin "$arch" matrix/matrix.cu "matrix-sm_$arch.cubin"; done
  for arch in $matrix_ptx; do ptx "${arch%:*}" "${arch#*:}" matrix/matrix.cu "matrix-sm_${arch%:*}.ptx"; done
else
  echo "no $NVCC: the cubins stay as they are" >&2
fi

if command -v "$CLANG" > /dev/null; then
  version="clang-$("$CLANG" -dumpversion)"
  freestanding=(-std=c++17 -O3 -I. --cuda-device-only -fuse-cuid=none)
  for arch in $objects; do code_object "$arch" kernels.cu "$arch.hsaco"; done
  for arch in $matrix_objects; do code_object "$arch" matrix/matrix.cu "matrix-$arch.hsaco"; done
  if wanted sm_60.ptx; then
    "$CLANG" -x cuda --cuda-gpu-arch=sm_60 -Xclang -target-feature -Xclang +ptx63 -nocudainc -nocudalib --cuda-path=/nonexistent "${freestanding[@]}" -S kernels.cu -o "$out/sm_60.ptx"
    record sm_60.ptx "$version"
  fi
else
  echo "no $CLANG: the code objects and the PTX stay as they are" >&2
fi
