/**
 * Escaping rule of every CSV that leaves the coordinator (OWASP, CSV injection). Each control character and line end becomes
 * a space. Where a spreadsheet would start a formula, an apostrophe is inserted, before any leading blanks and quotes; also
 * after a semicolon, at which programs split lines where the decimal separator is a comma. Numbers are not text and keep
 * their sign.
 *
 * Rows of archives come straight from COPY, so the rule uses only what the regular expressions of JavaScript and Postgres
 * have in common: `csv.test.ts` proves that both do the same.
 */
const controls = '\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029';
const leads = ' \\u00a0\\u1680\\u2000-\\u200f\\u202f\\u205f\\u2060\\u3000\\ufeff\'"`\\u2018-\\u201f\\uff02\\uff07';
/** East Asian spreadsheets convert the full-width and small forms to the plain ones. */
const starts = '=+@|%\\u2212\\ufe62-\\ufe63\\ufe66\\ufe6a-\\ufe6b\\uff05\\uff0b\\uff0d\\uff1d\\uff20\\uff5c-';
export const csvRule = {
  control: `[${controls}]`,
  formula: `(^|;)(?=[${leads}]*[${starts}])`,
  /** Matches every text that the two above change, and few others: in Postgres the lookahead costs twice the rest of a row. */
  suspect: `[;${controls}]|^[${leads}${starts}]`,
} as const;

// Postgres allows NUL neither in text nor in patterns.
const control = new RegExp(`${csvRule.control}|\\0`, 'gu');
const formula = new RegExp(csvRule.formula, 'gu');
/** An apostrophe inserted by the rule. Unambiguous, since the rule inserts another before an apostrophe of the text itself. */
const marked = new RegExp(csvRule.formula.replace('(?=', "'(?="), 'gu');
const suspect = new RegExp(`${csvRule.suspect}|\\0`, 'u');
const special = /[",\r\n]/;

type Value = string | number | boolean | null;

/** One record of RFC 4180 without its line end; null is an empty field. */
export const csvRecord = (values: readonly Value[]): string => values.map(field).join(',');

/**
 * For people who open the file in a spreadsheet (`?for=excel`), which takes bytes without this mark for its own code page, and
 * text that looks like a number for a number: an id of 19 digits is rounded at the 15th, 0123 loses its zero, 12e5 becomes
 * 1200000. Such text is written as the constant `="0123"`, which Excel, LibreOffice and Google Sheets show as text. Programs
 * take the plain file.
 */
export const EXCEL_MARK = '\ufeff';
export const excelRecord = (values: readonly Value[]): string =>
  values
    .map((value) => (typeof value === 'string' && looksNumeric.test(value) ? `"=""${value}"""` : field(value)))
    .join(',');

/** Digits alone, so that the constant can be no other formula. */
const looksNumeric = /^(?:\d{16,}|0\d+|\d+e\d+)$/i;

/** Text as written to a cell, before quoting. */
export const csvText = (text: string): string =>
  suspect.test(text) ? text.replace(control, ' ').replace(formula, "$1'") : text;

/** Inverse of `csvText` for text without control characters, so that exported files can be imported again. */
export const textOfCell = (cell: string): string => cell.replace(marked, '$1');

/** Whether the rule would change a text in a way that an import cannot undo. */
export const hasControl = (text: string): boolean => text.search(control) >= 0;

function field(value: Value): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = csvText(value);
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
