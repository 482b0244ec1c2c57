import { artifactKeyPattern } from '../../contract/artifact.ts';

/** Largest single object; a report is well under 1 MiB, a year's offers as packed CSV some hundred. */
export const MAX_OBJECT_BYTES = 8 * 1024 ** 3;

/** The key of an object by its hash. Throws if the extension is none. */
export const keyOfHash = (sha256: string, extension: string): string =>
  checkedKey(`sha256/${sha256.slice(0, 2)}/${sha256}.${extension}`);

/** The hash in a key that was checked. */
export const hashOfKey = (key: string): string => key.slice('sha256/ab/'.length, 'sha256/ab/'.length + 64);

/** Keys are made of hex digits and an extension alone, so no key can leave the store. */
export function checkedKey(key: string): string {
  if (!artifactKeyPattern.test(key)) throw new Error(`${JSON.stringify(key)} is not an artifact key.`);
  return key;
}
