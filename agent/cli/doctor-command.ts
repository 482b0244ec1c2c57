import { withoutLogin } from '../client/proxies.ts';
import type { Proxies } from '../run/run-options.ts';
import { examineMachine } from '../setup/examine-machine.ts';
import { broken as brokenCheck, note, ok, type Check } from '../setup/check.ts';
import { choosePaint } from '../ui/paint.ts';
import type { Paint } from '../ui/paint.ts';
import { padEnd, printable, wrapText } from '../ui/text-width.ts';
import { ExitError, exitCodes } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { givenProxies, type ParsedFlags } from './options.ts';

const NAME_WIDTH = 18;
const TEXT_WIDTH = 80 - NAME_WIDTH - 4;
const MARKS = { ok: ['green', '✓'], note: ['dim', '-'], missing: ['yellow', '!'], broken: ['red', '✗'] } as const;

/**
 * `doctor`, and `--setup` without a token: prints every check with its remedy. Returns the exit code that a run would
 * have: 0, 5 without a device, 6 if the runner does not work.
 */
export async function doctor(host: Host, flags: ParsedFlags): Promise<number> {
  const checks = [...(await examineMachine(host, flags.device)), checkProxies(host, flags)];
  const paint = choosePaint(host.env, host.stdout);
  const broken = checks.find((check) => check.state === 'broken');
  if (flags.json === true) {
    host.stdout.write(checks.map((check) => `${JSON.stringify({ type: 'check', ...check })}\n`).join(''));
  } else {
    const end =
      broken === undefined
        ? 'Ready. Next: GPUMARK_API_KEY=TOKEN gpumark-agent, or no token for a quick test.'
        : 'Not ready: see the lines marked ✗.';
    host.stdout.write(`${checks.flatMap((check) => checkLines(check, paint)).join('\n')}\n\n${end}\n`);
  }
  return exitCodes[broken?.exit ?? 'ok'];
}

/** How calls reach the coordinator. Nothing is sent. */
function checkProxies(host: Host, flags: ParsedFlags): Check {
  let proxies: Proxies;
  try {
    proxies = givenProxies(host, flags);
  } catch (error) {
    if (error instanceof ExitError) return brokenCheck('proxy', error.message, error.remedy, error.reason);
    throw error;
  }
  const { https, http, except } = proxies;
  if (flags.proxy === false) return note('proxy', 'none: --no-proxy');
  if (https === null && http === null) return note('proxy', 'none: HTTPS_PROXY and HTTP_PROXY are not set');
  const ways = [
    https === null ? '' : `https by ${withoutLogin(https)}`,
    http === null ? 'http directly' : `http by ${withoutLogin(http)}`,
    `directly to this machine${except.trim() === '' ? '' : ` and, by NO_PROXY, to ${except}`}`,
  ];
  return ok('proxy', ways.filter((way) => way !== '').join('; '));
}

function checkLines(check: Check, paint: Paint): string[] {
  const [style, sign] = MARKS[check.state];
  const blank = ' '.repeat(NAME_WIDTH + 2);
  const found = wrapText(printable(check.found), TEXT_WIDTH);
  const remedy = check.remedy === null ? [] : wrapText(printable(`-> ${check.remedy}`), TEXT_WIDTH);
  const title = `${paint(style, sign)} ${padEnd(check.name, NAME_WIDTH)}`;
  // A card's id is longer than its column.
  const first = check.name.length < NAME_WIDTH ? [`${title}${found.shift() ?? ''}`] : [title];
  return [...first, ...[...found, ...remedy].map((line) => blank + line)];
}
