import { execa } from 'execa';

/** Lines of `ip` in one process, in a namespace; empty name: this machine's own. @throws with the line that was refused */
export const ipBatch = (namespace: string, lines: readonly string[]): Promise<void> => batch('ip', namespace, lines);

/** Lines of `tc`, likewise. */
export const tcBatch = (namespace: string, lines: readonly string[]): Promise<void> => batch('tc', namespace, lines);

async function batch(program: 'ip' | 'tc', namespace: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const place = namespace === '' ? [] : ['-n', namespace];
  await execa(program, [...place, '-batch', '-'], { input: lines.map((line) => `${line}\n`).join('') });
}

/** An nftables script in a namespace; all of it or nothing takes effect. */
export async function nftables(namespace: string, script: string): Promise<void> {
  await execa('ip', ['netns', 'exec', namespace, 'nft', '-f', '-'], { input: script });
}
