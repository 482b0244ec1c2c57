#!/usr/bin/env bash
# dist/images: the agent's and the coordinator's image as OCI layouts, their bills of materials and digests, made of
# Debian's packages and this tree by buildah. No daemon, no base image, no registry. Needs root (it mounts the image).
# Equal inputs (commit, lock file, Debian packages, compiler, strip) give equal digests.
# ARCH=arm64 on x86-64: dist/arm64/images, of what `make arm64` has put together there.
set -euo pipefail
umask 022
export LC_ALL=C
cd "$(dirname "$0")/../.."
here=containers/images
host=$(dpkg --print-architecture)
arch=${ARCH:-$host}
if [ "$arch" = "$host" ]; then
  built=dist tree=. strip=strip
else
  built=dist/$arch tree=dist/$arch/tree strip=aarch64-linux-gnu-strip
fi
case $arch in amd64) node_arch=x64 ;; *) node_arch=$arch ;; esac
out=${IMAGES_OUT:-$built/images}
wanted=${*:-agent coordinator}
node=node_modules/.bin/node

for program in buildah apt-get dpkg-deb $strip git; do
  command -v "$program" >/dev/null || { echo "images: $program is missing; apt-get install buildah dpkg binutils git" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo 'images: building mounts an image, which only root may; run as root' >&2; exit 1; }
[ -x "$built/gpumark-agent" ] || { echo "images: $built/gpumark-agent is missing; make agent" >&2; exit 1; }

version=$($node -p 'require("./package.json").version')
tag=$version
[ "$arch" = "$host" ] || tag=$version-$arch
revision=$(git rev-parse HEAD)
git diff --quiet HEAD -- agent native coordinator containers package-lock.json || revision="$revision+"
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out" "$work/debs"

