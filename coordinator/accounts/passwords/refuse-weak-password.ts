import { passwordLength } from '../../contract/password-routes.ts';
import { invalidField } from '../../platform/errors.ts';

/** The user who gets the password. */
interface Owner {
  email: string;
  company: string;
}

/**
 * Checks a new password as NIST SP 800-63B (3.1.1.2) asks: its length, and that it is not among the first guesses; no composition
 * rules. Throws a validation error that names the field.
 */
export async function refuseWeakPassword(field: string, password: string, { email, company }: Owner): Promise<void> {
  const normal = password.normalize('NFKC');
  const { least, most } = passwordLength;
  if (!password.isWellFormed() || password.includes('\0'))
    throw invalidField(field, 'must be valid text without NUL characters');
  // Both forms, since a sign-in limits the length of the password as typed.
  const lengths = [lengthOf(password), lengthOf(normal)];
  if (Math.min(...lengths) < least) throw invalidField(field, `must have at least ${least} characters`);
  if (Math.max(...lengths) > most) throw invalidField(field, `must have at most ${most} characters`);
  const folded = normal.toLowerCase();
  const own = [email, email.split('@')[0] ?? '', company].map((text) => text.normalize('NFKC').toLowerCase());
  if (own.includes(folded))
    throw invalidField(field, 'must not be the e-mail address or the company; choose other words');
  if (await isCommon(folded))
    throw invalidField(field, 'is one of the most common passwords, which are guessed first; choose a longer one');
}

const lengthOf = (text: string): number => Array.from(text).length;
let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether it is one of the 18,000 commonest passwords of eight characters or more (of the 49,000 of zxcvbn-ts). The list takes
 * 34 ms and 22 MB, so a process loads it when a password is first set, and most never do.
 */
const isCommon = async (folded: string): Promise<boolean> => (await (known ??= load())).has(folded);

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= passwordLength.least));
}
