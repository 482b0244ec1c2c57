import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import { wrongCode } from './finish-sign-in.ts';
import { personOf } from './person-of.ts';
import { replaceRecoveryCodes } from './queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { tryCode } from './use-code.ts';

/** Ten new ones, shown this once, by a code of the caller's factor; those from before no longer work. */
export async function renewRecoveryCodes(
  context: Context,
  { code, cookie }: { code: string; cookie: string | undefined },
): Promise<string[]> {
  const user = await personOf(context, null);
  const made = makeRecoveryCodes(context.randomBytes);
  await tryCode(context, { user, code, cookie, refusal: wrongCode() }, async (tx) => {
    await replaceRecoveryCodes(tx, user.id, made.hashes);
    await recordEvent(context, tx, {
      action: 'recovery_codes_made',
      customerId: user.customer_id,
      subject: user.email,
    });
  });
  return made.codes;
}
