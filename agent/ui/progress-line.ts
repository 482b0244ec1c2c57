import { stageNames } from './event-text.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { durationText } from './figure-text.ts';
import { networkText } from './network-text.ts';
import type { RunView } from './run-view.ts';
import { padStart } from './text-width.ts';

const BAR_WIDTH = 24;

/** The current measurement and its progress; otherwise the text of the step. */
export function progressLine(view: RunView, elapsedMs: number): string {
  if (view.network !== null) return networkText(view.network);
  if (view.stage !== null) return stageProgress(view.stage, elapsedMs);
  if (view.phase === null) return view.step;
  return phaseProgress(view, view.phase, elapsedMs);
}

/** Earlier phases count in full, the current one by time; never full before it has ended. */
function phaseProgress(view: RunView, phase: NonNullable<RunView['phase']>, elapsedMs: number): string {
  const spent = (elapsedMs - phase.since_ms) / 1000;
  const inside = phase.expected_seconds > 0 ? Math.min(0.99, spent / phase.expected_seconds) : 0;
  const share = Math.min(1, (phase.index + inside) / Math.max(1, phase.count));
  const name = deviceNames([...view.devices.values()])[[...view.devices.keys()].indexOf(phase.device_id)];
  const device = view.devices.size > 1 && name !== undefined ? `${name} of ${view.devices.size}, ` : '';
  return `${barOf(share)}  ${device}${phase.benchmark}, ${leftOf(phase.expected_seconds, spent)}`;
}

/** Copies count by pairs, work of all GPUs at once by time. */
function stageProgress(stage: NonNullable<RunView['stage']>, elapsedMs: number): string {
  const spent = (elapsedMs - stage.since_ms) / 1000;
  const left = leftOf(stage.expected_seconds, spent);
  if (stage.stage === 'matrix') {
    const count = stage.count ?? 0;
    const share = Math.min(1, stage.done / Math.max(1, count));
    return `${barOf(share)}  GPU x GPU copies, ${stage.done} of ${count} pairs, ${left}`;
  }
  const share = stage.expected_seconds > 0 ? Math.min(0.99, spent / stage.expected_seconds) : 0;
  const benchmark = stage.benchmark === null ? '' : `, ${stage.benchmark}`;
  return `${barOf(share)}  ${stageNames[stage.stage](stage.device_ids.length)}${benchmark}, ${left}`;
}

function barOf(share: number): string {
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return `${bar} ${padStart(String(Math.floor(share * 100)), 3)} %`;
}

const leftOf = (expected: number, spent: number): string => `${durationText(Math.max(0, expected - spent))} left`;
