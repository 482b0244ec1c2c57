import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Where a credential may stand in something logged; pino blanks them whoever forgot. */
const SECRETS = [
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'app_token',
  'secret',
];

/** The one logger: JSON lines on stderr, so that stdout stays the command's own. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}
