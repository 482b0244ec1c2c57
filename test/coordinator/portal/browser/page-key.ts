import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type AtRule, type Container, type Rule } from 'postcss';
import { filesUnder, root } from '../../../support/source-files.ts';

const portal = 'coordinator/portal';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const scripts = filesUnder(`${portal}/scripts`, '.js').map(read).join('\n');

/** A rule of the stylesheet with the at-rules around it, and what must be on a page for it to apply. */
interface StyleRule {
  text: string;
  /** classes, ids and elements, for each selector of the rule */
  needs: { kind: '.' | '#' | '<'; name: string }[][];
}

const rules: StyleRule[] = filesUnder(`${portal}/styles`, '.css')
  .toSorted()
  .flatMap((file) => {
    const found: StyleRule[] = [];
    parse(read(file)).walkDecls((declaration) => {
      const around: string[] = [];
      let needs: StyleRule['needs'] = [];
      for (
        let up: Container | undefined = declaration.parent;
        up !== undefined;
        up = up.parent as Container | undefined
      ) {
        if (isRule(up)) needs = up.selectors.map(needsOf);
        if (isRule(up)) around.push(up.selector);
        if (isAtRule(up)) around.push(`@${up.name} ${up.params}`);
      }
      found.push({ text: `${around.join('|')}{${declaration.toString()}}`, needs });
    });
    return found;
  });

function isRule(node: Container): node is Rule {
  return node.type === 'rule';
}

function isAtRule(node: Container): node is AtRule {
  return node.type === 'atrule';
}

/** What stands in a function such as `:not()` or `:has()`, and attributes, may be absent: leaving them out errs towards a walk. */
function needsOf(selector: string): StyleRule['needs'][number] {
  let plain = selector;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/:[\w-]+\([^()]*\)|\[[^\]]*\]/g, '');
  }
  plain = plain.replaceAll(/::?[\w-]+/g, '');
  return [...plain.matchAll(/([.#]?)(-?[a-z_][\w-]*)/gi)].map(([, sign, name = '']) => ({
    kind: sign === '.' || sign === '#' ? sign : '<',
    name,
  }));
}

/** The rules that may apply to a page, by the classes, ids and elements it is written with or that a script may give it. */
export function rulesFor(html: string): string[] {
  const words = (attribute: string): Set<string> =>
    new Set(
      [...html.matchAll(new RegExp(`\\s${attribute}=["']([^"']*)`, 'g'))].flatMap(([, value = '']) =>
        value.split(/\s+/),
      ),
    );
  const has = {
    '.': words('class'),
    '#': words('id'),
    '<': new Set([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, name]) => name)),
  };
  const isThere = ({ kind, name }: StyleRule['needs'][number][number]): boolean =>
    has[kind].has(name) || new RegExp(`['"\`. ]${name}['"\`\\s]`).test(scripts);
  return rules
    .filter(({ needs }) => needs.length === 0 || needs.some((all) => all.every(isThere)))
    .map(({ text }) => text);
}

/** The same page of another run: ids, addresses of accounts, links, tokens and hashes differ. */
export const normalised = (html: string): string =>
  html
    .replaceAll(/\d{12,}/g, 'ID')
    .replaceAll(/person\d+/g, 'person')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
    .replaceAll(/\/assets\/[0-9a-f]+\//g, '/assets/')
    .replaceAll(/(name="csrf" value=")[^"]*/g, '$1TOKEN')
    .replaceAll(/\/s\/[\w.-]+/g, '/s/TOKEN')
    .replaceAll(/\b(?:gm[a-z]_|eyJ)[\w.-]+/g, 'TOKEN')
    // Keys of a second factor, and what is shown once.
    .replaceAll(/\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b|(?<=secret=)[A-Z2-7]{32}\b/g, 'KEY')
    .replaceAll(/(<output[^>]*>)[^<]*/g, '$1SECRET');

/** The hash of all that a browser makes of a page, but for what is the same on all pages: the scripts, and the walker's own code. */
export function pageKey(name: string, html: string, common: string): string {
  const golden = `test/golden/portal/${name}.aria.yml`;
  return createHash('sha256')
    .update(normalised(html))
    .update(rulesFor(html).join('\n'))
    .update(existsSync(join(root, golden)) ? read(golden) : '')
    .update(common)
    .digest('hex')
    .slice(0, 16);
}
