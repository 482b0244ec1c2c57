import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/**
 * Our IPv4 address on the way to `peer`, by the routing table: a UDP socket that is connected and sends nothing. Null if
 * there is no route, or the peer is reached by IPv6, which perftest's TCP side does not speak in all versions.
 */
export async function ownAddressTowards(peer: string, port: number): Promise<string | null> {
  if (!isIPv4(peer)) return null;
  const socket = createSocket('udp4');
  try {
    socket.connect(port, peer);
    await once(socket, 'connect');
    return socket.address().address;
  } catch {
    return null;
  } finally {
    socket.close();
  }
}

/**
 * RFC 1918, shared (100.64/10), link-local and loopback addresses: all that a test may use unless the operator says otherwise.
 */
export function isPrivateIpv4(address: string): boolean {
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (!isIPv4(address)) return false;
  const pair = (first: number, low: number, high: number): boolean => a === first && b >= low && b <= high;
  return a === 10 || a === 127 || pair(172, 16, 31) || pair(192, 168, 168) || pair(100, 64, 127) || pair(169, 254, 254);
}
