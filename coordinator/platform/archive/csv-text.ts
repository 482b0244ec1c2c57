import { csvRule } from '../csv.ts';

/**
 * SQL: the text of a column by the rule of `platform/csv.ts`, what `csvText` makes of it here. One look tells of nearly
 * every text that nothing is to be done.
 */
export const csvTextOf = (column: string): string => `case
  when ${column} ~ ${literal(csvRule.suspect)} then
    regexp_replace(
      regexp_replace(${column}, ${literal(csvRule.control)}, ' ', 'g'), ${literal(csvRule.formula)}, '\\1''', 'g')
  else ${column} end`;

const literal = (pattern: string): string => `'${pattern.replaceAll("'", "''")}'`;
