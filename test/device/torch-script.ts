import { readFileSync } from 'node:fs';
import { join } from 'node:path';

declare const GPUMARK_TORCH_PEER: string | undefined;

/** torch_peer.py: built into the bundle, beside this file otherwise. */
export function torchScript(): string {
  if (typeof GPUMARK_TORCH_PEER === 'string') return GPUMARK_TORCH_PEER;
  return readFileSync(join(import.meta.dirname, 'torch_peer.py'), 'utf8');
}
