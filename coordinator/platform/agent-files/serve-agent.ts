import { AGENT_NAME, agentPlatforms, HASH } from '../../contract/agent-download.ts';
import { addressKey } from '../address-blocks.ts';
import { unsatisfiable } from '../artifacts/serve-artifact.ts';
import { begun } from '../begun.ts';
import type { Context } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { hasTag, partOf, rangeOf } from '../http/field-values.ts';
import { openAgent, partOfFile } from './find-agent.ts';

interface Input {
  params: { file: string };
  headers: Partial<Record<'if-none-match' | 'range' | 'if-range', string | undefined>>;
}

/**
 * Downloads at once: each holds a file and two pieces in memory, so all of them some 64 MB. Half of a large cluster behind one
 * address is served at once; the others are told to come again, which curl's --retry does.
 */
const MOST = { all: 512, address: 128 } as const;
const RETRY_SECONDS = 10;
/** Milliseconds of a whole download, so that nobody keeps a place by reading slowly: 0.2 MB/s suffice. */
const LONGEST_MS = 15 * 60_000;

/** The agent, or one range of it, or its hash. 404 says how the operator adds it, 503 that too many read it now. */
export function agentServer(most: { all: number; address: number } = MOST, longestMs = LONGEST_MS) {
  const places = countPlaces(most);
  return async ({ config, client, note }: Context, { params, headers }: Input): Promise<Response> => {
    const name = agentPlatforms.find((one) => params.file.startsWith(one));
    if (name === undefined) throw notFound('The agent');
    const free = places.take(addressKey(client.address));
    let isHanded = false;
    const agent = await openAgent(config, name).catch((error: unknown) => {
      free();
      throw error;
    });
    const release = async (): Promise<void> => {
      free();
      await agent?.file.close();
    };
    try {
      if (agent === null) throw absent(name);
      const { file, sha256, sizeBytes } = agent;
      note({ agent: name });
      const tag = params.file.endsWith(HASH) ? `"${sha256}-hash"` : `"${sha256}"`;
      const common = { ETag: tag, 'Cache-Control': 'public, no-cache', 'X-Content-Type-Options': 'nosniff' };
      if (hasTag(headers['if-none-match'], tag)) return new Response(null, { status: 304, headers: common });
      if (params.file.endsWith(HASH))
        return new Response(`${sha256}  ${AGENT_NAME}\n`, {
          headers: { ...common, 'Content-Type': 'text/plain; charset=utf-8' },
        });
      const asked = rangeOf({ range: headers['range'], ifRange: headers['if-range'], tag });
      const part = asked === null ? { first: 0, last: sizeBytes - 1 } : partOf(asked, sizeBytes);
      if (part === null) return unsatisfiable(sizeBytes);
      const pieces = held(partOfFile(file, part), { until: performance.now() + longestMs, release });
      isHanded = true;
      return new Response(await begun(pieces), {
        status: asked === null ? 200 : 206,
        headers: {
          ...common,
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${AGENT_NAME}"`,
          'Accept-Ranges': 'bytes',
          'Content-Length': String(part.last - part.first + 1),
          ...(asked && { 'Content-Range': `bytes ${part.first}-${part.last}/${sizeBytes}` }),
        },
      });
    } finally {
      if (!isHanded) await release();
    }
  };
}

/** Gives back what the download holds, however it ends. */
async function* held(
  pieces: AsyncGenerator<Buffer, void>,
  { until, release }: { until: number; release: () => Promise<void> },
): AsyncGenerator<Buffer, void> {
  try {
    for await (const piece of pieces) {
      if (performance.now() > until) throw new Error('The download of the agent took too long.');
      yield piece;
    }
  } finally {
    await release();
  }
}

/** Counts who reads now; `take` throws `unavailable` where there is no place, and returns what gives it back. */
function countPlaces(most: { all: number; address: number }) {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (key: string): (() => void) => {
      const own = taken.get(key) ?? 0;
      if (all >= most.all || own >= most.address)
        throw new DomainError('unavailable', 'Too many downloads of the agent at once. Try again.', {
          retryAfterSeconds: RETRY_SECONDS,
        });
      all += 1;
      taken.set(key, own + 1);
      return () => {
        all -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}

const absent = (name: string): DomainError =>
  new DomainError(
    'not_found',
    `This coordinator has no agent for ${name}. Its operator runs \`make ${name === 'linux-arm64' ? 'arm64' : 'agent'}\`, or puts the file of a release into AGENT_DIR.`,
  );
