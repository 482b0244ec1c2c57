import type { RunnerError } from '../kernels/runner-error.ts';
import { feedChannel } from './channel.ts';
import type { Channel, FedChannel } from './channel.ts';
import type { LinkClock } from './link-clock.ts';
import type { ChannelOpened, Dialled, LinkEvent, LinkReady, SlotEnded } from './link-events.ts';
import { startLinkProcess } from './link-process.ts';
import type { LinkProcess, LinkProcessOptions } from './link-process.ts';

/** One end of a slot as parameters of a runner command; times are CLOCK_MONOTONIC milliseconds. */
export interface SlotWords {
  id: string;
  key: string;
  role: 'dial' | 'listen';
  local: string | null;
  /** address:port of the listener, for the dialer only */
  peer: string | null;
  start: number;
  length: number;
  streams: number;
  ping_pause: number;
  /** maximum bytes per direction; 0: limited by time only */
  cap: number;
}

type Waiter = (event: LinkEvent | null) => void;

/** The link process with a promise per command. Every promise resolves: with null if the process has ended. */
export class LinkCommands {
  readonly ended: Promise<RunnerError | null>;
  readonly #process: LinkProcess;
  readonly #waiters = new Map<string, Waiter>();
  readonly #channels = new Map<string, FedChannel>();
  readonly #clock: LinkClock;
  readonly #onTrouble: (message: string) => void;
  #isOver = false;

  /** @param onTrouble called for every command that the runner rejected */
  constructor(options: Omit<LinkProcessOptions, 'on_event'>, clock: LinkClock, onTrouble: (message: string) => void) {
    this.#clock = clock;
    this.#onTrouble = onTrouble;
    this.#process = startLinkProcess({ ...options, on_event: (event) => this.#hear(event) });
    this.ended = this.#process.ended.then((error) => {
      this.#isOver = true;
      for (const waiter of this.#waiters.values()) waiter(null);
      for (const channel of this.#channels.values()) channel.hungUp();
      return error;
    });
  }

  /** The process's first event; null if it died before that. */
  async ready(): Promise<LinkReady | null> {
    const event = await this.#answer('ready');
    return event?.event === 'link_ready' ? event : null;
  }

  /** @returns the port, or the system's error code */
  async listen(address: string, ports: string): Promise<{ port: number } | { code: string }> {
    const answer = this.#answer(`listen ${address}`);
    this.#process.send('listen', { address, ports });
    const event = await answer;
    if (event?.event === 'listening') return { port: event.port };
    return { code: event?.event === 'listen_failed' ? event.code : 'RUNNER_ENDED' };
  }

  unlisten(address: string): void {
    this.#process.send('unlisten', { address });
  }

  accept(id: string, key: string, from: number, until: number): void {
    this.#process.send('accept', { id, key, from: decimal(from), until: decimal(until) });
  }

  async dial(id: string, key: string, to: string[], start: number, timeoutMs: number): Promise<Dialled | null> {
    const answer = this.#answer(id);
    this.#process.send('dial', { id, key, to: to.join(','), start: decimal(start), timeout: timeoutMs });
    const event = await answer;
    return event?.event === 'dialled' ? event : null;
  }

  async measure(slot: SlotWords): Promise<SlotEnded | null> {
    const answer = this.#answer(slot.id);
    this.#process.send('slot', { ...wordsOf(slot), mode: 'measure' });
    const event = await answer;
    return event?.event === 'slot' ? event : null;
  }

  /** Opens a slot that only carries messages; the channel is null unless its status is ok. */
  async openChannel(slot: SlotWords): Promise<{ opened: ChannelOpened | null; channel: Channel | null }> {
    const { id } = slot;
    const fed = feedChannel(
      {
        say: (text) => this.#process.send('say', { id, text: Buffer.from(text).toString('hex') }),
        hangUp: () => this.#process.send('hang_up', { id }),
      },
      this.#clock,
    );
    // Messages may follow authentication at once, so the queue must exist before that is reported.
    this.#channels.set(id, fed);
    const answer = this.#answer(id);
    this.#process.send('slot', { ...wordsOf(slot), mode: 'channel' });
    const event = await answer;
    const opened = event?.event === 'channel' ? event : null;
    if (opened?.status !== 'ok') this.#channels.delete(id);
    return { opened, channel: opened?.status === 'ok' ? fed.channel : null };
  }

  /** Ends a dial or slot now; its promise resolves with null, and later events about it are ignored. */
  cancel(id: string): void {
    this.#process.send('cancel', { id });
    this.#waiters.get(id)?.(null);
    this.#waiters.delete(id);
    this.#channels.get(id)?.hungUp();
    this.#channels.delete(id);
  }

  async close(): Promise<void> {
    await this.#process.close();
  }

  #answer(key: string): Promise<LinkEvent | null> {
    if (this.#isOver) return Promise.resolve(null);
    return new Promise((resolve) => this.#waiters.set(key, resolve));
  }

  #hear(event: LinkEvent): void {
    switch (event.event) {
      case 'heard':
        return this.#channels.get(event.id)?.heard(Buffer.from(event.text, 'hex').toString('utf8'));
      case 'hung_up':
        this.#channels.get(event.id)?.hungUp();
        this.#channels.delete(event.id);
        return;
      case 'error':
        return this.#onTrouble(event.message ?? JSON.stringify(event));
      default: {
        const key = keyOf(event);
        const waiter = this.#waiters.get(key);
        this.#waiters.delete(key);
        waiter?.(event);
      }
    }
  }
}

function keyOf(event: Exclude<LinkEvent, { event: 'heard' | 'hung_up' | 'error' }>): string {
  if (event.event === 'link_ready') return 'ready';
  return event.event === 'listening' || event.event === 'listen_failed' ? `listen ${event.address}` : event.id;
}

function wordsOf({ local, peer, start, length, ...rest }: SlotWords): Record<string, string | number> {
  return {
    ...rest,
    start: decimal(start),
    length: decimal(length),
    ...(local === null ? {} : { local }),
    ...(peer === null ? {} : { peer }),
  };
}

/** Microsecond resolution, and never in exponent notation. */
const decimal = (ms: number): string => ms.toFixed(3);
