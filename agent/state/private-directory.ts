import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, dirname, parse } from 'node:path';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { makeDirectory } from './make-directory.ts';

/**
 * The directory for waiting results: the operator's choice if given, else the first writable one of the usual places.
 */
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
 * Directories for unpacking the runner, best first, each created on demand. The last one is for a home that is
 * read-only or mounted noexec. No other user may be able to replace what root would start there, so directories below
 * another user's, such as a home kept by sudo, are skipped.
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
  // A home that does not exist (services have /nonexistent) is not created.
  return home && isAbsolute(home) && existsSync(home) ? [join(home, fallback, 'gpumark')] : [];
}

const temporaryDirectory = (host: Host): string => join(host.env['TMPDIR'] || '/tmp', `gpumark-${host.user_id}`);

/**
 * Creates it (0700) if needed. Refuses a directory that another user owns or may write to: a runner unpacked there
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
/** The kernel's limit on symbolic links in a path. */
const MOST_LINKS = 40;

/**
 * Why another user could replace this directory, or write into it; null: only its owner and root can. It must be ours
 * and not writable by others; each parent must be root's or ours, and not writable by others or sticky, like /tmp,
 * where users cannot rename others' files. A link on the path must be root's or ours. The directory itself must not be
 * a link.
 */
function exchangeableBy(path: string, userId: number): string | null {
  // The loop over the parents of a relative path would never reach the root.
  if (!isAbsolute(path)) return `${path} is not an absolute path`;
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
      // The loop checks the link's own parents, this call those of its target.
      const reason = above(join(place, 'below'), userId, links + 1);
      if (reason !== null) return reason;
    } else if (writable(entry) && (entry.mode & STICKY) === 0) return `${at} can be written by other users`;
    if (at === parse(at).root) return null;
  }
}

const writable = ({ mode }: Stats): boolean => (mode & WRITABLE_BY_OTHERS) !== 0;
