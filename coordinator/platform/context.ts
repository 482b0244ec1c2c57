import type { Sql } from 'postgres';
import type { Actor } from './actor.ts';
import type { ArtifactStore } from './artifacts/store.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Shared by the whole process; built once in main.ts (or by a test) and passed in. */
export interface Platform {
  config: Config;
  sql: Sql;
  artifacts: ArtifactStore;
  log: Logger;
  /** The current time; the only clock. */
  now: () => Date;
  /** `count` random bytes; the only source of randomness. */
  randomBytes: (count: number) => Buffer;
  /** A new 64-bit id of 19 digits, increasing with time. */
  newId: () => string;
}

/** Origin of a call, as far as the connection and the trusted proxies in front of us state it. */
export interface Client {
  /** IP address, or null if the call came from inside the process. */
  address: string | null;
  /** ISO 3166 country, only from a trusted proxy's header. */
  country: string | null;
}

/** Context of one call of a verb: the platform and the caller. */
export interface Context extends Platform {
  actor: Actor;
  client: Client;
  requestId: string;
  /** Adds a field to the request's one wide log event. */
  note: (fields: Record<string, unknown>) => void;
}

/** The context of work that the coordinator does on its own: sweeps, the first start, commands. */
export function systemContext(platform: Platform, requestId: string): Context {
  return {
    ...platform,
    actor: { kind: 'system' },
    client: { address: null, country: null },
    requestId,
    note: () => undefined,
  };
}

/** Bits below the millisecond: at least 2^19 ids per millisecond and process before ids run ahead of the clock. */
const SEQUENCE_BITS = 20n;

/**
 * Source of the service's ids: Unix milliseconds * 2^20 + a sequence that starts each millisecond at a random value in the
 * lower half of its range. 19 digits from 2000 to 2248, increasing with time. The random start makes collisions between
 * processes unlikely, and the primary key rejects them.
 */
export function idSource(now: () => Date, randomBytes: (count: number) => Buffer): () => string {
  let last = 0n;
  return () => {
    const start = BigInt(randomBytes(3).readUIntBE(0, 3) & 0x7_ff_ff);
    const candidate = (BigInt(now().getTime()) << SEQUENCE_BITS) + start;
    last = candidate > last ? candidate : last + 1n;
    return last.toString();
  };
}
