import type { networkInterfaces } from 'node:os';

/** An output stream. `columns` and `rows` are absent if it is not a terminal. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds; only differences are meaningful. */
  elapsed(): number;
  /** CLOCK_MONOTONIC in milliseconds with fractions, the runner's clock. */
  monotonic(): number;
  /**
   * Resolves after `ms`, or at once when the signal aborts: callers check the signal instead of catching an exception.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface RandomSource {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** `count` random bytes as lower-case hex. */
  hex(count: number): string;
  uuid(): string;
}

/** Speed of the disk that holds a directory, by direct I/O: see inventory/disk-speed.ts. */
export interface MeasuredDisk {
  /** `major:minor` of the file system's device. */
  device: string;
  /** MB/s, 1e6 bytes. */
  speed: { read_speed: number | null; write_speed: number | null };
  /** Why a speed is null. */
  reason: string | null;
}

/** The program's installation: the single executable with its runner, or a source tree. */
export interface Installation {
  version: string;
  revision: string;
  /** Root of the source tree; null in the single executable. */
  source_root: string | null;
  /** The runner inside the single executable; null in a source tree. */
  embedded_runner: (() => { sha256: string; bytes: Uint8Array }) | null;
}

/** SIGHUP: the terminal or connection that started the run has closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** Facts about the machine from other programs. */
export interface SystemFacts {
  brand: string | null;
  hypervisor: string | null;
  modules: { count: number; type: string | null; speed_mts: number | null } | null;
  reasons: Record<string, string>;
}

/** All access to the outside world. Created only in main.ts; tests create their own. */
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
  /** From now on a failed output stream is ignored instead of ending the process, because the work matters more. */
  outliveOutput(): void;
  /** Ends the process immediately, on the second Ctrl-C. */
  exitNow(code: number): void;
  /** Writes and reads up to 256 MiB there; takes about 1.5 s. */
  measureDisk(directory: string): Promise<MeasuredDisk>;
  /** Runs lscpu, dmidecode and others: about twenty processes. */
  probeSystem(): Promise<SystemFacts>;
  /** Interfaces that are up, each with its addresses. */
  networkInterfaces(): ReturnType<typeof networkInterfaces>;
  /** Root of /proc, /sys and /etc; `/` outside tests. */
  system_root: string;
  user_id: number;
}
