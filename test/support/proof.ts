import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { filesUnder, root } from './source-files.ts';

/**
 * Sweeps that take minutes prove what lies in a few folders, and need not prove it again while every byte there is as
 * it was. `test/proven.json` holds the hash of those bytes at the last full green run; only a full green run writes it.
 */
export const PROOFS = {
  /** the runner, its device kernels and images on the simulated drivers, and the tests that sweep them: `make test` */
  native: ['native', 'test/native', 'test/support/simulated-driver'],
  /** links between nodes: `make soak FAST=1` */
  links: [
    'native/src/link',
    'native/src/collective',
    'agent/links',
    'coordinator/network',
    'test/e2e/network',
    'test/soak',
    'test/support/netns-lab',
  ],
};
const RECORD = 'test/proven.json';
/** Built, written by other programs, or read by people only. */
const NO_PART = /^native\/(build|results)\/|\.md$|\.log$/;

export type Proof = keyof typeof PROOFS;
const records = z.partialRecord(
  z.enum(Object.keys(PROOFS) as [Proof]),
  z.strictObject({ sha256: z.hash('sha256'), proven_on: z.iso.date() }),
);

export const readRecords = (tree = root): z.infer<typeof records> =>
  records.parse(JSON.parse(readFileSync(join(tree, RECORD), 'utf8')));

/** Of paths and contents of all files that `proof` is about: a file more, fewer or elsewhere is another hash. */
export function hashOf(proof: Proof, tree = root): string {
  const files = PROOFS[proof].flatMap((folder) => filesUnder(folder, '', tree)).filter((file) => !NO_PART.test(file));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const content = readFileSync(join(tree, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the last full green run saw the same bytes. With FULL in the environment nothing counts as proven. */
export const isProven = (proof: Proof, tree = root): boolean => beginProof(proof, tree).proven;

/** What a run sees when it begins; `record`, once a full one is green, keeps that, unless a file was changed meanwhile. */
export function beginProof(proof: Proof, tree = root): { proven: boolean; record: (today: Date) => void } {
  const sha256 = hashOf(proof, tree);
  return {
    proven: !process.env['FULL'] && readRecords(tree)[proof]?.sha256 === sha256,
    record: (today) => {
      if (hashOf(proof, tree) !== sha256) return;
      const proven = { ...readRecords(tree), [proof]: { sha256, proven_on: today.toISOString().slice(0, 10) } };
      writeFileSync(join(tree, RECORD), `${JSON.stringify(proven, null, 2)}\n`);
    },
  };
}
