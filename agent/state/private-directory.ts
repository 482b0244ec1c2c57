import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { makeDirectory } from './make-directory.ts';
import { exchangeableBy } from './safe-directory.ts';

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
 * Makes it (0700) where needed. A directory that another user owns or may write to is refused: a runner unpacked there
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
