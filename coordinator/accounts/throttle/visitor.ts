import type { Context } from '../../platform/context.ts';
import { readDeviceCookie } from '../device-cookie.ts';
import type { UserRow } from '../queries.ts';
import { KNOWN_DAYS, type SubjectKind } from './limits.ts';
import { networkOf } from '../../platform/address-blocks.ts';
import { findPause, isKnownPlace } from './queries.ts';

export interface Subject {
  kind: SubjectKind;
  /** key of its row */
  subject: string;
}

/** Who tries to sign in, as far as it is known before the password is checked. */
export interface Visitor {
  /** Has signed in to this account before, with this device or from this network: failures of strangers do not slow it down. */
  known: boolean;
  /** The queue it waits in: a known visitor in its account's, a stranger in its network's. */
  line: string;
  /** What its failures count against, always in this order of kinds, so that two attempts at a time cannot deadlock. */
  subjects: Subject[];
  network: string;
  /** id of the device from its cookie, kept in the next one; null without a cookie of this account */
  deviceId: string | null;
}

const DAY_MS = 24 * 3_600_000;
/** An id that no user has, so that an unknown address causes the same queries. */
const NOBODY = '0';

export async function recogniseVisitor(
  context: Context,
  { email, user, cookie }: { email: string; user: UserRow | null; cookie: string | undefined },
): Promise<Visitor> {
  const address = email.toLowerCase();
  const network = networkOf(context.client.address);
  const line = `account:${address}`;
  const pair: Subject = { kind: 'pair', subject: `pair:${network}:${address}` };
  const deviceId = await deviceOf(context, cookie, user);
  if (deviceId !== null) {
    const device: Subject = { kind: 'device', subject: `device:${deviceId}` };
    // A cookie with too many failures, perhaps a stolen one, is ignored; its owner may still be known by the network.
    if ((await findPause(context.sql, [device.subject], context.now())) === null)
      return { known: true, line, subjects: [device], network, deviceId };
  }
  const since = new Date(context.now().getTime() - KNOWN_DAYS * DAY_MS);
  if (await isKnownPlace(context.sql, { userId: user?.id ?? NOBODY, network, since }))
    return { known: true, line, subjects: [pair], network, deviceId };
  const subjects: Subject[] = [
    { kind: 'network', subject: `network:${network}` },
    { kind: 'account', subject: `account:${address}` },
    pair,
  ];
  return { known: false, line: network, subjects, network, deviceId };
}

async function deviceOf(
  context: Context,
  cookie: string | undefined,
  user: Pick<UserRow, 'id' | 'session_epoch'> | null,
): Promise<string | null> {
  const device = await readDeviceCookie(context, cookie);
  return device && device.userId === user?.id && device.epoch === user.session_epoch ? device.deviceId : null;
}
