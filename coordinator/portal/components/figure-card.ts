import { html, type Content, type Html } from '../frame/html.ts';
import { status, type Tone } from './status.ts';

export interface Figure {
  name: string;
  /** already written with the digits that its spread allows; null: not measured */
  value: string | null;
  unit: string;
  /** "median of 6, 1.2 to 1.4" or "n 14, spread 5.5 %"; of a figure that is missing the reason */
  support: Content;
  verdict?: { tone: Tone; words: Content };
}

/** One figure with its unit, how many it is of and how far they spread, then what is thought of it. Its height does not change. */
export const figureCard = ({ name, value, unit, support, verdict }: Figure): Html =>
  html`<li class="card">
    <h3>${name}</h3>
    <p class="v">${value ?? '–'}${value === null ? null : html` <small>${unit}</small>`}</p>
    <p>${support}</p>
    ${verdict ? status(verdict.tone, verdict.words) : null}
  </li>`;

/** `heading`: said to screen readers alone, where none stands above the cards. */
export const figureCards = (figures: readonly Figure[], heading?: string): Html =>
  html`${heading === undefined ? null : html`<h2 class="vh">${heading}</h2>`}
    <ul class="cards">
      ${figures.map(figureCard)}
    </ul>`;
