import type { SystemFiles } from './system-files.ts';

/** State LISTEN in /proc/net/tcp (include/net/tcp_states.h). */
const LISTEN = '0A';

/** How many different TCP ports something listens on, IPv4 and IPv6 together; null if the kernel does not say. */
export function countOpenPorts(files: SystemFiles): number | null {
  const tables = ['proc/net/tcp', 'proc/net/tcp6'].map((path) => files.text(path));
  if (tables.every((table) => table === null)) return null;
  const ports = new Set<string>();
  for (const table of tables) {
    for (const line of table?.split('\n').slice(1) ?? []) {
      const [, local, , state] = line.trim().split(/\s+/);
      const port = local?.split(':')[1];
      if (state === LISTEN && port !== undefined) ports.add(port);
    }
  }
  return ports.size;
}
