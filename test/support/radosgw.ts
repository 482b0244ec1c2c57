import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import type { S3Settings } from '../../coordinator/platform/artifacts/s3/s3-settings.ts';
import { whyWithout } from './debian-packages.ts';
import { reservePorts } from './reserved-ports.ts';
import type { Lifetime } from './lifetime.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Why no object store can be started here, or false. */
export const whyNoRadosgw = await whyWithout(
  ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool', 'ceph-authtool'],
  'radosgw ceph-mon ceph-osd ceph-common',
);

export interface ObjectStore {
  endpoint: string;
  /** A new, empty bucket and what reaches it. */
  bucket: (name: string) => Promise<S3Settings>;
  /** `radosgw-admin WORDS`: quotas and the like */
  admin: (...words: string[]) => Promise<string>;
}

/** Ceph's object gateway over a monitor and one store in memory, as small as it goes: a real S3. */
export async function startRadosgw(lifetime: Lifetime): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-ceph-'));
  const ports = await reservePorts(3);
  const [v2 = 0, v1 = 0, http = 0] = ports;
  const [fsid, osd] = [randomUUID(), randomUUID()];
  const addresses = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
  for (const name of ['mon', 'osd', 'rgw', 'run', 'log']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'ceph.conf'), configuration({ folder, fsid, addresses, http }));
  const env = { ...process.env, CEPH_CONF: join(folder, 'ceph.conf') };
  const ceph = async (program: string, ...words: string[]): Promise<string> =>
    (await run(program, words, { env, cwd: folder, maxBuffer: 1 << 24 })).stdout;
  lifetime.after(() => stop(folder));

  const capabilities = (daemon: string, ...words: string[]) =>
    ceph(
      'ceph-authtool',
      'keyring',
      '--gen-key',
      '-n',
      daemon,
      ...words.flatMap((word) => ['--cap', ...word.split('=')]),
    );
  await ceph('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', addresses, 'monmap');
  await ceph('ceph-authtool', '-C', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *');
  await capabilities('client.admin', 'mon=allow *', 'osd=allow *', 'mgr=allow *');
  await capabilities('osd.0', 'mon=allow profile osd', 'osd=allow *', 'mgr=allow profile osd');
  await capabilities('client.rgw.a', 'mon=allow rw', 'osd=allow rwx');
  await ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring');
  await ceph('ceph-mon', '-i', 'a');
  await ceph('ceph', 'osd', 'create');
  await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
  await ceph('ceph-osd', '-i', '0');
  await ceph('radosgw', '-n', 'client.rgw.a');
  const endpoint = `http://127.0.0.1:${http}`;
  await until('the object store to answer', async () => (await fetch(endpoint).catch(() => null)) !== null, 100);

  const keys = { accessKeyId: 'TESTKEY', secretAccessKey: randomBytes(20).toString('hex') };
  const admin = (...words: string[]) => ceph('radosgw-admin', ...words);
  await admin(
    'user',
    'create',
    '--uid=test',
    '--display-name=test',
    `--access-key=${keys.accessKeyId}`,
    `--secret-key=${keys.secretAccessKey}`,
  );
  const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1' });
  return {
    endpoint,
    admin,
    bucket: async (name) => {
      const made = await client.fetch(`${endpoint}/${name}`, { method: 'PUT' });
      if (!made.ok) throw new Error(`the bucket ${name} was not made: ${made.status} ${await made.text()}`);
      return {
        endpoint,
        bucket: name,
        prefix: 'artifacts/',
        region: 'us-east-1',
        ...keys,
        sessionToken: null,
        linksToStore: false,
      };
    },
  };
}

const configuration = ({
  folder,
  fsid,
  addresses,
  http,
}: {
  folder: string;
  fsid: string;
  addresses: string;
  http: number;
}) => `[global]
fsid = ${fsid}
mon host = ${addresses}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}/rgw
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/log/$name.log
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
osd crush chooseleaf type = 0
osd class load list = *
osd class default list = *
rgw frontends = beast endpoint=127.0.0.1:${http}
rgw bucket quota ttl = 0
rgw user quota bucket sync interval = 1
`;

/** By the numbers that the daemons wrote down, the gateway first; a monitor that is gone before its clients makes them wait. */
async function stop(folder: string): Promise<void> {
  const names = await readdir(join(folder, 'run')).catch((): string[] => []);
  const order = ['client.rgw.a.pid', 'osd.0.pid', 'mon.a.pid'];
  for (const name of order.filter((one) => names.includes(one))) {
    const pid = Number(await readFile(join(folder, 'run', name), 'utf8').catch(() => ''));
    if (!(pid > 1)) continue;
    kill(pid, 'SIGTERM');
    const gone = await until(`${name} to end`, () => !kill(pid, 0), 50, 10_000).then(
      () => true,
      () => false,
    );
    if (!gone) kill(pid, 'SIGKILL');
  }
  await rm(folder, { recursive: true, force: true });
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
