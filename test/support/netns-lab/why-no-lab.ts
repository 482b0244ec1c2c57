import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { installPackages } from '../debian-packages.ts';
import { once } from './once.ts';

const CAP_NET_ADMIN = 1n << 12n;
const CAP_SYS_ADMIN = 1n << 21n;
/** programs, how to check that they run, and their Debian packages */
const programs = [
  { name: 'ip', ask: ['-Version'], debian: 'iproute2' },
  { name: 'tc', ask: ['-Version'], debian: 'iproute2' },
  { name: 'nft', ask: ['--version'], debian: 'nftables' },
  { name: 'setpriv', ask: ['--version'], debian: 'util-linux' },
  { name: 'flock', ask: ['--version'], debian: 'util-linux' },
  { name: 'g++', ask: ['--version'], debian: 'g++' },
] as const;

/**
 * Null if labs can be created here, else the reason for skipping. As root, missing programs are installed with apt-get, once
 * per process. GPUMARK_NETNS_LAB=required turns the skip into a failure (see README).
 */
export const whyNoLab = once(async (): Promise<string | null> => {
  const reason = await findReason();
  if (reason !== null && process.env['GPUMARK_NETNS_LAB'] === 'required') throw new Error(reason);
  return reason;
});

async function findReason(): Promise<string | null> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  if ((effective & CAP_NET_ADMIN) === 0n || (effective & CAP_SYS_ADMIN) === 0n) {
    return 'no network namespaces here: the lab needs root (CAP_NET_ADMIN and CAP_SYS_ADMIN)';
  }
  let missing = await missingPrograms();
  if (missing.length > 0 && process.getuid?.() === 0) {
    await installPackages([...new Set(missing.map(({ debian }) => debian))]);
    missing = await missingPrograms();
  }
  if (missing.length > 0) return `the lab needs ${missing.map(({ name, debian }) => `${name} (${debian})`).join(', ')}`;
  return kernelLacks();
}

async function missingPrograms(): Promise<(typeof programs)[number][]> {
  const found = await Promise.all(
    programs.map(({ name, ask }) => execa(name, ask, { reject: false }).then(({ exitCode }) => exitCode === 0)),
  );
  return programs.filter((_, index) => found[index] !== true);
}

/** Creates and deletes a namespace: in a container the capabilities may be listed without being effective. */
async function kernelLacks(): Promise<string | null> {
  const name = `gmtry-${process.pid}`;
  const made = await execa('ip', ['netns', 'add', name], { reject: false });
  if (made.exitCode !== 0) return `network namespaces cannot be created here: ${made.stderr}`;
  const shaped = await execa('tc', ['-n', name, 'qdisc', 'add', 'dev', 'lo', 'root', ...TRIAL_SHAPER], {
    reject: false,
  });
  await execa('ip', ['netns', 'delete', name]);
  return shaped.exitCode === 0 ? null : `this kernel cannot shape traffic (tbf): ${shaped.stderr}`;
}

const TRIAL_SHAPER = ['tbf', 'rate', '1mbit', 'burst', '5k', 'limit', '50k'];
