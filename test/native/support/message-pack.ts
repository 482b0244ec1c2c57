export type MessagePackValue = null | boolean | number | string | MessagePackValue[] | Map<string, MessagePackValue>;

/** The part of MessagePack (spec.md of msgpack) that the notes of AMD code objects use; throws on the rest. */
export function readMessagePack(data: Buffer): MessagePackValue {
  let at = 0;
  const take = (bytes: number): number => {
    const value = data.readUIntBE(at, bytes);
    at += bytes;
    return value;
  };
  const text = (length: number): string => data.toString('utf8', at, (at += length));
  const list = (length: number): MessagePackValue[] => Array.from({ length }, next);
  const key = (): string => {
    const value = next();
    if (typeof value !== 'string') throw new Error(`the key at ${at} is not text`);
    return value;
  };
  const map = (length: number): Map<string, MessagePackValue> =>
    new Map(Array.from({ length }, () => [key(), next()] as const));

  function next(): MessagePackValue {
    const tag = take(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return map(tag & 15);
    if (tag < 0xa0) return list(tag & 15);
    if (tag < 0xc0) return text(tag & 31);
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return tag === 0xc3;
      case 0xcc:
        return take(1);
      case 0xcd:
        return take(2);
      case 0xce:
        return take(4);
      case 0xd9:
        return text(take(1));
      case 0xda:
        return text(take(2));
      case 0xdc:
        return list(take(2));
      case 0xde:
        return map(take(2));
      default:
        throw new Error(`MessagePack tag 0x${tag.toString(16)} at ${at - 1}`);
    }
  }
  return next();
}
