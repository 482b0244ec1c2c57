import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AGENT_NAME, agentPlatforms, type AgentPlatform } from '../../contract/agent-download.ts';
import { Cache, loadOnce } from '../cache.ts';
import type { Config } from '../config.ts';

/** The file as it is on disk now. The caller closes it. */
interface OpenAgent {
  file: FileHandle;
  sizeBytes: number;
  sha256: string;
}

/** Bytes of one read. A download holds one piece, and as much again in its socket. */
export const PIECE = 64 * 1024;
/** Several times the size of any agent. */
const MOST_BYTES = 1024 * 1024 * 1024;

const versioned = z.object({ version: z.string() });
const { version: OWN_VERSION } = versioned.parse(
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')),
);
/** Where `make agent` and `make arm64` put what they build. */
const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist');

/** Machine of the ELF header, by which a file of another processor or of another kind is not handed out. */
const MACHINES: Record<AgentPlatform, number> = { 'linux-x64': 62, 'linux-arm64': 183 };

/** Hash of a file by what changes with its content; the two agents, each before and after an upgrade. */
const hashes = new Cache<string, Promise<string>>(4);

/** The agent of this coordinator's version for a processor type, from AGENT_DIR or dist/; null if there is none. */
export async function openAgent(
  { agentDir }: Pick<Config, 'agentDir'>,
  platform: AgentPlatform,
): Promise<OpenAgent | null> {
  for (const path of placesOf(agentDir ?? BUILT, platform)) {
    const file = await open(path, 'r').catch(() => null);
    if (file === null) continue;
    try {
      const found = await checked(file, path, platform);
      if (found !== null) return found;
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
  }
  return null;
}

/** Its hash, by processor type, of those that this coordinator has. */
export async function agentHashes(config: Pick<Config, 'agentDir'>): Promise<Partial<Record<AgentPlatform, string>>> {
  const found: Partial<Record<AgentPlatform, string>> = {};
  for (const platform of agentPlatforms) {
    const agent = await openAgent(config, platform);
    await agent?.file.close();
    if (agent !== null) found[platform] = agent.sha256;
  }
  return found;
}

/** As a release names it, or as it is built: for this machine at the top, for others in a folder. */
function placesOf(folder: string, platform: AgentPlatform): string[] {
  const architecture = platform.replace('linux-', '');
  return [
    join(folder, `${AGENT_NAME}-${OWN_VERSION}-${platform}`),
    join(folder, architecture, AGENT_NAME),
    join(folder, AGENT_NAME),
  ];
}

async function checked(file: FileHandle, path: string, platform: AgentPlatform): Promise<OpenAgent | null> {
  const facts = await file.stat();
  if (!facts.isFile() || facts.size > MOST_BYTES) return null;
  const head = Buffer.alloc(20);
  await file.read(head, 0, head.length, 0);
  const isProgram = head.toString('latin1', 0, 4) === '\x7fELF' && head.readUInt16LE(18) === MACHINES[platform];
  if (!isProgram || !(await isOwnVersion(path))) return null;
  const key = `${path} ${facts.ino} ${facts.size} ${facts.mtimeMs}`;
  const sha256 = await loadOnce(hashes, key, () => hashOf(file, facts.size));
  return { file, sizeBytes: facts.size, sha256 };
}

const bill = z.object({ metadata: z.object({ component: versioned }) });

/** By the bill of materials that a build writes beside the file; without one the file's name has the version. */
async function isOwnVersion(path: string): Promise<boolean> {
  const text = await readFile(`${path}.cdx.json`, 'utf8').catch(() => null);
  if (text === null) return true;
  return bill.safeParse(JSON.parse(text)).data?.metadata.component.version === OWN_VERSION;
}

async function hashOf(file: FileHandle, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of partOfFile(file, { first: 0, last: sizeBytes - 1 })) hash.update(piece);
  return hash.digest('hex');
}

/** Throws if the file ends before the part does. */
export async function* partOfFile(
  file: FileHandle,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Buffer, void> {
  for (let at = first; at <= last;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, last + 1 - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('The agent became shorter while it was read.');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
