import type { Actor } from '../actor.ts';
import type { IntakeLimits } from '../config.ts';
import { DomainError } from '../errors.ts';
import { addressKey } from '../address-key.ts';
import { FairBytes, over } from './fair-bytes.ts';

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
export type GiveUp = (error: DomainError) => void;

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
