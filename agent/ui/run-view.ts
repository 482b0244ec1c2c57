import { foldLinks } from './link-view.ts';
import type { LinkView } from './link-view.ts';
import type { EventOf, RunEvent } from '../run/run-event.ts';

export interface DeviceView {
  device_id: string;
  name: string;
  vendor: string;
  /** metric -> figure, null if it cannot be measured, 'wrong' if the result failed its check */
  figures: Map<string, number | null | 'wrong'>;
  watts: number | null;
  celsius: number | null;
}

/** State of the live table, accumulated from the events. */
export interface RunView {
  run: EventOf<'run'> | null;
  inventory: EventOf<'inventory'>['inventory'] | null;
  step: string;
  devices: Map<string, DeviceView>;
  phase: (EventOf<'phase'> & { since_ms: number }) | null;
  /** All GPUs at once, or copies between them, with the pairs done so far. */
  stage: (EventOf<'stage'> & { since_ms: number; done: number; benchmark: string | null }) | null;
  /** cluster_network while it runs. */
  network: EventOf<'network'> | null;
  links: LinkView | null;
}

export const emptyView = (): RunView => ({
  run: null,
  inventory: null,
  step: '',
  devices: new Map(),
  phase: null,
  stage: null,
  network: null,
  links: null,
});

/** Adds one event; `elapsedMs` is its time. */
export function updateView(view: RunView, event: RunEvent, elapsedMs: number): void {
  switch (event.type) {
    case 'run':
      view.run = event;
      break;
    case 'inventory':
      view.inventory = event.inventory;
      break;
    case 'step':
      view.step = event.message;
      view.network = null;
      if (event.step !== 'measure' || event.state !== 'started') {
        view.phase = null;
        view.stage = null;
      }
      break;
    case 'phase':
      updatePhase(view, event, elapsedMs);
      break;
    case 'stage':
      view.phase = null;
      view.stage = event.state === 'start' ? { ...event, since_ms: elapsedMs, done: 0, benchmark: null } : null;
      break;
    case 'cell':
      if (view.stage !== null) view.stage.done += 1;
      break;
    case 'device':
      view.devices.set(event.device_id, {
        device_id: event.device_id,
        name: event.name,
        vendor: event.vendor,
        figures: new Map(),
        watts: null,
        celsius: null,
      });
      break;
    case 'network':
      view.network = event;
      break;
    case 'links':
      view.links = foldLinks(view.links, event);
      break;
    case 'result':
      view.devices.get(event.device_id)?.figures.set(event.metric, event.verified === false ? 'wrong' : event.value);
      break;
    case 'telemetry':
      updateTelemetry(view, event);
      break;
    default:
  }
}

/** While all GPUs work at once, a phase belongs to all of them. */
function updatePhase(view: RunView, event: EventOf<'phase'>, elapsedMs: number): void {
  if (event.state !== 'start') return;
  if (event.together !== true) view.phase = { ...event, since_ms: elapsedMs };
  else if (view.stage !== null) view.stage.benchmark = event.benchmark;
}

function updateTelemetry(view: RunView, event: EventOf<'telemetry'>): void {
  const device = view.devices.get(event.device_id);
  if (device === undefined) return;
  device.watts = event.power_watts ?? device.watts;
  device.celsius = event.temperature_celsius ?? device.celsius;
}
