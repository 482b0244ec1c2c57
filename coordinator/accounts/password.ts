import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** OWASP password storage: argon2id, 19 MiB, two passes, one lane. About 50 ms of one core. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PARAMETERS = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$`;

const derive = promisify(argon2);

/** Made with other parameters than the current ones: renewed the next time the password is available. */
export const isOutdated = (phc: string): boolean => !phc.startsWith(PARAMETERS);

/** PHC string `$argon2id$v=19$m=...,t=...,p=...$salt$tag`. Calls from outside queue first (throttle/hashing-queue.ts). */
export async function hashPassword(password: string, randomBytes: (count: number) => Buffer): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, { salt, memory: MEMORY_KIB, passes: PASSES, lanes: LANES, length: TAG_BYTES });
  return `${PARAMETERS}${base64(salt)}$${base64(tag)}`;
}

/** Compares in constant time. A malformed hash throws: it is our own row. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc);
  if (!match) throw new Error('the stored password hash is not argon2id in PHC form');
  const [, memory, passes, lanes, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await tagOf(password, {
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    length: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

/**
 * Hash that no password matches: an unknown e-mail address is checked against it, so that it takes as long as a known
 * one. The tag is random, not derived.
 */
export const unmatchableHash = (randomBytes: (count: number) => Buffer): string =>
  `${PARAMETERS}${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

interface Settings {
  salt: Buffer;
  memory: number;
  passes: number;
  lanes: number;
  length: number;
}

const tagOf = (password: string, settings: Settings): Promise<Buffer> =>
  derive('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce: settings.salt,
    memory: settings.memory,
    passes: settings.passes,
    parallelism: settings.lanes,
    tagLength: settings.length,
  });

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
