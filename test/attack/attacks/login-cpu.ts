import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';
import { callerFrom } from '../tenant.ts';

const LOGIN = '/api/user/login';
const RESULTS = '/api/gpu-mark/v1/agent/results';
/** A little less than a MiB, with what stands around it. */
const MIB = (1 << 20) - 200;

/** Bodies that cost more to read than to send, most of them before anybody has said who they are. */
export const attack: Attack = {
  title: 'take the processor with bodies that are dear to parse and check',
  run: async (site) => {
    const made = await site.hostile.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
    const { token } = made.body as { token: string };
    const stranger = callerFrom(site.baseUrl, '127.66.4.1');
    const rounds = site.short ? 2 : 20;
    try {
      const findings: Finding[] = [];
      for (const [name, body] of Object.entries(logins()))
        findings.push(
          await repeated(`sign-in: 1 MiB ${name}`, rounds, 413, () => stranger.call('POST', LOGIN, { body })),
        );
      for (const [name, body, status] of uploads())
        findings.push(
          await repeated(name, Math.ceil(rounds / 4), status, () =>
            site.hostile.call('POST', RESULTS, { bearer: token, body }),
          ),
        );
      findings.push(await memory(site));
      return findings;
    } finally {
      await stranger.close();
    }
  },
};

const logins = (): Record<string, string> => ({
  'with one __proto__': `{"__proto__":1,"email":"a@b.c","password":"x","a":${list('{}', MIB)}}`,
  'with one integer of 16 digits': `{"n":9007199254740993,"email":"a@b.c","password":"x","a":${list('[]', MIB)}}`,
  'of nothing but numbers': list('1', MIB),
});

const uploads = (): [string, string, number][] => [
  ['results: 700,000 warnings of the wrong type', `{"warnings":${list('1', 1_400_000)}}`, 400],
  [
    'results: 60,000 devices that have nothing',
    `{"payload":{"benchmark_results":{"quick_mark":{"test_results":${list('{}', 180_000)}}}}}`,
    400,
  ],
  ['results: 8 MiB of integers of 19 digits', `{"payload":{"a":${list('1847032911563124737', 8 * MIB - 100)}}}`, 400],
  [
    'results: 8 MiB of text',
    `{"payload":{"a":[${Array.from({ length: 8 }, () => `"${'é'.repeat(500_000)}"`).join(',')}]}}`,
    400,
  ],
  ['results: 8 MiB with one __proto__', `{"__proto__":{},"payload":{"a":${list('"ab cd"', 8 * MIB - 100)}}}`, 400],
];

/** An array of one value over and over, in so many bytes. */
const list = (value: string, bytes: number): string =>
  `[${Array.from({ length: Math.floor(bytes / (value.length + 1)) }, () => value).join(',')}]`;

async function repeated(
  tried: string,
  rounds: number,
  status: number,
  send: () => Promise<{ status: number; ms: number }>,
): Promise<Finding> {
  const answers = await Promise.all(Array.from({ length: rounds }, send));
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const statuses = [...new Set(answers.map((answer) => answer.status))];
  return {
    tried: `${tried}, ${rounds} at once`,
    answer: `${statuses.join(', ')}; the slowest after ${Math.round(slowest)} ms`,
    // 503: more of them at once than one customer may have in memory.
    held: statuses.every((one) => one === status || one === 503),
  };
}

async function memory(site: Site): Promise<Finding> {
  const { status } = await site.innocent.call('GET', '/readyz');
  return { tried: 'whether it still serves', answer: `${status}`, held: status === 200 };
}
