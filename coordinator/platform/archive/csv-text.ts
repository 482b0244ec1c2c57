import { csvRule } from '../csv.ts';

/**
 * SQL that escapes a column's text by the rule of `platform/csv.ts`, as `csvText` does in JavaScript. For nearly every text
 * the first match shows that nothing needs escaping.
 */
export const csvTextOf = (column: string): string => `case
  when ${column} ~ ${literal(csvRule.suspect)} then
    regexp_replace(
      regexp_replace(${column}, ${literal(csvRule.control)}, ' ', 'g'), ${literal(csvRule.formula)}, '\\1''', 'g')
  else ${column} end`;

const literal = (pattern: string): string => `'${pattern.replaceAll("'", "''")}'`;
