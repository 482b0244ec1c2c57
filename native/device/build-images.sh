#!/usr/bin/env bash
# Builds the device images into $1 (default ../images) and writes their MANIFEST: what each was built from and by, and its hash.
#   NVCC (CUDA 13.0) makes the cubins, CLANG (22: the first Debian package with gfx950) the AMD code objects and the PTX.
# The PTX is for sm_60 in version 6.3, which drivers from CUDA 10.0 on compile: for devices without a cubin (P100, V100), and for
# drivers older than the cubins. An image whose compiler is absent is left as it is; so is the MANIFEST's line of it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
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

if command -v "$NVCC" > /dev/null; then
  version="nvcc-$("$NVCC" --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')"
  for arch in 75 80 86 89 90 100 103 120; do
    "$NVCC" -std=c++17 -O3 -gencode "arch=compute_$arch,code=sm_$arch" -cubin -o "$out/sm_$arch.cubin" kernels.cu
    record "sm_$arch.cubin" "$version"
  done
else
  echo "no $NVCC: the cubins stay as they are" >&2
fi

if command -v "$CLANG" > /dev/null; then
  version="clang-$("$CLANG" -dumpversion)"
  freestanding=(-std=c++17 -O3 --cuda-device-only -fuse-cuid=none)
  for arch in gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201; do
    "$CLANG" -x hip "--offload-arch=$arch" -nogpulib -nogpuinc --no-gpu-bundle-output -mcode-object-version=5 "${freestanding[@]}" kernels.cu -o "$out/$arch.hsaco"
    # Local symbols only: ROCm's loader finds kernels by .symtab (ROCR-Runtime, amd_elf_image.cpp) and would see none in .dynsym.
    "$STRIP" --discard-all "$out/$arch.hsaco"
    chmod 644 "$out/$arch.hsaco"
    record "$arch.hsaco" "$version"
  done
  "$CLANG" -x cuda --cuda-gpu-arch=sm_60 -Xclang -target-feature -Xclang +ptx63 -nocudainc -nocudalib --cuda-path=/nonexistent "${freestanding[@]}" -S kernels.cu -o "$out/sm_60.ptx"
  record sm_60.ptx "$version"
else
  echo "no $CLANG: the code objects and the PTX stay as they are" >&2
fi