# What our programs are linked to, and the authorities that the system trusts.
LIBRARIES=(libc6 libstdc++6 libgcc-s1 libatomic1 ca-certificates)
# initdb starts programs through a shell.
SHELL_PACKAGE=dash
apt=(apt-get -qq -o APT::Sandbox::User=root)
if [ "$arch" != "$host" ]; then
  # Lists of the other architecture, of this run alone: the machine's own stay as they are.
  mkdir -p "$work/apt/lists/partial" "$work/apt/archives/partial"
  touch "$work/apt/status"
  apt+=(-o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$work/apt" -o "Dir::State::status=$work/apt/status" -o "Dir::Cache=$work/apt")
  "${apt[@]}" update
fi
(cd "$work/debs" && "${apt[@]}" download "${LIBRARIES[@]}" "$SHELL_PACKAGE")

# base ROOT PACKAGE...: files of Debian packages, without manuals and tables that nothing here reads.
base() {
  local root=$1 deb; shift
  mkdir -p "$root"/{etc/ssl/certs,usr/bin,usr/lib,usr/lib64,tmp,proc,sys,dev,run}
  for name in bin lib lib64; do ln -s "usr/$name" "$root/$name"; done
  for name in "$@"; do
    deb=$(ls "$work/debs/${name}"_*.deb)
    mkdir -p "$work/unpacked/$name"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/unpacked/$name" --wildcards --exclude='./usr/share/man*' \
      --exclude='./usr/share/lintian*' --exclude='./usr/share/doc-base*' --exclude='./usr/sbin*' --exclude='*/gconv*' \
      --exclude='./usr/share/g[cd][cb]*' --exclude='./usr/share/doc/*/changelog*' --exclude='./usr/share/doc/*/README*'
    # bin, lib and lib64 are links in the image; a package may still have them as folders.
    for folder in bin lib lib64; do
      [ -d "$work/unpacked/$name/$folder" ] || continue
      mkdir -p "$work/unpacked/$name/usr/$folder"
      cp -a "$work/unpacked/$name/$folder/." "$work/unpacked/$name/usr/$folder/"
      rm -rf "$work/unpacked/$name/$folder"
    done
    cp -a "$work/unpacked/$name/." "$root/"
  done
  cat "$root"/usr/share/ca-certificates/mozilla/*.crt > "$root/etc/ssl/certs/ca-certificates.crt"
  rm -rf "$root/usr/share/ca-certificates"
  printf 'root:x:0:0::/:/usr/sbin/nologin\ngpumark:x:65532:65532::/var/lib/gpumark:/usr/sbin/nologin\n' > "$root/etc/passwd"
  printf 'root:x:0:\ngpumark:x:65532:\n' > "$root/etc/group"
  printf 'hosts: files dns\n' > "$root/etc/nsswitch.conf"
  chmod 1777 "$root/tmp"
  install -d -o 65532 -g 65532 -m 0700 "$root/var/lib/gpumark"
}

# commit NAME TITLE ROOT CONFIG...: the image of a root, in the local store and as an OCI layout; prints digest and size.
commit() {
  local name=$1 title=$2 root=$3 container mounted; shift 3
  container=$(buildah from scratch)
  mounted=$(buildah mount "$container")
  cp -a "$root/." "$mounted/"
  buildah umount "$container" >/dev/null
  buildah config --os linux --arch "$arch" --user 65532:65532 --workingdir / \
    --env PATH=/usr/local/bin:/usr/bin --env HOME=/var/lib/gpumark --env SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    --label org.opencontainers.image.title="$title" --label org.opencontainers.image.version="$version" \
    --label org.opencontainers.image.revision="$revision" --label org.opencontainers.image.licenses=Apache-2.0 \
    --volume /var/lib/gpumark "$@" "$container"
  buildah commit --quiet --format oci --timestamp "$epoch" --rm "$container" "localhost/$name:$tag" >/dev/null
  [ "$arch" != "$host" ] || buildah tag "localhost/$name:$tag" "localhost/$name:latest"
  # Under its whole name, which is what it is called once the layout is loaded.
  buildah push --quiet "localhost/$name:$tag" "oci:$out/$name:localhost/$name:$tag" >/dev/null
  $node $here/describe-image.ts "$out/$name" "$name:$tag" | tee -a "$out/DIGESTS"
}

if [[ " $wanted " == *' agent '* ]]; then
agent_root=$work/agent
base "$agent_root" "${LIBRARIES[@]}"
install -D -m 0755 "$built/gpumark-agent" "$agent_root/usr/local/bin/gpumark-agent"
$node $here/write-image-bill.ts agent "$work/debs" "$out/gpumark-agent.cdx.json" "$tree" "$node_arch"
install -D -m 0644 "$out/gpumark-agent.cdx.json" "$agent_root/usr/share/gpumark/sbom.cdx.json"
install -m 0644 LICENSE NOTICE "$agent_root/usr/share/gpumark/"
commit gpumark-agent 'gpumark agent: measures this machine' "$agent_root" \
  --entrypoint '["/usr/local/bin/gpumark-agent"]' --cmd '' \
  --env GPUMARK_STATE_DIR=/var/lib/gpumark --env XDG_CACHE_HOME=/var/lib/gpumark/cache \
  --env NVIDIA_VISIBLE_DEVICES=all --env NVIDIA_DRIVER_CAPABILITIES=compute,utility
fi

if [[ " $wanted " == *' coordinator '* ]]; then
coordinator_root=$work/coordinator
base "$coordinator_root" "${LIBRARIES[@]}" "$SHELL_PACKAGE"
[ -e "$coordinator_root/usr/bin/sh" ] || ln -s dash "$coordinator_root/usr/bin/sh"
app=$coordinator_root/opt/gpumark
mkdir -p "$app"
git ls-files coordinator containers/slurm/gpumark.sbatch containers/kubernetes/benchmark-job.yaml \
  package.json package-lock.json LICENSE NOTICE | grep -v '\.md$' > "$work/files"
$node $here/loaded-files.ts "$tree" "$node_arch" >> "$work/files"
tar -c -C "$tree" -T "$work/files" | tar -x -C "$app" --no-same-owner
install -D -m 0755 "$tree/node_modules/node-linux-$node_arch/bin/node" "$coordinator_root/usr/local/bin/node"
$strip "$coordinator_root/usr/local/bin/node"
printf '#!/bin/sh\nexec /usr/local/bin/node /opt/gpumark/coordinator/main.ts "$@"\n' > "$coordinator_root/usr/local/bin/coordinator"
chmod 0755 "$coordinator_root/usr/local/bin/coordinator"
$node $here/write-image-bill.ts coordinator "$work/debs" "$out/gpumark-coordinator.cdx.json" "$tree" "$node_arch"
install -D -m 0644 "$out/gpumark-coordinator.cdx.json" "$coordinator_root/usr/share/gpumark/sbom.cdx.json"
commit gpumark-coordinator 'gpumark coordinator: jobs, reports, prices' "$coordinator_root" \
  --entrypoint '["/usr/local/bin/node","/opt/gpumark/coordinator/main.ts"]' --cmd serve --port 8080 \
  --env HOST=0.0.0.0 --env DATA_DIR=/var/lib/gpumark --env NODE_ENV=production
fi
