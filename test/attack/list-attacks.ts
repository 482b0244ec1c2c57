import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from './attack.ts';

const folder = join(import.meta.dirname, 'attacks');

/** Every file of `attacks/`, by name; each exports `attack`. */
export async function listAttacks(only: readonly string[] = []): Promise<{ name: string; attack: Attack }[]> {
  const names = readdirSync(folder)
    .flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
    .filter((name) => only.length === 0 || only.includes(name))
    .toSorted();
  return Promise.all(
    names.map(async (name) => {
      const module = (await import(join(folder, `${name}.ts`))) as { attack: Attack };
      return { name, attack: module.attack };
    }),
  );
}
