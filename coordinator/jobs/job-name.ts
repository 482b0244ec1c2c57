/** Letters that cannot be misread; 32 of them, so that one byte's low five bits pick one without bias. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const RANDOM_LETTERS = 8;

/** A name for a job that was given none, e.g. `benchmark-20261121-114005-k3m9x2ab`: 34 characters, 2^40 per second. */
export function generatedJobName(now: Date, randomBytes: (count: number) => Buffer): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const suffix = [...randomBytes(RANDOM_LETTERS)].map((byte) => LETTERS[byte & 31]).join('');
  return `benchmark-${stamp}-${suffix}`;
}
