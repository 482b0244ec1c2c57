import type { RunEvent } from '../run/run-event.ts';

/** Shows a run. Renderers keep what they need from the events; they query nothing. */
export interface Renderer {
  show(event: RunEvent, time: Date): void;
  /** Called a few times a second, for progress between events. */
  tick(): void;
  /** Restores the terminal. Safe to call twice and at any time. */
  close(): void;
}
