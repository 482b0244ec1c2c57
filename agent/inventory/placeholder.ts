/** Placeholders that vendors, their tools and test benches leave where an id of the machine belongs. */

const BYTES_DISTINCT_MIN = 4;
/** Bytes, words or digits in a row that grow by one step: as a random id, less likely than one in 2^60. */
const STEADY_BYTES = 12;

/** Known ones without a rule: 12345678-1234-5678-90ab-…, and Dell's UUID of an empty service tag (blanks). */
const KNOWN_UUID = /^(12345678-|01234567-|4c4c4544-0000-2010-8020-80c04f202020$)/;

/**
 * Whether a UUID in its usual spelling identifies nothing: few distinct bytes, each group one repeated digit, or a count
 * (00 01 02 … in the byte order of the text or of SMBIOS 7.2.1, whose first three groups are little-endian; 0002 0003
 * 0004 …).
 */
export function isPlaceholderUuid(uuid: string): boolean {
  const text = uuid.toLowerCase();
  const groups = text.split('-');
  if (KNOWN_UUID.test(text) || groups.every((group) => /^(.)\1*$/.test(group))) return true;
  const stored = groups.map((group, index) => (index < 3 ? (group.match(/../g) ?? []).toReversed().join('') : group));
  return [text.replaceAll('-', ''), stored.join('')].some((hex) => isPlaceholderHex(hex));
}

/** The same for other ids in hexadecimal digits: a machine-id, a network address. */
export function isPlaceholderHex(hex: string): boolean {
  const bytes = Buffer.from(hex, 'hex');
  const words = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
  const distinct = Math.min(BYTES_DISTINCT_MIN, bytes.length / 2);
  const steady = Math.min(STEADY_BYTES, bytes.length);
  return (
    new Set(bytes).size < distinct ||
    longestSteady([...bytes], 256) >= steady ||
    (bytes.length === 16 && longestSteady(words, 65_536) >= steady / 2)
  );
}

/** Phrases, as far as letters and digits go. */
const PHRASES =
  /^(none|na|null|unknown|other|empty|invalid|undefined|default|test|sample|serial|sernum|sn|oem|assettag|no(t|ne)?(set|assettag|serial|sn)?|filledbyoem|default(string|value)|not(applicable|specified|available|provided|defined|present|filled).*|tobe(filled|defined|set).*|.*(serialnumber|serialno)|system(productname|manufacturer|version|name))$/;
/** A count of digits such as 1234567890, with a few letters before it: BSN12345678901234567 of ASUS. */
const COUNT_DIGITS_MIN = 8;
const OTHER_CHARACTERS_MAX = 4;

/** Whether the name of a vendor or a model is a placeholder, such as `System Product Name` or dots alone. */
export function isPlaceholderName(name: string): boolean {
  const plain = lettersAndDigits(name);
  return plain === '' || PHRASES.test(plain);
}

/** Whether a serial is: also one that is too short, one repeated character, or a count. */
export function isPlaceholderSerial(text: string): boolean {
  const plain = lettersAndDigits(text);
  if (plain.length < 3 || new Set(plain).size < 2 || PHRASES.test(plain)) return true;
  const digits = Array.from(plain, (character) => (/\d/.test(character) ? Number(character) : Number.NaN));
  const count = longestSteady(digits, 10, [1, 9]);
  if (count >= Math.min(COUNT_DIGITS_MIN, plain.length) && plain.length - count <= OTHER_CHARACTERS_MAX) return true;
  return (
    longestSteady(
      Array.from(plain, (character) => character.charCodeAt(0)),
      256,
      [1, 255],
    ) >= plain.length
  );
}

const lettersAndDigits = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * How many neighbours in the longest part differ by one and the same step, modulo `modulus`.
 * @param steps those that count; default: all but 0
 */
function longestSteady(values: readonly number[], modulus: number, steps: readonly number[] | null = null): number {
  let [longest, length, before] = [0, 1, Number.NaN];
  for (const [index, value] of values.entries()) {
    const step = (value - (values[index - 1] ?? Number.NaN) + modulus) % modulus;
    const counts = steps === null ? step > 0 : steps.includes(step);
    length = !counts ? 1 : step === before ? length + 1 : 2;
    before = step;
    longest = Math.max(longest, length);
  }
  return longest;
}
