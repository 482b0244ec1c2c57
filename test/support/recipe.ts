import { execa } from 'execa';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './source-files.ts';

/** The tree as git has it, with what is not committed yet; packages are those of the original. */
export async function copyOfTree(copy: string): Promise<void> {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await execa('git', listing, { cwd: root });
  for (const file of stdout.split('\0')) {
    // Listed and not there: removed, and not committed yet.
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

/** One fenced block of a recipe, with the sentence before it that says where it goes. */
export interface Step {
  sentence: string;
  language: string;
  text: string;
}

/** The blocks under a heading of CONTRIBUTING.md, in order. */
export function stepsOf(heading: string): Step[] {
  const [, section] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no heading "${heading}"`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/([^\n]*)\n\n```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, sentence = '', language = '', text = '']) => ({
      sentence,
      language,
      text,
    }),
  );
}

/** Commands that build the runner first. */
export const isBuild = ({ language, text }: Step): boolean => language === 'sh' && text.startsWith('make native');

/** Does in `tree` what a reader of the recipe does. What a command prints comes back, in order. */
export async function follow(tree: string, steps: readonly Step[]): Promise<string[]> {
  const printed: string[] = [];
  for (const { sentence, language, text } of steps) {
    if (language !== 'sh') put(tree, sentence, text);
    else printed.push(await shell(tree, text));
  }
  return printed;
}

function put(tree: string, sentence: string, text: string): void {
  const [, created] = /New file `([^`]+)`:$/.exec(sentence) ?? [];
  if (created !== undefined) {
    if (existsSync(join(tree, created))) throw new Error(`${created} is there already`);
    return write(tree, created, text);
  }
  const [, ended] = /At the end of `([^`]+)`:$/.exec(sentence) ?? [];
  if (ended !== undefined) {
    const between = ended.endsWith('.ts') ? '\n' : '';
    return write(tree, ended, `${read(tree, ended)}${between}${text}`);
  }
  const [, file, side, beside] = /In `([^`]+)`, (above|below|instead of) `([^`]+)`:$/.exec(sentence) ?? [];
  if (file === undefined || beside === undefined) throw new Error(`no place for the block after: ${sentence}`);
  const lines = read(tree, file).split('\n');
  const at = lines.flatMap((line, index) => (line.includes(beside) ? [index] : []));
  if (at.length !== 1) throw new Error(`${file} has ${at.length} lines with ${beside}`);
  lines.splice((at[0] ?? 0) + (side === 'below' ? 1 : 0), side === 'instead of' ? 1 : 0, text.trimEnd());
  write(tree, file, lines.join('\n'));
}

const read = (tree: string, file: string): string => readFileSync(join(tree, file), 'utf8');

function write(tree: string, file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** As typed at a prompt in the tree. Fails with what it printed. */
async function shell(tree: string, command: string): Promise<string> {
  // A runner of tests would take itself for a part of this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { all, exitCode } = await execa('bash', ['-euc', command], {
    cwd: tree,
    env,
    extendEnv: false,
    all: true,
    reject: false,
  });
  if (exitCode !== 0) throw new Error(`${command}\nexit ${exitCode}\n${all}`);
  return all;
}
