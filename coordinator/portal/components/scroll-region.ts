import { html, type Content, type Html } from '../frame/html.ts';

/** A table that may be wider than the window: it alone scrolls, not the page, and by keyboard as well. */
export const scrollRegion = (name: string, table: Content): Html =>
  html`<div class="scroll" role="region" aria-label="${name}, scrolls sideways" tabindex="0">${table}</div>`;
