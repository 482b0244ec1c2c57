import type { Context } from '../../platform/context.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { SignedIn } from '../open-sign-in.ts';
import { countRevocation, endSessionsOf } from '../revocation/queries.ts';
import { wrongCode } from './finish-sign-in.ts';
import { goOnAlone } from './go-on-alone.ts';
import { personOf } from './person-of.ts';
import { deleteFactor } from './queries.ts';
import { tryCode } from './use-code.ts';

/**
 * The caller's own factor, by a code of it. All sessions end and the caller goes on in a new one; not so in a company that
 * requires a factor, where the next sign-in sets up another (null). Throws a validation error of `code`, `rate_limited`.
 */
export async function removeFactor(
  context: Context,
  { code, cookie }: { code: string; cookie: string | undefined },
): Promise<SignedIn | null> {
  const user = await personOf(context, null);
  const goOn = await tryCode(context, { user, code, cookie, refusal: wrongCode() }, async (tx) => {
    await deleteFactor(tx, user.id);
    const whose = { customerId: user.customer_id, subject: user.email };
    await recordEvent(context, tx, { ...whose, action: 'second_factor_removed', detail: { by: 'its owner' } });
    if (!user.requires_second_factor) return { finish: await goOnAlone(context, tx, user) };
    await endSessionsOf(tx, user.id, context.now());
    await countRevocation(tx);
    return { finish: () => null };
  });
  return goOn.finish();
}
