import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { familyOf } from './process-family.ts';

const LISTEN = '0A';

/**
 * Whether the program that runs under `pid`, or one that it started, listens on TCP `port`. perftest says nothing that could
 * be trusted here: it announces that it waits before it has bound its socket, and into a pipe only when it ends. A listener of
 * another program on the same port does not count.
 */
export function isListening(pid: number, port: number): boolean {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeners(`/proc/${pid}/net/${table}`, port)));
  return sockets.size > 0 && familyOf(pid).some((member) => socketsOf(member).some((inode) => sockets.has(inode)));
}

/** Inodes of the sockets that listen on the port; columns by proc(5): number, local address, remote, state, ..., inode at 9. */
function listeners(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = lines(table).map((line) => line.trim().split(/\s+/));
  return rows.filter((row) => row[1]?.endsWith(suffix) && row[3] === LISTEN).map((row) => row[9] ?? '');
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return listed(folder).flatMap((name) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${name}`))?.[1] ?? []);
}

// Processes end and descriptors close while they are read: what is gone is empty.
const lines = (path: string): string[] => orElse(() => readFileSync(path, 'utf8').split('\n'), []);
const listed = (path: string): string[] => orElse(() => readdirSync(path), []);
const linkOf = (path: string): string => orElse(() => readlinkSync(path), '');

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
