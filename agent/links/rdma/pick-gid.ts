import type { Gid, RdmaPort } from './read-ports.ts';

/**
 * Index in the port's GID table for a test. InfiniBand: 0, the port's own. RoCE: version 2 with a routable address; a
 * link-local one connects over TCP and then times out in the fabric. Prefers an interface that is up, then an IPv4
 * address over a global IPv6 one, then the lower index. Null if there is none.
 */
export function pickGidIndex(port: Pick<RdmaPort, 'link_layer' | 'gids'>): number | null {
  if (port.link_layer === 'InfiniBand') return port.gids.some(({ index }) => index === 0) ? 0 : null;
  const usable = port.gids.filter((gid) => gid.type === 'RoCE v2' && !isLinkLocal(gid));
  const rank = (gid: Gid): number => (gid.interface_is_up ? 0 : 2) + (isIpv4(gid) ? 0 : 1);
  return usable.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)[0]?.index ?? null;
}

/** IPv4 mapped into IPv6: 0000:0000:0000:0000:0000:ffff:0a00:0001 */
const isIpv4 = ({ address }: Gid): boolean => /^(?:0000:){5}ffff:/i.test(address);

/** fe80::/10, and 169.254/16 mapped */
const isLinkLocal = (gid: Gid): boolean =>
  /^fe[89ab]/i.test(gid.address) || (isIpv4(gid) && /:ffff:a9fe:/i.test(gid.address));
