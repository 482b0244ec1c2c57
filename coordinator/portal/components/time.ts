import { html, type Html } from '../frame/html.ts';
import { minuteText } from '../../platform/minute-text.ts';

/** A time in UTC to the minute; the script adds the reader's local time before it. */
export function time(at: Date | string): Html {
  const instant = new Date(at);
  return html`<time datetime="${instant.toISOString()}" class="num">${timeText(instant)}</time>`;
}

/** The same as plain text, for controls that take no markup. */
export const timeText = (at: Date): string => `${minuteText(at)} UTC`;

/** To the second, for lists where the order matters. */
export function exactTime(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString();
  return html`<time datetime="${iso}" class="num">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Duration in its two largest units. */
export function elapsed(from: Date, to: Date): string {
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
