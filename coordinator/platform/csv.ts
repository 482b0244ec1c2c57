/**
 * Every CSV that leaves the coordinator is written by this rule (OWASP, CSV injection). Text holds no control characters
 * and no line ends: each is a space. Where a spreadsheet would begin a formula, behind blanks and quotes too, an apostrophe
 * goes before them; also behind a semicolon, at which programs take lines apart if the decimal point is a comma. Numbers
 * are not text and keep their sign.
 *
 * Rows of archives come straight out of COPY, so the rule is written in what the regular expressions of JavaScript and of
 * Postgres have in common: `csv.test.ts` proves that both do the same.
 */
const controls = '\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029';
const leads = ' \\u00a0\\u1680\\u2000-\\u200f\\u202f\\u205f\\u2060\\u3000\\ufeff\'"`\\u2018-\\u201f\\uff02\\uff07';
/** The full-width and small forms become the plain ones in East Asian spreadsheets. */
const starts = '=+@|%\\u2212\\ufe62-\\ufe63\\ufe66\\ufe6a-\\ufe6b\\uff05\\uff0b\\uff0d\\uff1d\\uff20\\uff5c-';
export const csvRule = {
  control: `[${controls}]`,
  formula: `(^|;)(?=[${leads}]*[${starts}])`,
  /** Every text that the two above change, and few others: looking ahead costs Postgres twice the rest of a row. */
  suspect: `[;${controls}]|^[${leads}${starts}]`,
} as const;

// Postgres has no text with NUL in it, and its patterns may not name it.
const control = new RegExp(`${csvRule.control}|\\0`, 'gu');
const formula = new RegExp(csvRule.formula, 'gu');
/** An apostrophe of ours. Every text that has one has been through the rule, since apostrophes count among the quotes. */
const marked = new RegExp(csvRule.formula.replace('(?=', "'(?="), 'gu');
const suspect = new RegExp(`${csvRule.suspect}|\\0`, 'u');
const special = /[",\r\n]/;

/** One record of RFC 4180 without its line end; null is an empty field. */
export const csvRecord = (values: readonly (string | number | boolean | null)[]): string => values.map(field).join(',');

/** Text as it stands in a cell, before quotes. */
export const csvText = (text: string): string =>
  suspect.test(text) ? text.replace(control, ' ').replace(formula, "$1'") : text;

/** The text that a cell was written from, if it had no control characters: what is exported can be imported again. */
export const textOfCell = (cell: string): string => cell.replace(marked, '$1');

/** Whether the rule would change more of a text than an import undoes. */
export const hasControl = (text: string): boolean => text.search(control) >= 0;

function field(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = csvText(value);
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
