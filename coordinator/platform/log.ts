import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** Field names that can hold a credential; their values are redacted in the log even if the caller forgets to. */
const SECRETS = new Set([
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'app_token',
  'secret',
]);

/** Levels of nesting searched; our log fields are flat. */
const MAX_DEPTH = 4;

/** The one logger: JSON lines on stderr, so that stdout carries only the output of the command. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime(),
      // Instead of pino's own redaction, which takes 48 us a line with these names, versus 4 us without.
      formatters: { log: (fields) => blanked(fields, MAX_DEPTH) },
    },
    destination,
  );
}

/** Text before the time in a log line. */
const FIELD = ',"time":';

/** Pino's clock as ISO 8601; the date is formatted once a second, as a busy process writes thousands of lines a second. */
function isoTime(): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const now = Number(pino.stdTimeFunctions.epochTime().slice(FIELD.length));
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      text = `${FIELD}"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${text}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
  };
}

/** The same object if nothing is to be redacted, which is nearly always the case; otherwise a copy. */
function blanked(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const shown = SECRETS.has(name) && value !== undefined ? '[redacted]' : shownValue(value, depth);
    if (shown === value) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

function shownValue(value: unknown, depth: number): unknown {
  if (!isPlain(value)) return value;
  return depth > 1 ? blanked(value, depth - 1) : '[deeper than is logged]';
}

/** Errors and other classes keep their serialisers. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
