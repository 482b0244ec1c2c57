import { html, type Content, type Html } from '../frame/html.ts';
import { command } from './copyable.ts';

export type NoteKind = 'plain' | 'sim' | 'run' | 'ok' | 'warn' | 'bad';

/** The first words carry the message; `role` determines whether it is announced when it appears. */
export const note = (kind: NoteKind, lead: Content, rest: Content = null, role?: 'alert' | 'status'): Html =>
  html`<div
    class="note ${kind}"
    ${role === undefined ? null : role === 'alert' ? html` role="alert"` : html` role="status"`}
  >
    <p><strong class="lead">${lead}</strong> ${rest}</p>
  </div>`;

/** Why nothing is shown here, what to do next, and the exact command if there is one. */
export const empty = (why: Content, next: Content, line?: string): Html =>
  html`<div class="empty">
    <p>${why}</p>
    <p>${next}</p>
    ${line === undefined ? null : command(line, 'Command')}
  </div>`;
