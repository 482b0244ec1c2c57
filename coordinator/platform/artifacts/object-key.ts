import { artifactKeyPattern } from '../../contract/artifact.ts';

/** Largest single object; a report is well under 1 MiB, a year's offers as gzipped CSV a few hundred. */
export const MAX_OBJECT_BYTES = 8 * 1024 ** 3;

/** The key of an object with this hash. Throws if the extension is malformed. */
export const keyOfHash = (sha256: string, extension: string): string =>
  checkedKey(`sha256/${sha256.slice(0, 2)}/${sha256}.${extension}`);

/** The hash in a valid key. */
export const hashOfKey = (key: string): string => key.slice('sha256/ab/'.length, 'sha256/ab/'.length + 64);

/** Throws if the key is malformed. Keys consist of hex digits and an extension only, so no path can leave the store. */
export function checkedKey(key: string): string {
  if (!artifactKeyPattern.test(key)) throw new Error(`${JSON.stringify(key)} is not an artifact key.`);
  return key;
}
