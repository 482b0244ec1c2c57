import type { LinkClock } from './link-clock.ts';

/**
 * Messages between the two ends of one slot, over a connection on which both have proven that they hold its key. Used
 * for tools that cannot authenticate themselves. Messages arrive in order, and none is lost while the channel is open.
 */
export interface Channel {
  /** UTF-8 text of at most 8 KiB. Discarded after the channel is closed. */
  say(text: string): void;
  /**
   * The other end's next message; null if it has hung up or sends nothing before `deadline_ms` on the coordinator's
   * clock.
   */
  next(deadline_ms: number): Promise<string | null>;
  hang_up(): void;
}

/** Transport of the messages: commands of the runner, see link-process.ts. */
export interface ChannelWire {
  say(text: string): void;
  hangUp(): void;
}

export const SAY_BYTES_MAX = 8192;

/** A channel, and the two functions with which the reader of the runner's events feeds it. */
export interface FedChannel {
  channel: Channel;
  heard(text: string): void;
  hungUp(): void;
}

export function feedChannel(wire: ChannelWire, clock: LinkClock): FedChannel {
  const words: string[] = [];
  const state: { is_open: boolean; wake: (() => void) | null } = { is_open: true, wake: null };
  const news = (): void => {
    state.wake?.();
    state.wake = null;
  };
  const close = (): void => {
    state.is_open = false;
    news();
  };
  const next = async (deadlineMs: number): Promise<string | null> => {
    while (words.length === 0 && state.is_open && clock.now_ms() < deadlineMs) {
      const waiting = new AbortController();
      state.wake = () => waiting.abort();
      await clock.sleepUntil(deadlineMs, waiting.signal);
    }
    return words.shift() ?? null;
  };
  return {
    channel: {
      say(text) {
        if (Buffer.byteLength(text) > SAY_BYTES_MAX)
          throw new RangeError(`a message can have at most ${SAY_BYTES_MAX} bytes`);
        if (state.is_open) wire.say(text);
      },
      next,
      hang_up() {
        if (state.is_open) wire.hangUp();
        close();
      },
    },
    heard(text) {
      words.push(text);
      news();
    },
    hungUp: close,
  };
}
