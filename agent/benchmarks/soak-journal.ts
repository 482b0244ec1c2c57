import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { engineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { ExitError } from '../run/exit-error.ts';
import { runnerEvent } from '../kernels/runner-events.ts';
import type { RunnerEvent } from '../kernels/runner-events.ts';
import type { Disk } from '../state/disk.ts';
import { makeDirectory } from '../state/make-directory.ts';

/** Maximum age of a journal: after that the machine may have changed completely. */
const AGE_MAX_MS = 7 * 24 * 3_600_000;
const FILE_BYTES_MAX = 64 * 1024 * 1024;

const journalFile = z.object({
  schema: z.literal('gpumark.soak-journal/1'),
  revision: z.string(),
  config_id: z.string(),
  /** Journals older than the option were measured with our kernels and the default `auto`. */
  engine: engineChoice.default('auto'),
  started_at: z.number(),
  saved_at: z.number(),
  resumed: z.int().nonnegative(),
  done: z.array(z.object({ device_id: z.string(), piece: z.string(), events: z.array(runnerEvent) })),
});
type JournalFile = z.infer<typeof journalFile>;

/** Two runs with the same identity belong to one soak. */
interface SoakIdentity {
  /** The job's id and the index in its sequence, or the kind of a run without a job. */
  job: string;
  machine_uuid: string;
  /** Only measurements by the same program and on the same hardware go into one result. */
  revision: string;
  config_id: string;
  engine: EngineChoice;
}

/**
 * The finished pieces of a soak, one file in the state directory, rewritten after each piece: a run that was stopped or
 * killed resumes there. A piece is one benchmark of one device.
 */
export class SoakJournal {
  readonly path: string;
  /** Why an older file was ignored, as text; null if there was none or it is resumed. */
  readonly ignored: string | null;
  readonly #disk: Disk;
  #content: JournalFile;

  /**
   * @param now milliseconds since 1970
   * @throws ExitError usage if the soak to resume used another engine: neither its results nor the option may be
   * dropped silently
   */
  constructor(stateDirectory: string, identity: SoakIdentity, disk: Disk, now: number) {
    const key = createHash('sha256').update(`${identity.job}\n${identity.machine_uuid}`).digest('hex');
    this.path = join(stateDirectory, 'soak', `${key.slice(0, 32)}.json`);
    this.#disk = disk;
    const { revision, config_id, engine } = identity;
    const found = readJournal(this.path);
    this.ignored = found === null ? null : whyStale(found, identity, now);
    if (found !== null && found !== 'damaged' && this.ignored === null) refuseOtherEngine(found, engine, this.path);
    this.#content =
      found !== null && found !== 'damaged' && this.ignored === null && found.done.length > 0
        ? { ...found, resumed: found.resumed + 1 }
        : {
            schema: 'gpumark.soak-journal/1',
            revision,
            config_id,
            engine,
            started_at: now,
            saved_at: now,
            resumed: 0,
            done: [],
          };
  }

  /** How often this soak was resumed. */
  get resumed(): number {
    return this.#content.resumed;
  }

  /** Number of finished pieces, including those found in the file. */
  get pieces(): number {
    return this.#content.done.length;
  }

  get started_at(): Date {
    return new Date(this.#content.started_at);
  }

  holds(deviceId: string): boolean {
    return this.#content.done.some((one) => one.device_id === deviceId);
  }

  /** The runner's events of a finished piece; null if it is not measured yet. */
  finished(deviceId: string, piece: string): RunnerEvent[] | null {
    return this.#content.done.find((one) => one.device_id === deviceId && one.piece === piece)?.events ?? null;
  }

  /** @throws if writing fails: the soak continues without a journal */
  record(deviceId: string, piece: string, events: RunnerEvent[], now: number): void {
    this.#content = {
      ...this.#content,
      saved_at: now,
      done: [...this.#content.done, { device_id: deviceId, piece, events }],
    };
    makeDirectory(dirname(this.path));
    this.#disk.writeDurably(this.path, JSON.stringify(this.#content));
  }

  /**
   * Removes the journal at the end of the soak, so that the next one starts over. A failure is ignored: the results
   * matter more.
   */
  remove(): void {
    try {
      if (existsSync(this.path)) this.#disk.remove(this.path);
    } catch {
      // The disk is not writable; the file expires after 7 days.
    }
  }
}

function readJournal(path: string): JournalFile | 'damaged' | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  try {
    const parsed = journalFile.safeParse(text.length > FILE_BYTES_MAX ? null : JSON.parse(text));
    return parsed.success ? parsed.data : 'damaged';
  } catch {
    return 'damaged';
  }
}

function refuseOtherEngine(found: JournalFile, engine: EngineChoice, path: string): void {
  if (found.engine === engine || found.done.length === 0) return;
  throw new ExitError(
    'usage',
    `a soak with --engine ${found.engine} is in progress here (${found.done.length} pieces are measured): --engine ${engine} cannot resume it`,
    `Resume it with --engine ${found.engine}, or remove ${path} to start over.`,
  );
}

function whyStale(found: JournalFile | 'damaged', identity: SoakIdentity, now: number): string | null {
  if (found === 'damaged') return 'its file cannot be read';
  if (found.config_id !== identity.config_id) return 'the hardware has changed';
  if (found.revision !== identity.revision) return `it was measured by revision ${found.revision}`;
  // After the clock was set back a journal may be from the future, which is as unreliable as an old one.
  if (Math.abs(now - found.saved_at) > AGE_MAX_MS) return 'it is more than 7 days old';
  return null;
}
