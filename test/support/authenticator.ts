import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a key as a person types it into an app. */
export function keyOf(base32: string): Buffer {
  const bits = Array.from(base32, (digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows at that time; `steps` of 30 s later or earlier. */
export function appCode(base32: string, now: Date, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(now.getTime() / 30_000) + steps, 4);
  const mac = createHmac('sha1', keyOf(base32)).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
