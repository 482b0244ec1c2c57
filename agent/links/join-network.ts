import { networkTimes, type NetworkEndpoint } from '../../coordinator/contract/network-protocol.ts';
import { listInterfaces } from '../run/interfaces.ts';
import type { RunContext } from '../run/run-context.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { chooseEndpoints, type Candidate } from './choose-endpoints.ts';
import type { Capabilities } from './find-capabilities.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { LinkCommands } from './link-commands.ts';
import type { LinkReady } from './link-events.ts';
import type { NetworkClient } from './network-client.ts';
import { refreshClock } from './refresh-clock.ts';
import { cutWords } from '../../coordinator/figures/cut-words.ts';

export interface JoinedNetwork {
  client: NetworkClient;
  node: number;
  endpoints: NetworkEndpoint[];
  poll_seconds: number;
}

/** The contract's limits: 20 notes of 300 characters. */
const NOTES_MAX = 20;
const NOTE_CHARACTERS = 300;

/**
 * Opens the listeners, joins the run and synchronises with the coordinator's clock.
 * @throws AnswerError 409 NETWORK_STARTED for a late node, and other final errors; NoAnswerError
 */
export async function joinNetwork(
  context: RunContext,
  client: NetworkClient,
  commands: LinkCommands,
  clock: CoordinatorClock,
  facts: { files: SystemFiles; ready: LinkReady; ports: string; capabilities: Capabilities },
): Promise<JoinedNetwork> {
  const { host, options, emit } = context;
  const { net } = options;
  const { interfaces, problem } = listInterfaces(host);
  const choice = chooseEndpoints(facts.files, interfaces, net);
  const { endpoints, notes } = await openListeners(commands, choice.candidates, facts.ports);
  const { rdma, collective } = facts.capabilities;
  const said = [...(problem === null ? [] : [problem]), ...choice.notes, ...notes];
  for (const message of said) emit({ type: 'notice', level: 'info', message, remedy: null });
  const { node, poll_seconds } = await client.join({
    endpoints,
    capabilities: {
      rdma,
      collective,
      congestion_control: facts.ready.congestion_control,
      locked_memory_kib: lockedMemory(facts.files),
      notes: [...said, ...facts.capabilities.notes].slice(0, NOTES_MAX).map((note) => cutWords(note, NOTE_CHARACTERS)),
    },
  });
  clock.note(await client.firstSync());
  const monotonicMs = (): number => host.clock.monotonic();
  const deadlineMs = monotonicMs() + networkTimes.sync_count * 1000;
  await refreshClock(client, clock, { enoughMs: 0, monotonicMs, deadlineMs });
  return { client, node, endpoints, poll_seconds };
}

/** `Max locked memory  8388608  8388608  bytes`, the soft limit in KiB; null if unlimited or unknown. */
function lockedMemory(files: SystemFiles): number | null {
  const limit = /^Max locked memory\s+(\d+)/m.exec(files.text('/proc/self/limits') ?? '');
  return limit === null ? null : Math.floor(Number(limit[1]) / 1024);
}

/** Listens on every candidate; one that fails is left out, with a note. `ports` is a range, or 0 for any. */
async function openListeners(
  commands: LinkCommands,
  candidates: readonly Candidate[],
  ports: string,
): Promise<{ endpoints: NetworkEndpoint[]; notes: string[] }> {
  const endpoints: NetworkEndpoint[] = [];
  const notes: string[] = [];
  for (const candidate of candidates) {
    const answer = await commands.listen(candidate.address, ports);
    if ('port' in answer) endpoints.push({ ...candidate, port: answer.port });
    else {
      const where = ports === '0' ? '' : `, ports ${ports}`;
      notes.push(`cannot listen on ${candidate.address} (${candidate.interface}${where}): ${answer.code}`);
    }
  }
  return { endpoints, notes };
}
