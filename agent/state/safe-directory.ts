import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, parse } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

/**
 * Why another user could put something else in the place of this directory, or into it; null: nobody can but its owner and
 * root. It must be ours and closed to writing; each one above it root's or ours, and closed too, or sticky, as /tmp, where
 * nobody renames what is another's. A link on the way must be root's or ours. The directory itself is no link.
 */
export function exchangeableBy(path: string, userId: number): string | null {
  const own = lstatSync(path);
  if (!own.isDirectory()) return `${path} is not a directory`;
  if (own.uid !== userId) return `${path} belongs to user ${own.uid}`;
  if (writable(own)) return `${path} can be written by other users`;
  return above(path, userId, 0) ?? above(realpathSync(path), userId, 0);
}

function above(path: string, userId: number, links: number): string | null {
  if (links > MOST_LINKS) return `${path} is behind too many links`;
  for (let at = dirname(path); ; at = dirname(at)) {
    const entry = lstatSync(at);
    if (entry.uid !== 0 && entry.uid !== userId) return `${at} belongs to user ${entry.uid}`;
    if (entry.isSymbolicLink()) {
      const target = readlinkSync(at);
      const place = isAbsolute(target) ? target : join(dirname(at), target);
      // Its own folders are looked at from the loop, its target's from here.
      const reason = above(join(place, 'below'), userId, links + 1);
      if (reason !== null) return reason;
    } else if (writable(entry) && (entry.mode & STICKY) === 0) return `${at} can be written by other users`;
    if (at === parse(at).root) return null;
  }
}

const writable = ({ mode }: Stats): boolean => (mode & WRITABLE_BY_OTHERS) !== 0;
