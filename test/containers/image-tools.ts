import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execa } from 'execa';
import { readyLine } from '../e2e/coordinator-process.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { root } from '../support/source-files.ts';
import { until } from '../support/until.ts';

export const run = promisify(execFile);
/**
 * podman's words for a container as an operator's strictest policy would have it. The two limits are the most that a
 * runtime without CAP_SYS_RESOURCE may set; podman's own defaults are refused there.
 */
export const STRICT = [
  '--runtime=runc',
  'run',
  '--rm',
  '--network=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--ulimit=nofile=20000:20000',
  '--ulimit=nproc=30000:30000',
];

/** Exit code and both streams of a container, whatever it ends with. */
export async function container(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await run('podman', [...STRICT, ...args], { maxBuffer: 1 << 26 })) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? 1, stdout, stderr };
  }
}

interface RunningImage {
  url: string;
  /** its exit code, after `podman stop` too */
  stop: () => Promise<number | undefined>;
}

/** The coordinator's image as a container on a port that it chooses itself; gone at the end of the lifetime. */
export async function startCoordinatorImage(
  lifetime: Lifetime,
  image: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningImage> {
  const variables = Object.entries({ ...settings, HOST: '127.0.0.1', PORT: '0' }).map(
    ([key, value]) => `--env=${key}=${value}`,
  );
  const running = execa('podman', [...STRICT, `--name=${name}`, ...variables, image], {
    reject: false,
    stdin: 'ignore',
  });
  const stop = async (): Promise<number | undefined> => {
    await run('podman', ['stop', '--ignore', '--time=60', name]);
    return (await running).exitCode;
  };
  lifetime.after(async () => void (await stop()));
  const url = await Promise.race([readyLine(running.stdout), running.then(() => null)]);
  if (url === null) throw new Error(`the container ended before it was ready: ${(await running).stderr}`);
  await until('the coordinator in the container to be ready', async () => (await fetch(`${url}/readyz`)).ok);
  return { url, stop };
}

/** Builds images; returns the lines `DIGEST  NAME:VERSION  SIZE MB compressed`. */
export async function buildImages(
  names: readonly string[],
  out: string,
): Promise<Map<string, { digest: string; image: string; mb: number }>> {
  const { stdout } = await run(join(root, 'containers/images/build-images.sh'), [...names], {
    cwd: root,
    env: { ...process.env, IMAGES_OUT: out },
    maxBuffer: 1 << 24,
  });
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => {
        const found = /^(sha256:[0-9a-f]{64}) {2}(gpumark-(\w+):\S+) {2}([\d.]+) MB compressed$/.exec(line);
        const [, digest = '', image = '', name = '', mb = ''] = found ?? [];
        return [name, { digest, image: `localhost/${image}`, mb: Number(mb) }];
      }),
  );
}
