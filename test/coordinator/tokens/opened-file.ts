import assert from 'node:assert/strict';
import type { TokenApp } from './token-app.ts';

/** Lines of a file, fetched by its signed URL without a credential. */
export async function openedFile(tokens: TokenApp, id: string | undefined): Promise<string[]> {
  const { csv_download_url } = await tokens.post<{ csv_download_url: string }>('download', { id });
  const { pathname, search } = new URL(csv_download_url);
  const answer = await tokens.app.request(`${pathname}${search}`);
  assert.equal(answer.status, 200);
  return (await answer.text()).trimEnd().split('\n');
}
