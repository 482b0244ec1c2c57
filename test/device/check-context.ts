import type { Options } from './options.ts';

/** What main.ts gives to everything below it. */
export interface CheckContext {
  options: Options;
  /** absolute */
  runner_path: string;
  clock: { now: () => Date; monotonic_seconds: () => number };
  /** progress, for people; one line */
  say: (line: string) => void;
  signal: AbortSignal;
  /** source of torch_peer.py */
  torch_script: string;
}
