import { html, raw, type Content, type Html } from '../frame/html.ts';
import { status, type Tone } from './status.ts';

export interface Figure {
  name: string;
  /** already rounded to the digits that its spread supports; null: not measured */
  value: string | null;
  unit: string;
  /** "median of 6 GPUs, 1.2 to 1.4" or "n 14, 90 % of them 1.2 to 1.4"; the reason if the figure is missing */
  support: Content;
  /** its place beside what healthy devices reach; absent: there is no yardstick */
  bar?: Bar;
  /** what it stands beside, or why it has no yardstick */
  beside?: string;
  /** devices or links behind the figure by grade */
  counts?: GradeCounts;
}

interface Bar {
  value: number;
  /** lowest and highest of the values behind it */
  least: number;
  most: number;
  /** the healthy range */
  low: number;
  high: number;
}

export interface GradeCounts {
  good: number;
  check: number;
  bad: number;
}

/** One figure with its unit, sample count and spread, then its place and the counts. The height of the card does not change. */
export const figureCard = ({ name, value, unit, support, bar, beside, counts }: Figure): Html =>
  html`<li class="card">
    <h3>${name}</h3>
    <p class="v">${value ?? '–'}${value === null ? null : html` <small>${unit}</small>`}</p>
    <p>${support}</p>
    ${bar === undefined ? null : barOf(bar)}${beside === undefined ? null : html`<p>${beside}</p>`}${counts === undefined ? null : countLine(counts)}
  </li>`;

/** `heading`: for screen readers only, if there is no visible heading above the cards. */
export const figureCards = (figures: readonly Figure[], heading?: string): Html =>
  html`${heading === undefined ? null : html`<h2 class="vh">${heading}</h2>`}
    <ul class="cards">
      ${figures.map(figureCard)}
    </ul>`;

const [WIDTH, HEIGHT, ROOM] = [240, 16, 1.08] as const;

/** From zero: the healthy range as a band, all values as a line, the figure as a mark. The words below it say the same. */
function barOf({ value, least, most, low, high }: Bar): Html {
  const end = Math.max(high, most, value) * ROOM;
  const x = (of: number): string => ((of / end) * WIDTH).toFixed(1);
  const line = (name: string, from: string, to: string): string =>
    `<line class="${name}" x1="${from}" x2="${to}" y1="8" y2="8"/>`;
  const svg = `<svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" y="6" width="${WIDTH}" height="4"/>
<rect class="healthy" x="${x(low)}" y="2" width="${Math.max(2, ((high - low) / end) * WIDTH).toFixed(1)}" height="12"/>
${line('range', x(least), x(most))}<rect class="value" x="${(Number(x(value)) - 1.5).toFixed(1)}" width="3" height="${HEIGHT}"/></svg>`;
  return html`${raw(svg)}`;
}

const grades: readonly [name: keyof GradeCounts, words: string, tone: Tone][] = [
  ['bad', 'bad', 'bad'],
  ['check', 'to check', 'warn'],
  ['good', 'good', 'ok'],
];

const countLine = (counts: GradeCounts): Content =>
  html`<p class="counts">
    ${grades.flatMap(([name, words, tone]) => (counts[name] === 0 ? [] : [status(tone, `${counts[name]} ${words}`)]))}
  </p>`;
