#!/usr/bin/env bash
# dist/release: agent, both images, what they are made of, the launchers, SHA256SUMS and its signature.
#   RELEASE_KEY=~/.ssh/id_ed25519 make release      an SSH key; verify: ssh-keygen -Y verify -n gpumark ...
#   RELEASE_KEY=ops@example.com make release        a key of GnuPG; verify: gpg --verify SHA256SUMS.asc
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
images=${IMAGES_OUT:-dist/images}
out=${RELEASE_OUT:-dist/release}
[ -n "${RELEASE_KEY:-}" ] || { echo 'release: RELEASE_KEY is not set: the file of an SSH key, or the name of a key of GnuPG' >&2; exit 2; }
[ -f "$images/DIGESTS" ] || { echo "release: $images/DIGESTS is missing; make images" >&2; exit 1; }

epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
version=$(node_modules/.bin/node -p 'require("./package.json").version')
arch=$(dpkg --print-architecture)
pack() { tar --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner -c "$@"; }

rm -rf "$out"
mkdir -p "$out"
install -m 0755 dist/gpumark-agent "$out/gpumark-agent-$version-linux-$arch"
for name in gpumark-agent gpumark-coordinator; do
  # An OCI archive: `podman load -i`, `skopeo copy oci-archive:`.
  pack -C "$images/$name" -f "$out/$name-$version-linux-$arch.oci.tar" .
  cp "$images/$name.cdx.json" "$out/$name-$version.cdx.json"
done
pack -C containers --exclude=images --exclude=release -f - . | gzip -n > "$out/gpumark-deployment-$version.tar.gz"
cp "$images/DIGESTS" containers/UPGRADING.md LICENSE NOTICE "$out/"
sums=$(cd "$out" && find . -type f -printf '%P\n' | sort | xargs sha256sum)
printf '%s\n' "$sums" > "$out/SHA256SUMS"
if [ -f "$RELEASE_KEY" ]; then
  ssh-keygen -q -Y sign -f "$RELEASE_KEY" -n gpumark "$out/SHA256SUMS"
else
  gpg --batch --yes --armor --local-user "$RELEASE_KEY" --detach-sign --output "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
fi
echo "release: $out"
