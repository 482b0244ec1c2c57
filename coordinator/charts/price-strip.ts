import { round, roundStep, svgOf, takeLine, text, widthOf, type Span } from './svg-parts.ts';

interface PricedConfiguration {
  predicted: number;
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
  /** prices of comparable offers, with their providers */
  offers: readonly { provider: string; price: number }[];
}

const TOP = 26;
const BOX = 26;
const ROW = 16;
const PAD = { left: 14, right: 14 } as const;

/**
 * One predicted price and its distribution on one axis: box p25 to p75, whiskers p5 to p95, ◆ the prediction. Below it
 * the comparable offers as points labelled with their providers, each on the first line that has room for its name.
 */
export function priceStrip({ predicted, p5, p25, p50, p75, p95, offers }: PricedConfiguration, width: number): string {
  const values = [predicted, p5, p95, ...offers.map(({ price }) => price)];
  const { step, digits } = roundStep(
    (Math.max(...values) - Math.min(...values) || predicted || 1) / (width < 500 ? 4 : 8),
  );
  const [low, high] = [
    Math.max(0, Math.floor(Math.min(...values) / step) * step),
    (Math.floor(Math.max(...values) / step) + 1) * step,
  ];
  const x = (price: number): number => PAD.left + ((price - low) / (high - low)) * (width - PAD.left - PAD.right);
  const middle = TOP + BOX / 2;
  const { drawn, lines } = named(offers, x, width);
  const bottom = TOP + BOX + 12 + lines * ROW;
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  const parts = [
    ...ticks.map(
      (tick) => `<line class="grid" x1="${round(x(tick))}" x2="${round(x(tick))}" y1="${TOP - 6}" y2="${bottom}"/>`,
    ),
    `<line class="whisker" x1="${round(x(p5))}" x2="${round(x(p95))}" y1="${middle}" y2="${middle}"/>`,
    `<rect class="band" x="${round(x(p25))}" y="${TOP}" width="${round(Math.max(1, x(p75) - x(p25)))}" height="${BOX}"/>`,
    `<line class="mark" x1="${round(x(p50))}" x2="${round(x(p50))}" y1="${TOP}" y2="${TOP + BOX}"/>`,
    `<path class="d2" d="M${round(x(predicted))} ${middle - 7}l7 7-7 7-7-7Z"/>`,
    text(4, 14, `box p25 to p75, whiskers p5 to p95${low > 0 ? ', axis not from 0' : ''}`, 'start', 'ax'),
    ...drawn,
    ...ticks.map((tick) =>
      text(Math.min(Math.max(x(tick), 16), width - 18), bottom + 14, tick.toFixed(digits), 'middle', 'ax'),
    ),
    text(width / 2, bottom + 32, 'USD per GPU hour', 'middle', 'ax'),
  ];
  return svgOf(width, bottom + 40, parts);
}

const MOST_NAME = 22;

function named(
  offers: PricedConfiguration['offers'],
  x: (price: number) => number,
  width: number,
): { drawn: string[]; lines: number } {
  const lines: Span[][] = [];
  const drawn = offers
    .toSorted((a, b) => a.price - b.price)
    .flatMap(({ provider, price }) => {
      const name = provider.length > MOST_NAME ? `${provider.slice(0, MOST_NAME - 1)}…` : provider;
      const at = x(price);
      const room = widthOf(name) + 12;
      const isLeft = at + room > width;
      const line = takeLine(lines, isLeft ? [at - room, at + 6] : [at - 6, at + room]);
      const y = TOP + BOX + 18 + line * ROW;
      return [
        `<circle class="d1" cx="${round(at)}" cy="${round(y - 4)}" r="4"/>`,
        text(at + (isLeft ? -8 : 8), y, name, isLeft ? 'end' : 'start', 'tx'),
      ];
    });
  return { drawn, lines: lines.length };
}
