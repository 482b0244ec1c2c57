import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portalPages } from '../../../coordinator/portal/pages.ts';
import { chosenPages, leftOut, pageRequests } from '../../bench/portal/page-requests.ts';

const known = {
  customerId: '1',
  prices: [{ slug: 'a-gpu', product_id: 1, price_type: 0, country: 'US' }],
  jobs: ['2'],
  tasks: ['3'],
  machines: ['a-machine'],
  big: '4',
};

test('make bench ONLY=portal requests every page of the portal with a value for each path parameter', () => {
  const pages = portalPages.filter(({ method, path }) => method === 'GET' && !leftOut.has(path));
  const requests = pageRequests(portalPages, known);
  assert.equal(requests.length, pages.length);
  for (const { name, paths } of requests) {
    assert.ok(paths.length > 0, name);
    for (const path of paths) assert.doesNotMatch(new URL(path, 'http://here').pathname, /[:{\\]|\/\//, name);
  }
});

test('PORTAL_PAGES selects pages with their files, and a path without a page is an error', () => {
  const requests = pageRequests(portalPages, known);
  assert.deepEqual(
    chosenPages(requests, '/machines /sign-in').map(({ name }) => name),
    ['/sign-in', '/machines.csv', '/machines.json', '/machines'],
  );
  assert.equal(chosenPages(requests).length, requests.length);
  assert.throws(() => chosenPages(requests, '/machine'), /no page has the path \/machine/);
});
