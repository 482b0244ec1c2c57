import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';
import { callerFrom, type Tenant } from '../tenant.ts';

const WRONG = 'not the password of anybody';

/** Uses the protection against guessed passwords to keep their owners out, and the cost of hashing to keep everybody waiting. */
export const attack: Attack = {
  title: 'keep people out by failing to sign in as them',
  run: async (site) => {
    const neighbour = await site.addTenant('neighbour', '127.71.0.1');
    return [
      await wrongPasswords(site),
      await wholeNetwork(site, neighbour),
      await manyNetworks(site),
      await flood(site, neighbour),
      await unknownAddress(site, neighbour),
    ];
  },
};

async function wrongPasswords(site: Site): Promise<Finding> {
  const { email, password } = site.innocent;
  const statuses = await guesses(site, '127.70.0.1', Array<string>(12).fill(email), true);
  const again = await signInFrom(site, '127.0.0.1', { email, password });
  const elsewhere = await signInFrom(site, '127.72.0.1', { email, password });
  return {
    tried: `12 wrong passwords at once for another's account from one network (${tally(statuses)})`,
    answer: `its owner signs in: ${again} from the usual place, ${elsewhere} from a network never seen before`,
    held: again === 200 && elsewhere === 200,
  };
}

/** All users of a site behind one address, or of a proxy that nobody told us of. */
async function wholeNetwork(site: Site, neighbour: Tenant): Promise<Finding> {
  const count = site.short ? 3 : 110;
  const statuses = await guesses(site, '127.71.0.9', made(count, 'network'));
  const status = await signInFrom(site, '127.71.0.1', neighbour);
  return {
    tried: `${count} failures over made-up accounts from one /24 (${tally(statuses)})`,
    answer: `a neighbour in it who has signed in before: ${status}`,
    held: status === 200,
  };
}

async function manyNetworks(site: Site): Promise<Finding> {
  const { email, password } = site.innocent;
  const count = site.short ? 3 : 120;
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(...(await guesses(site, `127.${100 + (n % 100)}.${n}.1`, [email])));
  const status = await signInFrom(site, '127.0.0.1', { email, password });
  const checked = statuses.filter((one) => one === 401).length;
  return {
    tried: `${count} guesses at one account, each from another network (${tally(statuses)})`,
    answer: `${checked} passwords were looked at; its owner signs in: ${status}`,
    held: status === 200 && checked <= 92,
  };
}

/** The finding is the neighbour's; the innocent tenant signs in once a second all the while. */
async function flood(site: Site, neighbour: Tenant): Promise<Finding> {
  const networks = site.short ? 4 : 100;
  const each = site.short ? 2 : 8;
  const running = Promise.all(
    Array.from({ length: networks }, (_, n) => guesses(site, `127.80.${n}.1`, made(each, `flood-${n}`), true)),
  );
  const met: number[] = [];
  const flooding = { ended: false };
  void running.finally(() => (flooding.ended = true));
  do met.push(await signInFrom(site, '127.71.0.1', neighbour));
  while (!flooding.ended);
  const statuses = (await running).flat();
  return {
    tried: `${networks * each} sign-ins at once from ${networks} networks (${tally(statuses)})`,
    answer: `a customer meanwhile: ${tally(met)}`,
    held: met.every((status) => status === 200),
  };
}

async function unknownAddress(site: Site, { email }: Tenant): Promise<Finding> {
  const [known, unknown] = [
    await guesses(site, '127.73.0.1', Array<string>(8).fill(email)),
    await guesses(site, '127.74.0.1', Array<string>(8).fill('nobody-at-all@example.com')),
  ];
  return {
    tried: 'eight failures each for an account that is there and one that is not, to tell them apart',
    answer: `${tally(known)}; ${tally(unknown)}`,
    held: tally(known) === tally(unknown),
  };
}

async function guesses(site: Site, address: string, emails: readonly string[], atOnce = false): Promise<number[]> {
  const { call, close } = callerFrom(site.baseUrl, address);
  const guess = async (email: string) =>
    (await call('POST', '/api/user/login', { body: { email, password: WRONG } })).status;
  try {
    if (atOnce) return await Promise.all(emails.map(guess));
    const statuses = [];
    for (const email of emails) statuses.push(await guess(email));
    return statuses;
  } finally {
    await close();
  }
}

async function signInFrom(
  site: Site,
  address: string,
  { email, password }: { email: string; password: string },
): Promise<number> {
  const { call, close } = callerFrom(site.baseUrl, address);
  try {
    return (await call('POST', '/api/user/login', { body: { email, password } })).status;
  } finally {
    await close();
  }
}

const made = (count: number, what: string): string[] =>
  Array.from({ length: count }, (_, n) => `made-up-${what}-${n}@example.com`);

/** `5 x 401, 7 x 429` */
const tally = (statuses: readonly number[]): string =>
  [...new Set(statuses)]
    .toSorted((a, b) => a - b)
    .map((status) => `${statuses.filter((one) => one === status).length} x ${status}`)
    .join(', ');
