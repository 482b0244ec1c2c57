import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { Resumption } from '../benchmarks/measure-alone.ts';
import { SoakJournal } from '../benchmarks/soak-journal.ts';
import type { RunContext } from '../run/run-context.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';
import { realDisk } from '../state/disk.ts';

/** Opens the journal of this machine's soak for this job, and says whether there is something to go on with. */
export function resumeSoak(
  context: RunContext,
  machine: PreparedMachine,
  inventory: MachineInventory,
  place: number,
  engine: EngineChoice,
): Resumption {
  const { emit, host, record } = context;
  const identity = {
    job: `${record.job_id ?? record.mode}/${place}`,
    machine_uuid: machine.machine_uuid,
    revision: host.installation.revision,
    config_id: inventory.config_id,
    engine,
  };
  const journal = new SoakJournal(machine.state_directory, identity, realDisk, host.clock.now());
  const say = (message: string): void => emit({ type: 'notice', level: 'info', message, remedy: null });
  if (journal.ignored !== null) say(`an earlier soak is not resumed: ${journal.ignored}`);
  if (journal.resumed > 0)
    say(`resuming the soak of ${journal.started_at.toISOString()}: ${journal.pieces} pieces are measured already`);
  return { journal, now: () => host.clock.now() };
}
