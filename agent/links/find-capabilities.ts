import { networkConfig } from '../../coordinator/contract/network-config.ts';
import type { NetworkConfig } from '../../coordinator/contract/network-config.ts';
import type { NetworkCapabilities } from '../../coordinator/contract/network-protocol.ts';
import type { RunContext } from '../run/run-context.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { probeCollective } from './collective/probe-collective.ts';
import { CollectiveNode } from './collective/run-collective.ts';
import type { RunTools } from './follow-run.ts';
import type { CoordinatorClock } from './link-clock.ts';
import type { PlanTools } from './plan-tools.ts';
import { measureRdmaSlot } from './rdma/measure-slot.ts';
import { probeRdma } from './rdma/probe-rdma.ts';
import { startProgram } from './rdma/run-program.ts';

/** Idle drivers take seconds per card to start, while the other nodes wait for this one. */
const PROBE_MS = 45_000;

/** This node's capabilities besides TCP: what is reported to the coordinator, and the means to use them. */
export interface Capabilities extends Pick<NetworkCapabilities, 'rdma' | 'collective' | 'notes'> {
  measureRdma: PlanTools['measureRdma'];
  openCollective: RunTools['openCollective'];
}

/** The parts of the prepared machine that links need. */
export interface LinkMachine {
  files: SystemFiles;
  runner_path: string;
}

/** Probes every capability that the job's configuration does not exclude. */
export async function findCapabilities(
  { host, options, stop }: Pick<RunContext, 'host' | 'options' | 'stop'>,
  { files, runner_path }: LinkMachine,
  config: NetworkConfig,
  clock: CoordinatorClock,
): Promise<Capabilities> {
  const onStart = (pid: number): void => void stop.children.add(pid);
  const limit = AbortSignal.any([stop.signal, AbortSignal.timeout(PROBE_MS)]);
  const [rdma, { capability: collective, notes }] = await Promise.all([
    config.transport === 'tcp'
      ? { capability: null, setup: null, notes: ['RDMA was not probed: the job requests tcp'] }
      : probeRdma(files, startProgram),
    config.collective === 'off' ? { capability: null, notes: [] } : probeCollective(runner_path, onStart, limit),
  ]);
  const { setup } = rdma;
  return {
    rdma: rdma.capability,
    collective,
    notes: [...rdma.notes, ...notes],
    openCollective:
      collective === null ? null : (over) => new CollectiveNode({ runner_path, clock, over, on_start: onStart }),
    measureRdma:
      setup === null
        ? null
        : (slot, channel) =>
            measureRdmaSlot({
              slot,
              setup,
              channel,
              clock,
              run: startProgram,
              random: () => host.random.fraction(),
              port_range: portsOf(options.net.port_range ?? config.port_range ?? null),
              allow_public: options.net.allow_public,
              signal: stop.signal,
            }),
  };
}

/**
 * The configuration of one cluster_network; the coordinator has checked it, so an invalid one comes from another
 * version.
 */
export function configOf(config: unknown): NetworkConfig {
  const read = networkConfig.safeParse(config ?? {});
  return read.success ? read.data : {};
}

function portsOf(range: string | null): { first: number; last: number } | null {
  const [first, last] = (range ?? '').split('-').map(Number);
  return first === undefined || last === undefined ? null : { first, last };
}
