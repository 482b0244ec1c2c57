import type { Site } from './site.ts';

/** One known attack on a running coordinator: what it tries, and what must not have happened. */
export interface Attack {
  /** What the attacker is after, as a sentence. */
  title: string;
  /** Why `make test` leaves it to `make attack`; absent if its short form is tiny. */
  long?: string;
  /** Milliseconds that the innocent tenant's slowest hundredth may take in `make attack`; absent: MOST_P99_MS. */
  mostP99Ms?: number;
  /** Further settings of the coordinator that it is run against. */
  environment?: Record<string, string>;
  /**
   * Tries it as `site.hostile`, from addresses other than the innocent tenant's. `site.short` asks for a hundredth of the
   * requests: the form that runs with the tests. Throws only if the attack itself could not be made.
   */
  run: (site: Site) => Promise<Finding[]>;
}

/** One thing that was tried and what came of it. */
export interface Finding {
  /** What was sent, with counts and sizes. */
  tried: string;
  /** What the coordinator answered, in its own figures. */
  answer: string;
  /** False: the attack succeeded. */
  held: boolean;
}
