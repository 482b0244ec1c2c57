import type { z } from 'zod';
import type { collectiveCapability } from '../../../coordinator/contract/network-protocol.ts';
import type { CollectiveEvent, CollectiveLibrary } from './collective-events.ts';
import { startCollective } from './collective-process.ts';
import { cutWords } from '../../../coordinator/figures/cut-words.ts';

export type CollectiveCapability = z.infer<typeof collectiveCapability>;

export interface CollectiveProbe {
  capability: CollectiveCapability | null;
  /** Why it is missing, sentences for people; empty if there is no GPU either. */
  notes: string[];
}

/** An idle driver can take several seconds per card to start. */
const PROBE_MS = 60_000;
const NOTE_CHARACTERS = 300;
/** The contract's limit per node. */
const DEVICES_MAX = 64;

/** Whether this node has NCCL, or else RCCL, and devices for it. Loads both and reads their versions; sends nothing. */
export async function probeCollective(
  runnerPath: string,
  onStart: (pid: number) => void = () => undefined,
  stop?: AbortSignal,
): Promise<CollectiveProbe> {
  const probe = startCollective({ runner_path: runnerPath, args: ['--probe'], input: '', on_start: onStart });
  const limit = AbortSignal.any([AbortSignal.timeout(PROBE_MS), ...(stop === undefined ? [] : [stop])]);
  const late = new Promise<'late'>((resolve) => {
    limit.addEventListener('abort', () => resolve('late'), { once: true });
    if (limit.aborted) resolve('late');
  });
  const end = await Promise.race([probe.ended, late]);
  if (end === 'late') {
    await probe.close();
    return { capability: null, notes: ['NCCL and RCCL: the libraries or the drivers did not answer in time'] };
  }
  const isLibrary = (event: CollectiveEvent): event is CollectiveLibrary => event.event === 'collective_library';
  const libraries = end.events.filter(isLibrary);
  const notes = libraries
    .filter(({ status }) => status === 'absent')
    .map(({ library, detail }) => `${library.toUpperCase()}: ${detail}`);
  if (end.problem !== null) notes.push(`NCCL and RCCL: ${end.problem}`);
  return {
    capability: libraries.map(capabilityOf).find((one) => one !== null) ?? null,
    notes: notes.map((note) => cutWords(note, NOTE_CHARACTERS)),
  };
}

function capabilityOf({
  library,
  status,
  version,
  devices,
  simulated,
}: CollectiveLibrary): CollectiveCapability | null {
  if (status !== 'ok' || version === null || devices < 1) return null;
  return { library, version, devices: Math.min(devices, DEVICES_MAX), simulated };
}
