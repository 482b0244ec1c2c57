import { html, type Html } from '../frame/html.ts';
import { minuteText } from '../../platform/minute-text.ts';

/** An instant, in UTC to the minute; the script writes the reader's zone before it. */
export function time(at: Date | string): Html {
  const instant = new Date(at);
  return html`<time datetime="${instant.toISOString()}" class="num">${timeText(instant)}</time>`;
}

/** The same as a control can show it, which takes no markup. */
export const timeText = (at: Date): string => `${minuteText(at)} UTC`;

/** The same to the second, where order matters. */
export function exactTime(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString();
  return html`<time datetime="${iso}" class="num">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
