import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalised, pageKey, rulesFor } from './browser/page-key.ts';

const page = (body: string): string => `<!doctype html><html><body>${body}</body></html>`;

test('a rule belongs to the pages that have its classes and elements, and to no other', () => {
  const table = rulesFor(page('<table class="stack"><caption>c</caption><tr><td>1</td></tr></table>'));
  const plain = rulesFor(page('<p>text</p>'));
  assert.ok(table.some((rule) => rule.includes('.stack')) && table.some((rule) => rule.startsWith('caption{')));
  assert.ok(!plain.some((rule) => /\.stack|caption/.test(rule)));
  assert.ok(plain.some((rule) => rule.startsWith('body{')) && table.some((rule) => rule.startsWith('body{')));
  // `local` is given to elements by a script, and what stands in :not() and :has() may be absent.
  assert.ok(rulesFor(page('<table><tr><td>1</td></tr></table>')).some((rule) => rule.includes('td .local')));
  assert.ok(table.some((rule) => rule.includes(':not(.matrix)')));
});

test('a page of another run has the same key; another text, rule or script has not', () => {
  const one = page('<a href="/jobs/1874217192653322785?items=job%3A1874217192653322785">person12@example.com</a>');
  const again = page('<a href="/jobs/1874217192653320681?items=job%3A1874217192653320681">person7@example.com</a>');
  assert.equal(normalised(one), normalised(again));
  assert.equal(pageKey('x', one, 'scripts'), pageKey('x', again, 'scripts'));
  assert.notEqual(pageKey('x', one, 'scripts'), pageKey('x', one, 'other scripts'));
  assert.notEqual(pageKey('x', one, 'scripts'), pageKey('x', one.replace('person', 'nobody'), 'scripts'));
  assert.notEqual(pageKey('x', one, 'scripts'), pageKey('x', one.replace('<a ', '<a class="btn" '), 'scripts'));
});
