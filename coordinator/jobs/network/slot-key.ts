import { createHmac } from 'node:crypto';

/** Key of one slot or dial, for its two ends only: 32 bytes as hex. Never logged, never stored. */
export const slotKey = (secret: Buffer, id: string): string => createHmac('sha256', secret).update(id).digest('hex');

export const dialId = (from: number, to: number): string => `p.${from}.${to}`;
export const slotId = ({ link, attempt }: { link: number; attempt: number }): string => `${link}.${attempt}`;

/** Null where the text is no id of that kind. */
export function parseDialId(id: string): { from: number; to: number } | null {
  const match = /^p\.(\d{1,3})\.(\d{1,3})$/.exec(id);
  return match ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

export function parseSlotId(id: string): { link: number; attempt: number } | null {
  const match = /^(\d{1,5})\.(\d{1,3})$/.exec(id);
  return match ? { link: Number(match[1]), attempt: Number(match[2]) } : null;
}
