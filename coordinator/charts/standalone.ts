import { readFileSync } from 'node:fs';
import { escaped } from './svg-parts.ts';

type Attributes = ReadonlyMap<string, string>;

const style = (name: string): string =>
  readFileSync(new URL(`../portal/styles/${name}.css`, import.meta.url), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

let loaded: ReadonlyMap<string, Attributes> | undefined;

/**
 * The attributes of each chart class, read from the pages' stylesheet so that each colour is defined once: colours from
 * `tokens.css` before its dark scheme, rules from `charts.css`. `text` has no class.
 */
function looks(): ReadonlyMap<string, Attributes> {
  if (loaded !== undefined) return loaded;
  const [light = ''] = style('tokens').split('@media');
  const colours = new Map(
    [...light.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const found = new Map<string, Map<string, string>>();
  for (const [, selectors = '', rule = ''] of style('charts').matchAll(/([^{}]+)\{([^{}]*)\}/g))
    for (const [, name = ''] of selectors.matchAll(/\.chart (?:\.(?=\w)|(?=text\b))(\w+)/g)) {
      const own = found.get(name) ?? new Map<string, string>();
      for (const [, property = '', value = ''] of rule.matchAll(/([\w-]+):\s*([^;]+);/g))
        own.set(
          property,
          value.replaceAll(/var\(--([\w-]+)\)/g, (_all, colour: string) => {
            const known = colours.get(colour);
            if (known === undefined) throw new Error(`tokens.css has no --${colour}`);
            return known;
          }),
        );
      found.set(name, own);
    }
  loaded = found;
  return found;
}

const lookOf = (name: string): Attributes => {
  const look = looks().get(name);
  if (look === undefined) throw new Error(`charts.css has no rule for ${name}`);
  return look;
};

function withAttributes(svg: string, isWanted: (property: string, tag: string) => boolean): string {
  return svg.replaceAll(/<(\w+) class="(\w+)"/g, (_all, tag: string, name: string) => {
    const look = new Map([...(tag === 'text' ? lookOf('text') : []), ...lookOf(name)]);
    const attributes = [...look].filter(([property]) => isWanted(property, tag));
    return `<${tag}${attributes.map(([property, value]) => ` ${property}="${escaped(value)}"`).join('')}`;
  });
}

/**
 * A chart for the PDF, with light-scheme attributes instead of classes. Text has no background there: svg-to-pdfkit
 * does not support `paint-order` and would draw the background over the text. It always uses the report's own font.
 */
export const printed = (svg: string): string =>
  withAttributes(svg, (property, tag) => tag !== 'text' || property === 'fill' || property === 'font-size');

const HEAD = 32;

/** A chart as a stand-alone file in the light scheme, under a title that identifies its subject. */
export function chartFile(svg: string, title: string): string {
  const { width, height } = sizeOf(svg);
  const ground = looks().get('o1')?.get('fill') ?? '';
  const inner = withAttributes(svg, () => true)
    .replace(/^<svg [^>]*>/, '')
    .replace(/<\/svg>$/, '');
  const head = withAttributes(`<text class="tx" x="4" y="20" font-weight="bold">${escaped(title)}</text>`, () => true);
  return (
    `<svg viewBox="0 0 ${width} ${height + HEAD}" width="${width}" height="${height + HEAD}" xmlns="http://www.w3.org/2000/svg">` +
    `<title>${escaped(title)}</title><rect width="100%" height="100%" fill="${ground}"/>${head}` +
    `<g transform="translate(0 ${HEAD})">${inner}</g></svg>`
  );
}

export function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /^<svg viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  if (width === undefined || height === undefined) throw new Error('a chart without a size');
  return { width: Number(width), height: Number(height) };
}
