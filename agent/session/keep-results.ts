import type { Host } from '../run/host.ts';
import type { Emit } from '../run/run-event.ts';
import type { RunRecord } from '../run/run-record.ts';
import { DiskFullError } from '../state/spool.ts';
import type { Spool } from '../state/spool.ts';
import type { SpoolEntry } from '../state/spool-entry.ts';

interface KeepContext {
  host: Pick<Host, 'clock' | 'random'>;
  emit: Emit;
  record: Pick<RunRecord, 'spool_file' | 'warnings'>;
}

export interface KeptEntry {
  entry: SpoolEntry;
  /** Null if it could not be written to disk: then it was printed. */
  path: string | null;
}

/**
 * Saves every result before anything is sent. On a full disk it is printed to stdout, so that nothing measured is lost.
 */
export function keepResults(context: KeepContext, spool: Spool, entries: SpoolEntry[]): KeptEntry[] {
  return entries.map((entry) => ({ entry, path: keep(context, spool, entry) }));
}

function keep(context: KeepContext, spool: Spool, entry: SpoolEntry): string | null {
  const { emit, host, record } = context;
  try {
    const path = spool.save(entry, host.clock, host.random);
    record.spool_file = path;
    emit({ type: 'step', step: 'save', state: 'done', message: `result kept in ${path}` });
    return path;
  } catch (error) {
    if (!isDiskTrouble(error)) throw error;
    const message = `the result cannot be kept on disk: ${error.message}; it follows on stdout`;
    emit({ type: 'unsaved-result', message, result: entry.result });
    record.warnings.push(`the result could not be kept on disk: ${error.message}`);
    return null;
  }
}

/**
 * A full disk, or any other error of the file system (read-only, I/O error): the result matters more than the cause.
 */
const isDiskTrouble = (error: unknown): error is Error =>
  error instanceof DiskFullError || (error instanceof Error && 'syscall' in error);
