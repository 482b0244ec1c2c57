import { html, type Html } from '../frame/html.ts';

/** An instant, in UTC to the minute; the script writes the reader's zone before it. */
export function time(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString();
  return html`<time datetime="${iso}" class="num">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** The same to the second, where order matters. */
export function exactTime(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString();
  return html`<time datetime="${iso}" class="num">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
