import { html, type Content, type Html } from '../frame/html.ts';
import { status, type Tone } from './status.ts';

export interface Figure {
  name: string;
  /** already rounded to the digits that its spread supports; null: not measured */
  value: string | null;
  unit: string;
  /** "median of 6 GPUs, 1.2 to 1.4" or "n 14, 90 % of them 1.2 to 1.4"; the reason if the figure is missing */
  support: Content;
  verdict?: { tone: Tone; words: Content };
}

/** One figure with its unit, sample count and spread, then the verdict. The height of the card does not change. */
export const figureCard = ({ name, value, unit, support, verdict }: Figure): Html =>
  html`<li class="card">
    <h3>${name}</h3>
    <p class="v">${value ?? '–'}${value === null ? null : html` <small>${unit}</small>`}</p>
    <p>${support}</p>
    ${verdict ? status(verdict.tone, verdict.words) : null}
  </li>`;

/** `heading`: for screen readers only, if there is no visible heading above the cards. */
export const figureCards = (figures: readonly Figure[], heading?: string): Html =>
  html`${heading === undefined ? null : html`<h2 class="vh">${heading}</h2>`}
    <ul class="cards">
      ${figures.map(figureCard)}
    </ul>`;
