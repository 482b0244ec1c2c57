import { deviceNames, inDeviceNames } from '../../coordinator/figures/device-name.ts';
import { engineText } from './engine-text.ts';
import { durationText, measureText, percentText } from './figure-text.ts';
import { metricLabel } from '../kernels/registry.ts';
import type { RunEvent } from '../run/run-event.ts';
import { networkText } from './network-text.ts';
import { printable } from './text-width.ts';

export type Level = 'info' | 'warning' | 'error';

/** One line for each event of a run, in its order; null for events that only programs read. */
export function eventTexts(): (event: RunEvent) => { level: Level; text: string } | null {
  const devices = new Map<string, { device_id: string; vendor: string }>();
  const nameOf = (id: string): string => deviceNames([...devices.values()])[[...devices.keys()].indexOf(id)] ?? id;
  return (event) => {
    if (event.type === 'device') devices.set(event.device_id, event);
    const line = lineOf(event, nameOf);
    if (line === null) return null;
    const text = event.type === 'notice' ? inDeviceNames(line, [...devices.values()]) : line;
    return { level: levelOf(event), text: printable(text) };
  };
}

function levelOf(event: RunEvent): Level {
  if (event.type === 'notice') return event.level;
  if (event.type === 'unsaved-result' || (event.type === 'step' && event.state === 'failed')) return 'error';
  return event.type === 'result' && event.verified === false ? 'error' : 'info';
}

function lineOf(event: RunEvent, nameOf: (id: string) => string): string | null {
  switch (event.type) {
    case 'run':
      return `gpumark-agent ${event.agent_version}, ${modeText(event.mode)}${choiceText(event)}, trace ${event.trace_id}`;
    case 'step':
      return event.message;
    case 'device':
      return `${nameOf(event.device_id)}: ${event.name}${event.simulated ? ' (simulated)' : ''}, ${event.device_id}`;
    case 'phase':
      // With all GPUs at once, the stage's line has announced it.
      return event.state === 'start' && event.together !== true ? phaseText(event, nameOf(event.device_id)) : null;
    case 'stage':
      return event.state === 'start' ? stageText(event) : null;
    case 'together':
      return `${nameOf(event.device_id)}: ${metricLabel(event.metric)} ${measureText(event.value, event.unit)} with all GPUs at work, ${gapText(event.gap)}`;
    case 'result':
      return `${nameOf(event.device_id)}: ${metricLabel(event.metric)} ${resultText(event)}`;
    case 'notice':
      return event.remedy === null ? event.message : `${event.message}. ${event.remedy}`;
    case 'unsaved-result':
      return event.message;
    case 'network':
      return networkText(event);
    default:
      return null;
  }
}

const choiceText = ({ engine }: Extract<RunEvent, { type: 'run' }>): string =>
  engine === 'auto' ? '' : `, --engine ${engine}`;

export const modeText = (mode: 'job' | 'offline' | 'quick-test'): string =>
  ({ job: 'measuring for a job', offline: 'measuring offline', 'quick-test': 'quick test, not saved' })[mode];

function phaseText(event: Extract<RunEvent, { type: 'phase' }>, device: string): string {
  const about = event.expected_seconds > 0 ? `, about ${durationText(event.expected_seconds)}` : '';
  return `${device}: ${event.benchmark} (${event.index + 1} of ${event.count}${about})`;
}

/** Parts in which all GPUs take part. */
export const stageNames = {
  together: (count: number): string => `all ${count} GPUs together`,
  turns: (count: number): string => `each of ${count} GPUs alone, in turn`,
} as const;

function stageText(event: Extract<RunEvent, { type: 'stage' }>): string {
  const about = event.expected_seconds > 0 ? `, about ${durationText(event.expected_seconds)}` : '';
  if (event.stage === 'matrix') return `GPU x GPU copies: ${event.count ?? 0} pairs${about}`;
  return `${stageNames[event.stage](event.device_ids.length)}${about}`;
}

/** `2.4 % below alone`; `as alone` within a tenth of a percent. */
export function gapText(gap: number): string {
  if (Math.abs(gap) < 0.001) return 'as alone';
  return `${percentText(Math.abs(gap))} ${gap > 0 ? 'below' : 'above'} alone`;
}

function resultText(event: Extract<RunEvent, { type: 'result' }>): string {
  const reason = event.reason ?? 'no reason given';
  if (event.value === null) return `${event.verified === false ? 'WRONG RESULT' : 'not measured'}: ${reason}`;
  const spread = event.n === null || event.cv === null ? '' : ` (n ${event.n}, spread ${percentText(event.cv)})`;
  const wrong = event.verified === false ? ', WRONG RESULT' : '';
  const engine = engineText(event, null);
  return `${measureText(event.value, event.unit)}${spread}${engine === null ? '' : `, ${engine}`}${wrong}`;
}
