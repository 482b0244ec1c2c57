/**
 * Long options that people may also write with one dash, as other agents of this kind take them. commander refuses to
 * define a multi-letter short flag and would read `-api-key` as `-a -p -i …`, so argv is rewritten before it parses.
 */
const SINGLE_DASH_NAMES = new Set(['api-key', 'api-key-file', 'setup', 'coordinator', 'device', 'version', 'help']);

/** `-api-key X` and `-api-key=X` become `--api-key …`; nothing after `--` is touched. */
export function normaliseArgv(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const rest = end === -1 ? [] : argv.slice(end);
  return [...options.map(withTwoDashes), ...rest];
}

function withTwoDashes(argument: string): string {
  const match = /^-([a-z][a-z-]+)(=.*)?$/s.exec(argument);
  return match?.[1] !== undefined && SINGLE_DASH_NAMES.has(match[1]) ? `-${argument}` : argument;
}
