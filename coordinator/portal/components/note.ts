import { html, type Content, type Html } from '../frame/html.ts';

export type NoteKind = 'plain' | 'sim' | 'run' | 'ok' | 'warn' | 'bad';

/** Its first words carry the message; `role` says whether it is read out when it appears. */
export const note = (kind: NoteKind, lead: Content, rest: Content = null, role?: 'alert' | 'status'): Html =>
  html`<div
    class="note ${kind}"
    ${role === undefined ? null : role === 'alert' ? html` role="alert"` : html` role="status"`}
  >
    <p><strong class="lead">${lead}</strong> ${rest}</p>
  </div>`;
