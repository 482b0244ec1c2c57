import { constants } from 'node:os';
import type { Host } from './host.ts';

interface Interfaces {
  interfaces: ReturnType<Host['networkInterfaces']>;
  /** Why none is known; null: they are. */
  problem: string | null;
}

/** What makes the list available, for messages. */
export const ALLOW_NETLINK =
  'Allow AF_NETLINK sockets (seccomp profile of the container, RestrictAddressFamilies= of systemd)';

/**
 * The interfaces with their addresses. Listing them needs an AF_NETLINK socket, which a seccomp filter may forbid: then
 * the machine has no known address, which is not an error by itself.
 */
export function listInterfaces(host: Pick<Host, 'networkInterfaces'>): Interfaces {
  try {
    return { interfaces: host.networkInterfaces(), problem: null };
  } catch (error) {
    return { interfaces: {}, problem: `the network interfaces cannot be listed (${nameOf(error)})` };
  }
}

/** libuv returns this error with the wrong sign, so that its message has a number only. */
function nameOf(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Math.abs(Number(error.errno)) : Number.NaN;
  const name = Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
  return name ?? (error instanceof Error ? error.message : String(error));
}
