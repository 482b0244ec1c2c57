import { html, type Content } from '../frame/html.ts';

const views = [
  { path: '/tokens/book', label: 'Price book' },
  { path: '/tokens/pulse', label: 'Pulse' },
  { path: '/tokens/index', label: 'Index' },
] as const;

/** Navigation between the token pages. */
export const chips = (here: string): Content =>
  html`<nav class="chips" aria-label="Tokens">
    ${views.map(({ path, label }) => html`<a href="${path}" ${path === here ? html` aria-current="page"` : null}>${label}</a> `)}
  </nav>`;
