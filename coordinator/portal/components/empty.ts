import { html, type Content, type Html } from '../frame/html.ts';
import { command } from './command.ts';

/** Why nothing is here, what to do next, and the exact command for it if there is one. */
export const empty = (why: Content, next: Content, line?: string): Html =>
  html`<div class="empty">
    <p>${why}</p>
    <p>${next}</p>
    ${line === undefined ? null : command(line, 'Command')}
  </div>`;
