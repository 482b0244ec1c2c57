import type { Config } from '../platform/config.ts';
import type { KeyPurpose } from './queries.ts';

const HOUR_MS = 3_600_000;

/** Seconds; `expires_in` of a login. A working day, since the interface has no operation that renews a login. */
export const LOGIN_SECONDS = 12 * 3600;
export const REFRESH_SECONDS = 30 * 24 * 3600;

/** Seconds after its expiry in which a job token still delivers what was measured in time. */
export const LATE_GRACE_SECONDS = 7 * 24 * 3600;

/** How long a retired key must still verify: as long as the last token it signed may live. */
export const keyLifetimeMs = (purpose: KeyPurpose, config: Config): number =>
  purpose === 'login' ? REFRESH_SECONDS * 1000 : config.jobTokenHours * HOUR_MS + LATE_GRACE_SECONDS * 1000;
