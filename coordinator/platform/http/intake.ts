import type { Actor } from '../actor.ts';
import { addressKey } from '../address-blocks.ts';
import type { IntakeLimits } from '../config.ts';
import { DomainError } from '../errors.ts';

/** Divisor: without a credential, one address gets an eighth of the strangers' bytes, enough for a few sign-ins at once. */
const STRANGER_SHARE = 8;
const SWEEPS_PER_GRACE = 5;

/** One incoming body. */
export interface Arrival {
  /** Counts these bytes; throws `unavailable` if they exceed a limit for now. */
  take: (bytes: number) => void;
  end: () => void;
}

/** Ends a body early; the client is answered with the error. */
type GiveUp = (error: DomainError) => void;

/** Bounds the bodies that the process receives at once. */
export interface Intake {
  /** `giveUp` is called at most once, with the error for the client, if the body must make room for others or is too slow. */
  receive: (from: { actor: Actor; address: string | null }, giveUp: GiveUp) => Arrival;
}

interface Watched {
  bytes: number;
  bytesBefore: number;
  since: number;
  giveUp: GiveUp;
}

/** Bounds incoming bodies in total, per customer and per address, and ends those slower than the minimum rate. */
export function createIntake(limits: IntakeLimits): Intake {
  const { bodyBytes, bodyBytesPerCustomer, bodyBytesPerAddress, bodyBytesOfStrangers } = limits;
  const known = new FairBytes({ total: bodyBytes, perHolder: bodyBytesPerCustomer });
  const strangers = new FairBytes({ total: bodyBytesOfStrangers, perHolder: bodyBytesOfStrangers / STRANGER_SHARE });
  const addresses = new FairBytes({ total: Number.POSITIVE_INFINITY, perHolder: bodyBytesPerAddress });
  const watch = rateWatch(limits);
  return {
    receive: ({ actor, address }, giveUp) => {
      const key = addressKey(address);
      const yieldUp = () => giveUp(tooBusy());
      const share = 'customerId' in actor ? known.open(actor.customerId, yieldUp) : strangers.open(key, yieldUp);
      const ofAddress = addresses.open(key, yieldUp);
      const watched = watch.begin(giveUp);
      return {
        take: (bytes) => {
          watched.bytes += bytes;
          if (!share.add(bytes) || !ofAddress.add(bytes)) throw tooBusy();
        },
        end: () => {
          share.end();
          ofAddress.end();
          watch.end(watched);
        },
      };
    },
  };
}

const tooBusy = (): DomainError =>
  new DomainError('unavailable', 'Too much is being received from here at once; send this request again.', {
    retryAfterSeconds: 1,
  });

/** One timer for all bodies, running only while there are any. */
function rateWatch({ bodyBytesPerSecond, bodyGraceSeconds }: IntakeLimits) {
  const all = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const sweep = () => {
    const now = performance.now();
    for (const watched of all) {
      const seconds = (now - watched.since) / 1000;
      if (seconds < bodyGraceSeconds) continue;
      const arrived = watched.bytes - watched.bytesBefore;
      watched.since = now;
      watched.bytesBefore = watched.bytes;
      if (arrived >= seconds * bodyBytesPerSecond) continue;
      all.delete(watched);
      watched.giveUp(tooSlow(bodyBytesPerSecond));
    }
    if (all.size === 0) stop();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    begin: (giveUp: Watched['giveUp']): Watched => {
      const watched = { bytes: 0, bytesBefore: 0, since: performance.now(), giveUp };
      all.add(watched);
      timer ??= setInterval(sweep, (bodyGraceSeconds * 1000) / SWEEPS_PER_GRACE).unref();
      return watched;
    },
    end: (watched: Watched): void => {
      all.delete(watched);
      watched.giveUp = over;
    },
  };
}

const tooSlow = (rate: number): DomainError =>
  new DomainError('too_slow', `body: arrives more slowly than ${rate} bytes per second; send it again, faster`);

/** One body's share of a pool of bytes. */
interface Share {
  /** False if the body must be given up: its holder would exceed `perHolder`, or the pool is full and no holder has more. */
  add: (bytes: number) => boolean;
  end: () => void;
}

/**
 * Replaces a closure that references the request. Hash tables that V8 has replaced link to their successors, which keeps
 * their entries alive until the next full garbage collection.
 */
const over = (): void => undefined;

interface Holding {
  holder: string;
  bytes: number;
  giveUp: () => void;
}

/**
 * A bounded number of bytes shared by holders: customers or addresses. No holder gets more than `perHolder`; if all bytes
 * are taken, the holder with the most loses its largest body, so a holder that needs little always gets it.
 */
export class FairBytes {
  private readonly total: number;
  private readonly perHolder: number;
  private taken = 0;
  private readonly holders = new Map<string, { bytes: number; holdings: Set<Holding> }>();

  constructor({ total, perHolder }: { total: number; perHolder: number }) {
    this.total = total;
    this.perHolder = perHolder;
  }

  /** `giveUp` is called if another holder needs the bytes; it must end the share. */
  open(holder: string, giveUp: () => void): Share {
    const holding = { holder, bytes: 0, giveUp };
    const known = this.holders.get(holder) ?? { bytes: 0, holdings: new Set() };
    this.holders.set(holder, known);
    known.holdings.add(holding);
    return { add: (bytes) => this.add(holding, bytes), end: () => this.end(holding) };
  }

  private add(holding: Holding, bytes: number): boolean {
    const known = this.holders.get(holding.holder);
    if (!known?.holdings.has(holding) || known.bytes + bytes > this.perHolder) return false;
    while (this.taken + bytes > this.total) {
      const most = this.largest();
      if (!most || most.bytes <= known.bytes + bytes) return false;
      const largest = [...most.holdings].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const { giveUp } = largest;
      this.end(largest);
      giveUp();
    }
    known.bytes += bytes;
    holding.bytes += bytes;
    this.taken += bytes;
    return true;
  }

  private largest() {
    return [...this.holders.values()].reduce<{ bytes: number; holdings: Set<Holding> } | null>(
      (a, b) => (a && a.bytes >= b.bytes ? a : b),
      null,
    );
  }

  private end(holding: Holding): void {
    const known = this.holders.get(holding.holder);
    if (!known?.holdings.delete(holding)) return;
    known.bytes -= holding.bytes;
    holding.giveUp = over;
    this.taken -= holding.bytes;
    if (known.holdings.size === 0) this.holders.delete(holding.holder);
  }
}
