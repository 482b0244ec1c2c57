import type { Actor } from '../actor.ts';
import { addressKey } from '../address-blocks.ts';
import type { IntakeLimits } from '../config.ts';
import { DomainError } from '../errors.ts';

/** Bodies of one address of strangers: a few sign-ins at once. */
const STRANGER_SHARE = 8;
const SWEEPS_PER_GRACE = 5;

/** One body on its way in. */
export interface Arrival {
  /** Counts these bytes; throws `unavailable` if they are too many for now. */
  take: (bytes: number) => void;
  end: () => void;
}

/** Ends a body early, with what to answer. */
type GiveUp = (error: DomainError) => void;

/** What the process takes in at once. */
export interface Intake {
  /** `giveUp` is called at most once, with what to answer, when the body has to go for the sake of others or is too slow. */
  receive: (from: { actor: Actor; address: string | null }, giveUp: GiveUp) => Arrival;
}

interface Watched {
  bytes: number;
  bytesBefore: number;
  since: number;
  giveUp: GiveUp;
}

/** Bodies that are arriving: bounded for all, each customer and each address, and none slower than the least rate. */
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

/** Bytes that one body holds of a pool. */
interface Share {
  /** False: the body is to be given up, since its holder has more than others or more than one may have. */
  add: (bytes: number) => boolean;
  end: () => void;
}

/**
 * Takes the place of what reaches the request. Tables that V8 gave up link to those that follow them, so that what stands in one
 * of them lives on until the next full collection.
 */
const over = (): void => undefined;

interface Holding {
  holder: string;
  bytes: number;
  giveUp: () => void;
}

/**
 * A bounded number of bytes for all, shared by holders: customers, or addresses. No holder has more than `perHolder`; if
 * all is taken, the holder with the most loses its largest body, so one that asks for little always gets it.
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

  /** `giveUp` is called if the bytes are needed by another holder; it must end the share. */
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
