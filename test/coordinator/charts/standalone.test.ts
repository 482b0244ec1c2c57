import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chartFile, printed } from '../../../coordinator/charts/standalone.ts';
import { chartWidths } from '../../../coordinator/charts/svg-parts.ts';
import { root, filesUnder } from '../../support/source-files.ts';

const svg =
  `<svg viewBox="0 0 ${chartWidths.wide} 100" xmlns="http://www.w3.org/2000/svg" aria-hidden="true">` +
  '<path class="s2" d="M0 0L1 1"/><text class="t1" x="1" y="2" text-anchor="end">A &amp; B</text></svg>';

test('outside a page a chart has the light-scheme styles of its classes as attributes', () => {
  const file = chartFile(svg, 'H100 & others');
  assert.match(file, /<path fill="none" stroke-width="2" stroke="#d55e00" stroke-dasharray="6 3" d=/);
  assert.match(file, /<text fill="#0072b2" [^>]*font-size="12px" [^>]*stroke="#fff" [^>]*>A &amp; B<\/text>/);
  assert.match(file, /^<svg viewBox="0 0 980 132" width="980" height="132" /);
  assert.match(file, /<title>H100 &amp; others<\/title>/);
  assert.doesNotMatch(file, /class=|var\(|style=|aria-hidden/);
});

test('in the PDF text has no background that would cover it, and lines keep their dashes', () => {
  const pdf = printed(svg);
  assert.match(pdf, /<text fill="#0072b2" font-size="12px" x="1" y="2" text-anchor="end">/);
  assert.match(pdf, /<path fill="none" stroke-width="2" stroke="#d55e00" stroke-dasharray="6 3" d=/);
});

test('every class that a chart uses has a rule in the stylesheet, and a class without one is an error', () => {
  const sources = filesUnder('coordinator/charts').map((file) => readFileSync(`${root}/${file}`, 'utf8'));
  const classes = new Set(
    sources
      .flatMap((source) => [...source.matchAll(/class="(?:(\w+)"|(\w)\$\{)|'(?:start|middle|end)', '(\w+)'/g)])
      .flatMap(([, whole, numbered, ofText]) =>
        numbered === undefined ? [whole ?? ofText ?? ''] : [1, 2, 3, 4].map((number) => `${numbered}${number}`),
      ),
  );
  assert.ok(classes.size > 12, [...classes].join(' '));
  for (const name of classes)
    assert.doesNotThrow(() => printed(`<svg viewBox="0 0 9 9"><path class="${name}"/></svg>`), name);
  assert.throws(() => printed('<svg viewBox="0 0 9 9"><path class="nothing"/></svg>'), /has no rule for nothing/);
});
