import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Everything comes from this origin; Scalar injects its styles at run time. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** No request leaves the origin: no web fonts, telemetry, proxy, agent or hosted client. */
const START = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
  baseServerURL: window.location.origin,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

interface Asset {
  content: Buffer;
  url: string;
  integrity: string;
}

interface Docs {
  page: () => Promise<Response>;
  /** null if there is no such asset. */
  asset: (name: string) => Promise<Response | null>;
}

/** The API page: Scalar's single file from node_modules, named by its content hash so that browsers cache it. */
export function docsPage(): Docs {
  let loading: Promise<Asset[]> | undefined;
  const assets = () => (loading ??= loadAssets());
  return {
    page: async () => htmlPage(docsHtml(await assets())),
    asset: async (name) => {
      const found = (await assets()).find((asset) => asset.url.endsWith(`/${name}`));
      if (!found) return null;
      return new Response(new Uint8Array(found.content), {
        headers: {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': 'public, max-age=31536000, immutable',
        },
      });
    },
  };
}

const htmlPage = (html: string): Response =>
  new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY } });

async function loadAssets(): Promise<Asset[]> {
  // The package exports no path to its browser build, which is next to the entry that it does export.
  const entry = import.meta.resolve('@scalar/api-reference');
  const scalar = await readFile(new URL('browser/standalone.js', entry));
  return [asset('scalar', scalar), asset('start', Buffer.from(START))];
}

function asset(name: string, content: Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const integrity = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  return { content, url: `/docs/assets/${name}-${hash}.js`, integrity };
}

const docsHtml = (assets: readonly Asset[]): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>gpumark API</title>
<link rel="icon" href="data:,">
<body><div id="app"></div>
${assets.map(({ url, integrity }) => `<script src="${url}" integrity="${integrity}"></script>`).join('\n')}
</body></html>
`;
