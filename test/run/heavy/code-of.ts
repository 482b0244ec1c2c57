import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { root } from '../../support/source-files.ts';

/** Of a file of this tree, read once until `forgetCode`. */
export const codeIn = (path: string): string | Buffer =>
  known.getOrInsertComputed(path, () => codeOf(path, readFileSync(join(root, path))));

const known = new Map<string, string | Buffer>();
export const forgetCode = (): void => known.clear();

/**
 * What of a file's text decides how a test ends: TypeScript without comments, types and blank space; C++, CSS and
 * JavaScript without comments and blank lines; other files byte for byte.
 */
export function codeOf(path: string, content: Buffer): string | Buffer {
  const text = content.toString('utf8');
  switch (extname(path)) {
    case '.ts':
      return transformSync(text, { ...MINIFIED, loader: 'ts', tsconfigRaw: ALL_IMPORTS }).code;
    case '.js':
      return transformSync(text, { ...MINIFIED, loader: 'js' }).code;
    case '.c':
    case '.cpp':
    case '.h':
    case '.cu':
    case '.hip':
    case '.css':
      return withoutBlankLines(text.replaceAll(TEXT_OR_COMMENT, (match) => (match.startsWith('/') ? ' ' : match)));
    default:
      return content;
  }
}

const MINIFIED = { minifyWhitespace: true, legalComments: 'none' } as const;
/** As Node does: an import without `type` loads its file, used or not. */
const ALL_IMPORTS = { compilerOptions: { verbatimModuleSyntax: true } };

/**
 * Literals are matched first, so that `//` within one does not begin a comment: raw strings, strings, and characters, which are
 * short, unlike what stands between the digit separators of 1'000'000.
 */
const TEXT_OR_COMMENT = /R"(\w*)\([^]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.[^'\n]*|[^'\\\n])'|\/\*[^]*?\*\/|\/\/[^\n]*/g;

const withoutBlankLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
