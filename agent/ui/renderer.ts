import type { RunEvent } from '../run/run-event.ts';

/** One way to show a run. Renderers keep what they need of the events; they never ask back. */
export interface Renderer {
  show(event: RunEvent, time: Date): void;
  /** Called a few times a second, for what moves without an event. */
  tick(): void;
  /** Leaves the terminal as it was found. Safe to call twice and at any moment. */
  close(): void;
}
