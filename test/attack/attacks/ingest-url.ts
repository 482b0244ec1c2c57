import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { zipOf } from '../../support/zip-of.ts';
import type { Attack, Finding } from '../attack.ts';
import { coordinatorCommand } from '../coordinator-command.ts';
import type { Site } from '../site.ts';

const SECRET = 'AKIA-SECRET-OF-THE-INSIDE';
/** Lines that are empty are skipped by every table. */
const header = 'date,provider,gpu_model,gpu_count,usd_per_gpu_hour,pricing\n';
const row = '2026-08-02,Lambda,H100 SXM,8,2,on_demand\n';
const ZEROS = 64 * 1024 ** 2;
/** Unpacked by the full form, if nothing stops it. */
const BOMB_MIB = 8192;

/** Brings the coordinator's own command to read from where only its machine may, or to unpack a bomb. */
export const attack: Attack = {
  title: 'reach the inside of the network through ingestion by URL, read its answers in errors, or unpack a bomb',
  run: async (site) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      return [
        ...(await insideAddresses(site, port, requests)),
        await redirections(site, port, requests),
        await secretInErrors(site, port),
        ...(await bombs(site, port)),
      ];
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.replace(/\?.*$/, '') ?? '';
  if (path === '/loop') return void response.writeHead(302, { location: '/loop', 'x-secret': SECRET }).end(SECRET);
  if (path === '/secret') return void response.end(`${SECRET},b\n1,2\n`);
  if (path === '/bomb.gz') return bomb(response);
  if (path === '/bomb.zip') return void response.end(zipOf({ 'a.csv': header + '\n'.repeat(ZEROS) }));
  if (path === '/many.zip')
    return void response.end(
      zipOf(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`${at}.csv`, `${header}${row}`]))),
    );
  if (path === '/nested.gz') return void response.end(gzipSync(gzipSync(Buffer.alloc(ZEROS))));
  response.writeHead(404).end(SECRET);
}

function bomb(response: ServerResponse): void {
  const gzip = createGzip();
  gzip.pipe(response);
  const nothing = Buffer.alloc(1024 ** 2, '\n');
  gzip.write(header);
  let sent = 0;
  const more = (): void => {
    while (!response.destroyed && (sent += 1) <= BOMB_MIB)
      if (!gzip.write(nothing)) return void gzip.once('drain', more);
    gzip.end();
  };
  more();
}

async function insideAddresses(site: Site, port: number, requests: string[]): Promise<Finding[]> {
  const all = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '0.0.0.0', '169.254.169.254'];
  const hosts = site.short ? all.slice(0, 3) : all;
  return Promise.all(
    hosts.map(async (host): Promise<Finding> => {
      const url = `http://user:${SECRET}@${host}:${port}/secret?key=${SECRET}`;
      const { code, output } = await coordinatorCommand(site, 'ingest', 'observations', url);
      const reached = requests.some((request) => request.includes('key='));
      return {
        tried: `ingest observations http://${host}:…/secret`,
        answer: `exit code ${code}, ${reached ? 'asked there' : 'not asked there'}: ${shown(output)}`,
        held: code === 1 && !reached && output.includes('not public') && !output.includes(SECRET),
      };
    }),
  );
}

async function redirections(site: Site, port: number, requests: string[]): Promise<Finding> {
  const before = requests.length;
  const { code, output } = await fromHere(site, `http://127.0.0.1:${port}/loop`);
  const asked = requests.length - before;
  return {
    tried: 'a redirection to itself without end, where private addresses are allowed',
    answer: `exit code ${code} after ${asked} requests`,
    held: code === 1 && asked <= 6 && !output.includes(SECRET),
  };
}

async function secretInErrors(site: Site, port: number): Promise<Finding> {
  const { code, output } = await fromHere(site, `http://127.0.0.1:${port}/secret`);
  return {
    tried: 'an answer that is not a table, for its content in the error',
    answer: `exit code ${code}: ${shown(output)}`,
    held: code === 1 && !output.includes(SECRET),
  };
}

async function bombs(site: Site, port: number): Promise<Finding[]> {
  const files = ['bomb.gz', 'bomb.zip', 'many.zip', 'nested.gz'];
  const findings: Finding[] = [];
  for (const file of site.short ? files.slice(0, 1) : files) {
    const { code, output } = await fromHere(site, `http://127.0.0.1:${port}/${file}`);
    const sentence =
      file === 'nested.gz' ? /UTF-8|not of this format|times its size/ : /times its size|more than 1000 files/;
    findings.push({
      tried: file,
      answer: `exit code ${code}: ${shown(output)}`,
      held: code === 1 && sentence.test(output),
    });
  }
  return findings;
}

const fromHere = (site: Site, url: string) =>
  coordinatorCommand(site, 'ingest', 'observations', '--allow-private-addresses', url);

const shown = (output: string): string => (output.trim().split('\n').at(-1) ?? '').slice(-160);
