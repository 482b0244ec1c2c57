import type { Config } from '../platform/config.ts';
import type { KeyPurpose } from './queries.ts';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 24 * 3600;

/** Seconds; `expires_in` of a login. Short, since `POST /api/user/refresh` renews it. */
export const LOGIN_SECONDS = 3600;

/** A session ends after so many days without renewal, and in any case so many days after the sign-in. */
export const SESSION_DAYS = { unused: 30, most: 90 } as const;

/** Seconds after its expiry in which a job token can still deliver what was measured in time. */
export const LATE_GRACE_SECONDS = 7 * DAY_SECONDS;

/** How long a retired key must still verify: as long as the last token it signed may live. */
export const keyLifetimeMs = (purpose: KeyPurpose, config: Config): number =>
  purpose === 'login'
    ? SESSION_DAYS.unused * DAY_SECONDS * 1000
    : config.jobTokenHours * HOUR_MS + LATE_GRACE_SECONDS * 1000;
