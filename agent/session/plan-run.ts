import { engineNames } from '../../coordinator/contract/matrix-engine.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Tier } from '../run/run-options.ts';
import { prepareMachine } from '../setup/prepare-machine.ts';

/** What a person should expect; the runner's own phases say it exactly once they run. */
const EXPECTATION: Record<Tier, string> = {
  quick: 'under a minute for the whole node',
  standard: 'up to 15 minutes',
  soak: 'hours; Ctrl-C ends it and keeps what was measured',
};

/** `--dry-run`: everything up to the first contact with the coordinator, then the plan. */
export async function planRun(context: RunContext): Promise<void> {
  const { emit, options, record } = context;
  const machine = await prepareMachine(context);
  const names = machine.devices.map((device) => `${device.device_id} (${device.name})`).join(', ');
  const target =
    record.coordinator === null
      ? 'nothing is saved'
      : options.offline
        ? 'kept in the spool'
        : `delivered to ${record.coordinator}`;
  const engine = options.engine === 'auto' ? '' : `, matrix products with ${engineNames[options.engine]}`;
  emit({
    type: 'notice',
    level: 'info',
    message: `would measure quick_mark on ${names}: ${EXPECTATION[options.tier]}${engine}; ${target}`,
    remedy: null,
  });
}
