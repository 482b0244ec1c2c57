import { passwordLength } from '../../contract/password-routes.ts';

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether it is one of the 18,000 commonest passwords of eight characters or more (of the 49,000 of zxcvbn-ts). The list takes
 * 34 ms and 22 MB, so a process loads it with the first password that is set in it, and most never do.
 */
export const isCommon = async (folded: string): Promise<boolean> => (await (known ??= load())).has(folded);

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= passwordLength.least));
}
