import { html, type Content, type Html } from '../frame/html.ts';

/** A table that can be wider than the window: only the table scrolls, not the page, also by keyboard. */
export const scrollRegion = (name: string, table: Content): Html =>
  html`<div class="scroll" role="region" aria-label="${name}, scrolls sideways" tabindex="0">${table}</div>`;
