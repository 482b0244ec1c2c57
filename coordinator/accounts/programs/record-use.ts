import type { Actor } from '../../platform/actor.ts';
import { Cache } from '../../platform/cache.ts';
import type { Context, Platform } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { markUsed } from './queries.ts';

/** Credentials whose use can wait to be written; beyond that, a use is dropped until the credential is used again. */
const MOST_WAITING = 10_000;
const MINUTE_MS = 60_000;

type Program = Extract<Actor, { kind: 'application' | 'api_key' }>;

interface Use {
  program: Program;
  address: string | null;
  at: Date;
}

/**
 * Records when programs' credentials were used: noted in memory with each call and written every few seconds, to the minute, so
 * that no call waits for a write. The first use of a credential is an event of the audit log.
 */
interface ProgramUses {
  note: (actor: Actor, address: string | null, at: Date) => void;
  /** Writes what has been noted since the last time. */
  write: (context: Context) => Promise<void>;
}

const made = new WeakMap<Platform['sql'], ProgramUses>();

/** One for each database a process has open: the app notes, the background writes. */
export function programUses({ sql }: Pick<Platform, 'sql'>): ProgramUses {
  const known = made.get(sql) ?? makeUses();
  made.set(sql, known);
  return known;
}

function makeUses(): ProgramUses {
  let noted = new Map<string, Use>();
  /** last minute written, by credential */
  const written = new Cache<string, number>(MOST_WAITING);
  return {
    note: (actor, address, at) => {
      if (actor.kind !== 'application' && actor.kind !== 'api_key') return;
      const id = idOf(actor);
      const minute = Math.floor(at.getTime() / MINUTE_MS);
      if (written.get(id) === minute || noted.has(id) || noted.size >= MOST_WAITING) return;
      noted.set(id, { program: actor, address, at: new Date(minute * MINUTE_MS) });
    },
    write: async (context) => {
      const uses = noted;
      noted = new Map();
      for (const [id, use] of uses) {
        await writeUse(context, use);
        written.set(id, Math.floor(use.at.getTime() / MINUTE_MS));
      }
    },
  };
}

const idOf = (program: Program): string => (program.kind === 'application' ? program.tokenId : program.apiKeyId);

async function writeUse(context: Context, { program, address, at }: Use): Promise<void> {
  const { kind, customerId } = program;
  const id = idOf(program);
  await context.sql.begin(async (tx) => {
    const first = await markUsed(tx, { kind, id, at });
    if (first === null) return;
    await recordEvent({ ...context, actor: program, client: { address, country: null } }, tx, {
      action: kind === 'application' ? 'app_token_first_used' : 'api_key_first_used',
      customerId,
      subject: first.name,
      detail: { id },
    });
  });
}
