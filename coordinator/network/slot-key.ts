import { createHmac } from 'node:crypto';

/** Key of one slot or dial, for its two ends only: 32 bytes as hex. Never logged, never stored. */
export const slotKey = (secret: Buffer, id: string): string => createHmac('sha256', secret).update(id).digest('hex');

/** A key is valid once, so a repeated dial has its own id. */
export const dialId = (from: number, to: number, turn: 1 | 2): string => `${turn === 1 ? 'p' : 'p2'}.${from}.${to}`;
export const slotId = ({ link, attempt, repeated }: NamedSlot): string => `${link}.${attempt}${repeated ? 'r' : ''}`;

interface NamedSlot {
  link: number;
  attempt: number;
  repeated: boolean;
}

/** Null if the text is not an id of that kind. */
export function parseDialId(id: string): { from: number; to: number; turn: 1 | 2 } | null {
  const match = /^p(2?)\.(\d{1,3})\.(\d{1,3})$/.exec(id);
  return match ? { from: Number(match[2]), to: Number(match[3]), turn: match[1] === '' ? 1 : 2 } : null;
}

export function parseSlotId(id: string): NamedSlot | null {
  const match = /^(\d{1,5})\.(\d{1,3})(r?)$/.exec(id);
  return match ? { link: Number(match[1]), attempt: Number(match[2]), repeated: match[3] === 'r' } : null;
}
