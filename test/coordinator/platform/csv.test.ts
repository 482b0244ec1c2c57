import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { csvTextOf } from '../../../coordinator/platform/archive/csv-text.ts';
import { csvRecord, csvText, excelRecord, textOfCell } from '../../../coordinator/platform/csv.ts';
import { testApp } from '../../support/app.ts';

const starts = '= + - @ | % ＝ ＋ － ＠ ％ ｜ ﹦ ﹢ ﹣ ﹫ ﹪ −'.split(' ');
const before = [
  '',
  ' ',
  '  ',
  "'",
  '"',
  '""',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\u0001',
  '\u0085',
  '\u00a0',
  '\u200b',
  '\u3000',
];
const more = ['\ufeff', '\u2028', '\' "', '“', '’', '＂', ';', 'x;', 'x; ', 'x;;"', 'a,', '`'];
const formulas = starts.flatMap((start) => [...before, ...more].map((lead) => `${lead}${start}cmd|' /C calc'!A0`));
const harmless = [
  '',
  'NVIDIA H100 SXM 80GB',
  'eu-west-1',
  'a=b',
  'x, -1',
  "O'Neill",
  '5%',
  '–',
  'Zürich',
  '日本',
  '😀=1',
];
const breaks = ['a\nb', 'a\r\nb', '\n', 'a\u2029b', 'a\u001b[31mb', 'tab\tinside', 'c1\u009bm'];
const hostile = [...formulas, ...breaks, ...starts, "''=1", "'", '; =', ';'.repeat(5) + '-'];

/** What a spreadsheet takes for a formula, said in another way than the rule: the first letter of a cell that shows. */
function runs(cell: string): boolean {
  return cell.split(';').some((part) => {
    const shown = part.normalize('NFKC').replace(/^[\s\u200b-\u200f\u2060"“”]+/u, '');
    return /^[=+\-@|%−]/u.test(shown);
  });
}

suite('text in CSV files', () => {
  test('no text begins a formula in a cell, or behind a semicolon, and none breaks a line', () => {
    for (const start of starts) assert.ok(runs(`${start}1`) && runs(`x; "${start}1`));
    for (const text of hostile) {
      const cell = csvText(text);
      assert.equal(runs(cell), false, JSON.stringify(cell));
      assert.doesNotMatch(cell, /[\p{Cc}\u2028\u2029]/u);
    }
  });

  test('harmless text stays as it is, and numbers keep their sign', () => {
    for (const text of harmless) assert.equal(csvText(text), text);
    assert.equal(csvRecord([-1, '-1', null, true, 'a"b', 'a,b', 1e-7]), `-1,'-1,,true,"a""b","a,b",1e-7`);
  });

  test('for a spreadsheet, text that it would take for a number is a constant with exactly that text', () => {
    // Each is another text once it was a number, which has 15 digits and no zero before them.
    const changed = ['1847032911563124737', '9007199254740993', '0123', '00', '12e5', '7E9', '1'.repeat(40)];
    for (const text of changed) {
      assert.notEqual(Number(text).toString(), text);
      assert.equal(excelRecord([text]), `"=""${text}"""`);
    }
    const same = ['18', '123456789012345', '2026-08-21', 'gma_123', '1.5', 'e5', 'a0123', '0123 '];
    assert.equal(excelRecord([...same, 0.1, null]), csvRecord([...same, 0.1, null]));
    for (const text of [...hostile, ...harmless]) assert.equal(excelRecord([text]), csvRecord([text]), text);
  });

  test('a cell gives back the text that it was written from, apostrophes of its own too', () => {
    for (const text of [...formulas, ...harmless, "''=1", "'x", "'=", "x;'=1"]) {
      const clean = text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
      assert.equal(textOfCell(csvText(clean)), clean);
    }
  });

  test('Postgres writes the same cells as we do', async (t) => {
    const { platform } = await testApp(t);
    const texts = [...hostile, ...harmless].filter((text) => !text.includes('\0'));
    const rows = await platform.sql.unsafe<{ cell: string }[]>(
      `select ${csvTextOf('t')} as cell from unnest($1::text[]) with ordinality as u (t, n) order by n`,
      [texts],
    );
    assert.deepEqual(
      rows.map(({ cell }) => cell),
      texts.map(csvText),
    );
  });
});
