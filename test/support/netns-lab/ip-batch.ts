import { execa } from 'execa';

/** Runs lines of `ip` in one process, in a namespace; empty: the host's own. @throws with the line that was refused */
export const ipBatch = (namespace: string, lines: readonly string[]): Promise<void> => batch('ip', namespace, lines);

/** The same for `tc`. */
export const tcBatch = (namespace: string, lines: readonly string[]): Promise<void> => batch('tc', namespace, lines);

async function batch(program: 'ip' | 'tc', namespace: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const place = namespace === '' ? [] : ['-n', namespace];
  await execa(program, [...place, '-batch', '-'], { input: lines.map((line) => `${line}\n`).join('') });
}

/** Runs an nftables script in a namespace; it takes effect as a whole or not at all. */
export async function nftables(namespace: string, script: string): Promise<void> {
  await execa('ip', ['netns', 'exec', namespace, 'nft', '-f', '-'], { input: script });
}
