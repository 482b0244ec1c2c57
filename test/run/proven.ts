import { isProven, PROOFS, type Proof } from '../support/proof.ts';

/** `proven.ts links`: exit code 0 if the last full green run saw the same bytes, else 1. */
const [name = ''] = process.argv.slice(2);
if (!Object.hasOwn(PROOFS, name)) throw new Error(`"${name}" is not one of ${Object.keys(PROOFS).join(', ')}`);
process.exitCode = isProven(name as Proof) ? 0 : 1;
