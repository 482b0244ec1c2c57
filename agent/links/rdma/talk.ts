import { z } from 'zod';
import type { Channel } from '../channel.ts';

/** In this order: latency without load, then dialer to listener, then listener to dialer. */
export const phases = ['ping', 'forward', 'reverse'] as const;
export type Phase = (typeof phases)[number];

const phase = z.enum(phases);
const name = z.string().min(1).max(60);

/**
 * Messages between the two ends of a slot over their authenticated channel. Lists are in the agreed order of the rails.
 */
const word = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('hello'),
    perftest_version: name,
    /** address of this end's servers */
    address: z.ipv4().nullable(),
    rails: z.array(z.object({ device: name, port: z.int(), link_layer: z.enum(['InfiniBand', 'Ethernet']) })).max(32),
  }),
  z.object({ say: z.literal('ready'), phase, ports: z.array(z.int().min(1).max(65_535).nullable()).max(32) }),
  z.object({ say: z.literal('started'), phase, at_ms: z.number() }),
  /** Gb/s, or microseconds of half a round trip; null if this end has none */
  z.object({ say: z.literal('figures'), phase, figures: z.array(z.number().positive().nullable()).max(32) }),
]);
export type Word = z.infer<typeof word>;
type Said<K extends Word['say']> = Extract<Word, { say: K }>;

/**
 * Sorts incoming messages, since two phases may be in progress at once. An unknown message ends the exchange: its
 * sender is not a peer of this program.
 */
export class Talk {
  readonly #channel: Channel;
  readonly #heard = new Map<string, Word>();
  readonly #waiting = new Map<string, (said: Word | null) => void>();
  readonly #closed = Promise.withResolvers<void>();
  #over = false;

  /** @param deadlineMs on the coordinator's clock; no message is received after it */
  constructor(channel: Channel, deadlineMs: number) {
    this.#channel = channel;
    void this.#listen(deadlineMs);
  }

  get is_over(): boolean {
    return this.#over;
  }

  /** Resolves when either end has hung up, or at the deadline. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  say(said: Word): void {
    this.#channel.say(JSON.stringify(said));
  }

  /**
   * Waits for a message; null if the other end has hung up, or does not send it in time. Call at most once per message.
   */
  async hear<K extends Word['say']>(kind: K, of: Phase | null = null): Promise<Said<K> | null> {
    const key = `${kind} ${of ?? ''}`;
    const said = this.#heard.get(key) ?? (await this.#wait(key));
    return said as Said<K> | null;
  }

  close(): void {
    this.#channel.hang_up();
    this.#end();
  }

  #wait(key: string): Promise<Word | null> | null {
    if (this.#over) return null;
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  async #listen(deadlineMs: number): Promise<void> {
    for (;;) {
      const text = await this.#channel.next(deadlineMs);
      const said = text === null ? null : readWord(text);
      if (said === null) break;
      const key = `${said.say} ${'phase' in said ? said.phase : ''}`;
      this.#heard.set(key, said);
      this.#waiting.get(key)?.(said);
      this.#waiting.delete(key);
    }
    this.close();
  }

  #end(): void {
    this.#over = true;
    this.#closed.resolve();
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
  }
}

function readWord(text: string): Word | null {
  try {
    return word.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
