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
    const why = error instanceof Error ? error.message : String(error);
    return { interfaces: {}, problem: `the network interfaces cannot be listed (${why})` };
  }
}
