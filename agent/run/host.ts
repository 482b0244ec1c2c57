import type { networkInterfaces } from 'node:os';

/** A stream that people or programs read. `columns` and `rows` are absent if it is not a terminal. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds; only differences mean something. */
  elapsed(): number;
  /** CLOCK_MONOTONIC in milliseconds with fractions, the clock that the runner reads as well. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts: callers look at the signal, not at an exception. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface RandomSource {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** `count` random bytes as lower-case hex. */
  hex(count: number): string;
  uuid(): string;
}

/** The disk that holds a directory, as direct I/O finds it: see inventory/disk-speed.ts. */
export interface MeasuredDisk {
  /** `major:minor` of the file system's device. */
  device: string;
  /** MB/s, 1e6 bytes. */
  speed: { read_speed: number | null; write_speed: number | null };
  /** Why a speed is null. */
  reason: string | null;
}

/** Where the program itself lies: the single executable with its runner, or a source tree. */
export interface Installation {
  version: string;
  revision: string;
  /** Root of the source tree; null in the single executable. */
  source_root: string | null;
  /** The runner inside the single executable; null in a source tree. */
  embedded_runner: (() => { sha256: string; bytes: Uint8Array }) | null;
}

/** SIGHUP: the terminal or the connection that started the run is gone. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** What other programs of the machine say of it. */
export interface SystemFacts {
  brand: string | null;
  hypervisor: string | null;
  modules: { count: number; type: string | null; speed_mts: number | null } | null;
  reasons: Record<string, string>;
}

/** Everything of the outside world. Only main.ts makes one; tests make their own. */
export interface Host {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: OutputStream;
  stderr: OutputStream;
  clock: Clock;
  random: RandomSource;
  installation: Installation;
  /** Calls back for every stop signal until the returned function is called. */
  onStopSignal(listener: (signal: StopSignal) => void): () => void;
  /** From now on the work matters more than showing it: a stream that fails falls silent instead of ending the process. */
  outliveOutput(): void;
  /** Ends the process without further ado: the second Ctrl-C. */
  exitNow(code: number): void;
  /** Writes and reads up to 256 MiB there; takes a second and a half. */
  measureDisk(directory: string): Promise<MeasuredDisk>;
  /** Asks lscpu, dmidecode and others: some twenty processes. */
  probeSystem(): Promise<SystemFacts>;
  /** Interfaces that are up, each with its addresses. */
  networkInterfaces(): ReturnType<typeof networkInterfaces>;
  /** Root of /proc, /sys and /etc; `/` outside tests. */
  system_root: string;
  user_id: number;
}
