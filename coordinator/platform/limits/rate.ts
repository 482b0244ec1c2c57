/** A token bucket: each request takes one token, the bucket holds `burst` of them and gets `perMinute` new ones. */
export interface Rate {
  perMinute: number;
  burst: number;
}

/** Whose bucket: kind and id together, `kind:id` in the database. */
export interface Bucket {
  kind: 'user' | 'app' | 'key' | 'job' | 'address';
  id: string;
}

/** Of what the tiers say nothing about. */
export interface OwnRates {
  address: Rate;
  job: Rate;
}

/**
 * A job's token is shared by up to 256 nodes, which beat and poll every few seconds and report in crowds: 256 a second are
 * 15,360 a minute, and at the turn of a phase all of them call several times at once.
 */
export const JOB_RATE: Rate = { perMinute: 60_000, burst: 10_000 };

/**
 * Calls without a credential, or with one that is refused. An address may be the NAT of a data centre or an office: a hundred
 * people who sign in at nine take a few calls each, and the 256 nodes of a job that is over learn it by one 401 each, all at
 * the same moment. Guessing at ten a second leads nowhere: passwords are slowed per account, tokens have 190 random bits.
 */
export const ADDRESS_RATE: Rate = { perMinute: 600, burst: 300 };

/** What staff have at least, whatever their own company subscribes to: what the tier enterprise begins with. */
export const STAFF_RATE: Rate = { perMinute: 12_000, burst: 4000 };

export const atLeastOfStaff = ({ perMinute, burst }: Rate): Rate => ({
  perMinute: Math.max(perMinute, STAFF_RATE.perMinute),
  burst: Math.max(burst, STAFF_RATE.burst),
});

export const MINUTE_MS = 60_000;

const NUMBER = String.raw`([1-9]\d{0,5}|1000000)`;
/** As in settings: requests a minute, a slash, the burst. */
export const RATE_SETTING = new RegExp(`^${NUMBER}/${NUMBER}$`);

export function rateOf(setting: string): Rate {
  const [perMinute, burst] = setting.split('/').map(Number);
  if (perMinute === undefined || burst === undefined) throw new Error(`${setting} is not a rate`);
  return { perMinute, burst };
}
