import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { root } from '../support/source-files.ts';

/** A small fault in one line of a product file. */
export interface Fault {
  file: string;
  /** from 1 */
  line: number;
  what: string;
  before: string;
  after: string;
}

/** What a hand slips on. A pattern's match is what stands there now; operators have spaces around them in the house format. */
const SLIPS: { what: string; pattern: RegExp; put: (match: string) => string }[] = [
  {
    what: 'a comparison turned',
    pattern: / (?:<=?|>=?) /g,
    put: (match) => ({ ' < ': ' >= ', ' > ': ' <= ', ' <= ': ' > ', ' >= ': ' < ' })[match] ?? match,
  },
  {
    what: 'a limit off by one',
    pattern: / (?:<=?|>=?) /g,
    put: (match) => ({ ' < ': ' <= ', ' > ': ' >= ', ' <= ': ' < ', ' >= ': ' > ' })[match] ?? match,
  },
  { what: 'an equality turned', pattern: / [!=]== /g, put: (match) => (match === ' === ' ? ' !== ' : ' === ') },
  { what: 'an await dropped', pattern: /\bawait (?=[\w.]+\()/g, put: () => '' },
  { what: 'and for or', pattern: / (?:&&|\|\|) /g, put: (match) => (match === ' && ' ? ' || ' : ' && ') },
  {
    what: 'a number off by one',
    pattern: /(?<=[=(,:?] )\d{1,6}\b(?![\d_.]|n\b)/g,
    put: (match) => String(Number(match) + 1),
  },
  {
    what: 'a condition turned',
    pattern: /(?<=\bif )\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g,
    put: (match) => `(!${match})`,
  },
  { what: 'plus for minus', pattern: / [+-] (?=[\w(])/g, put: (match) => (match === ' + ' ? ' - ' : ' + ') },
];

/** Every fault that can be put into a file, one at a time. Types, comments and texts have none. */
export function faultsOf(file: string): Fault[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const code = codeOf(lines.join('\n')).split('\n');
  return lines.flatMap((before, at) =>
    SLIPS.flatMap(({ what, pattern, put }) =>
      [...(code[at] ?? '').matchAll(pattern)].map(({ 0: match, index }) => {
        const text = before.slice(index, index + match.length);
        const after = before.slice(0, index) + put(text) + before.slice(index + match.length);
        return { file, line: at + 1, what, before, after };
      }),
    ),
  );
}

/** The same columns and lines with types, comments and texts blank. */
function codeOf(source: string): string {
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
  return stripTypeScriptTypes(source)
    .replaceAll(/\/\*[\s\S]*?\*\//g, blank)
    .replaceAll(/(^|\s)\/\/.*$/gm, blank)
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, blank)
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, blank)
    .replaceAll(/(?<=[=(,] )\/(?:[^/\\\n]|\\.)+\/[a-z]*/g, blank);
}
