import type { Clock } from '../run/host.ts';

/** This node's estimate of the coordinator's clock. All `_ms` times of the network protocol are on it. */
export interface LinkClock {
  /** Milliseconds since 1970 on the coordinator's clock. */
  now_ms(): number;
  /** Resolves at that time, at once if it has passed, or when the signal aborts. */
  sleepUntil(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One time request: when it was sent and answered on our monotonic clock, and the coordinator's time. */
export interface ClockSample {
  sent_ms: number;
  received_ms: number;
  coordinator_ms: number;
}

/** Two quartz clocks drift apart by less than this, and NTP slews by at most 500 ppm; 1 ms after 10 s. */
const DRIFT_PER_MS = 100e-6;

/**
 * Offset of CLOCK_MONOTONIC to the coordinator's clock. The wall clock of this machine is not used, so it may be wrong
 * or be set at any time. The coordinator read its clock between sending and receiving: the error is at most half the
 * round trip, however asymmetric the path is, and grows with the drift; the sample with the smallest error is used.
 */
export class CoordinatorClock implements LinkClock {
  readonly #clock: Clock;
  #best: ClockSample | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(sample: ClockSample): void {
    const best = this.#best;
    if (best !== null && !this.#contradict(best, sample) && this.#errorOf(best) <= this.#errorOf(sample)) return;
    this.#best = sample;
  }

  /** Maximum error of `now_ms`, in milliseconds; infinite before the first sample. */
  get error_ms(): number {
    return this.#best === null ? Number.POSITIVE_INFINITY : this.#errorOf(this.#best);
  }

  now_ms(): number {
    return this.toCoordinator(this.#clock.monotonic());
  }

  async sleepUntil(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.sleep(Math.max(0, ms - this.now_ms()), signal);
  }

  toMonotonic(coordinatorMs: number): number {
    return coordinatorMs - this.#offset();
  }

  toCoordinator(monotonicMs: number): number {
    return monotonicMs + this.#offset();
  }

  #offset(): number {
    if (this.#best === null) throw new Error('the clock has not been synchronised with the coordinator yet');
    return offsetOf(this.#best);
  }

  #errorOf(sample: ClockSample): number {
    return halfTrip(sample) + DRIFT_PER_MS * Math.max(0, this.#clock.monotonic() - sample.received_ms);
  }

  /** The samples contradict each other: the coordinator's clock was set in between, and the newer one counts. */
  #contradict(old: ClockSample, sample: ClockSample): boolean {
    return Math.abs(offsetOf(old) - offsetOf(sample)) > this.#errorOf(old) + this.#errorOf(sample);
  }
}

const halfTrip = ({ sent_ms, received_ms }: ClockSample): number => (received_ms - sent_ms) / 2;
const offsetOf = ({ sent_ms, received_ms, coordinator_ms }: ClockSample): number =>
  coordinator_ms - (sent_ms + received_ms) / 2;
