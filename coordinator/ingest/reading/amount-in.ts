/** How sources write that there is none. */
const none = new Set(['', '-', '–', '—', 'N/A', 'n/a', 'NA', 'nan', 'NaN', 'None', 'null']);
const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A number as it stands in a cell or JSON field: `40.97`, `$2,918`, `1e-05`, 3. Null where the source says that there is
 * none (empty, a dash); NaN where it is something else, `1,5` of a decimal comma too.
 */
export function amountIn(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  // Nearly every cell is empty, one digit or a plain number.
  if (value === '') return null;
  if (value.length === 1 && value >= '0' && value <= '9') return Number(value);
  if (plain.test(value)) return Number(value);
  const text = value.trim();
  if (none.has(text)) return null;
  const bare = text.startsWith('$') ? text.slice(1).trimStart() : text.replace(/^-\s*\$\s*/, '-');
  if (plain.test(bare)) return Number(bare);
  return grouped.test(bare) ? Number(bare.replaceAll(',', '')) : NaN;
}
