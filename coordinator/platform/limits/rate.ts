/** A token bucket: each request takes one token; the bucket holds up to `burst` tokens and gains `perMinute` a minute. */
export interface Rate {
  perMinute: number;
  burst: number;
}

/** Identifies a bucket: `kind:id` in the database. */
export interface Bucket {
  kind: 'user' | 'app' | 'key' | 'job' | 'address' | 'link';
  id: string;
}

/** Rates that the tiers do not define. */
export interface OwnRates {
  address: Rate;
  job: Rate;
  link: Rate;
}

/**
 * A job's token is shared by up to 256 nodes, which send beats and polls every few seconds and report all at once: 256 a
 * second are 15,360 a minute, and when a phase changes all of them call several times at once.
 */
export const JOB_RATE: Rate = { perMinute: 60_000, burst: 10_000 };

/**
 * For calls without a credential, or with one that is refused. An address can be the NAT of a data centre or an office: a
 * hundred people who sign in at nine make a few calls each, and the 256 nodes of a job that has ended get one 401 each at the
 * same moment. Guessing at ten a second is hopeless: passwords are throttled per account, tokens have 190 random bits.
 */
export const ADDRESS_RATE: Rate = { perMinute: 600, burst: 300 };

/**
 * For one signed link from one address, with or without a credential. Browsers and download managers ask for up to 16 ranges of a file at
 * once; each request reads a file, or unpacks it up to where its range ends.
 */
export const LINK_RATE: Rate = { perMinute: 120, burst: 60 };

/** Minimum for staff, whatever their own company subscribes to: the initial rate of the enterprise tier. */
export const STAFF_RATE: Rate = { perMinute: 12_000, burst: 4000 };

export const atLeastOfStaff = ({ perMinute, burst }: Rate): Rate => ({
  perMinute: Math.max(perMinute, STAFF_RATE.perMinute),
  burst: Math.max(burst, STAFF_RATE.burst),
});

export const MINUTE_MS = 60_000;

const NUMBER = String.raw`([1-9]\d{0,5}|1000000)`;
/** Format in settings: requests per minute, a slash, the burst. */
export const RATE_SETTING = new RegExp(`^${NUMBER}/${NUMBER}$`);

export function rateOf(setting: string): Rate {
  const [perMinute, burst] = setting.split('/').map(Number);
  if (perMinute === undefined || burst === undefined) throw new Error(`${setting} is not a rate`);
  return { perMinute, burst };
}
