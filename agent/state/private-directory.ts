import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, dirname, parse } from 'node:path';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { makeDirectory } from './make-directory.ts';

/** Where results wait: the operator's choice alone if there is one, else the first of the usual places that can be written. */
export function stateDirectory(host: Host): string {
  const chosen = host.env['GPUMARK_STATE_DIR'];
  const candidates = chosen
    ? [chosen]
    : [...underHome(host, 'XDG_STATE_HOME', '.local/state'), temporaryDirectory(host)];
  const found = candidates.find((path) => isUsable(path, host.user_id));
  if (found !== undefined) return found;
  throw new ExitError(
    'usage',
    `no directory for results can be written (tried ${candidates.join(', ')})`,
    'Set GPUMARK_STATE_DIR to a directory on a disk with room.',
  );
}

/**
 * Where the runner may be unpacked, best first, each made when it is asked for. The last is the one for a home that is
 * read-only or mounted noexec. What root would start there no other user may exchange, so that directories below another
 * user's are passed over: a home that sudo kept is one.
 */
export function* cacheDirectories(host: Host): Generator<string, void, void> {
  const state = host.env['GPUMARK_STATE_DIR'];
  const candidates = [
    ...underHome(host, 'XDG_CACHE_HOME', '.cache'),
    ...(state ? [state] : underHome(host, 'XDG_STATE_HOME', '.local/state')),
    temporaryDirectory(host),
  ];
  for (const path of candidates)
    if (isUsable(path, host.user_id) && (host.user_id !== 0 || isSafe(path, host.user_id))) yield path;
}

function isSafe(path: string, userId: number): boolean {
  try {
    return exchangeableBy(path, userId) === null;
  } catch {
    return false;
  }
}

function underHome(host: Host, variable: string, fallback: string): string[] {
  const base = host.env[variable];
  if (base && isAbsolute(base)) return [join(base, 'gpumark')];
  const home = host.env['HOME'];
  // A home that does not exist (services have /nonexistent) is not made either.
  return home && isAbsolute(home) && existsSync(home) ? [join(home, fallback, 'gpumark')] : [];
}

const temporaryDirectory = (host: Host): string => join(host.env['TMPDIR'] || '/tmp', `gpumark-${host.user_id}`);

/**
 * Makes it (0700) if needed. A directory that another user owns or may write to is refused: a runner unpacked there
 * could be replaced, and a token read.
 */
function isUsable(path: string, userId: number): boolean {
  try {
    makeDirectory(path);
    const entry = lstatSync(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return entry.isDirectory() && entry.uid === userId && (entry.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** As many as the kernel follows. */
const MOST_LINKS = 40;

/**
 * Why another user could replace this directory, or put something into it; null: only its owner can, and
 * root. It must be ours and closed to writing; each one above it root's or ours, and closed too, or sticky, as /tmp, where
 * nobody renames what is another's. A link on the way must be root's or ours. The directory itself is not a link.
 */
function exchangeableBy(path: string, userId: number): string | null {
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
