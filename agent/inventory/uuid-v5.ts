import { createHash } from 'node:crypto';

/** Name-based UUID (RFC 9562, version 5) of a text in a namespace given as a UUID. */
export function uuidV5(namespace: string, name: string): string {
  const seed = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const digest = createHash('sha1').update(seed).update(name, 'utf8').digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
