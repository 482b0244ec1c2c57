import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  renderDetail,
  renderEnvelope,
  type Failure,
  type FailureKind,
  type Rendered,
  renderError,
} from '../../../../coordinator/platform/http/dialects.ts';
import { goldenJson, matchesGolden } from '../../../support/golden.ts';

const messages: Record<FailureKind, string> = {
  validation: 'name: must be at most 60 characters',
  unauthenticated: 'The job token has expired.',
  forbidden: 'The job belongs to another customer.',
  not_found: 'Job not found',
  method_not_allowed: '/api/user/login takes OPTIONS, POST, not PUT.',
  conflict: 'A job with the name night run exists.',
  state: 'A running job cannot be deleted.',
  too_large: 'body: must be at most 1048576 bytes; send less, or in several requests',
  too_slow: 'body: arrives more slowly than 1024 bytes per second; send it again, faster',
  unsupported: 'Content-Encoding: bodies are read as they are; send this one without a coding',
  rate_limited: 'Too many sign-ins that failed. Try again in 900 seconds.',
  unavailable: 'The database does not answer.',
  business: 'No data is available for the selected region.',
  internal: 'Internal error. Quote the request id 4bf92f3577b34da6a3ce929d0e0e4736 when you report it.',
};
const field = { path: ['body', 'name'], message: 'must be at most 60 characters', type: 'custom' };
const failure = (kind: FailureKind, code?: string | number): Failure => ({
  kind,
  message: messages[kind],
  code,
  fields: kind === 'validation' ? [field] : [],
  path: '/api/some/path',
  timestamp: 1_790_000_000,
});
const isKind = (name: string): name is FailureKind => name in messages;
const everyKind = Object.keys(messages).filter(isKind);

const dialects: [name: string, render: (failure: Failure) => Rendered, codes: [FailureKind, string | number][]][] = [
  ['error', renderError, [['conflict', 'STALE_EPOCH']]],
  ['detail', renderDetail, []],
  [
    'envelope',
    renderEnvelope,
    [
      ['business', 34003],
      ['business', -1],
      ['validation', 10008],
      ['forbidden', 34004],
      ['forbidden', 34001],
    ],
  ],
];

for (const [name, render, codes] of dialects) {
  test(`every failure in the ${name} dialect is the golden body`, async () => {
    const bodies: Record<string, Rendered> = {};
    for (const kind of everyKind) bodies[kind] = render(failure(kind));
    for (const [kind, code] of codes) bodies[`${kind} with code ${code}`] = render(failure(kind, code));
    await matchesGolden(`errors/${name}.json`, goldenJson(bodies));
  });
}

test('the statuses and codes of the interface stand in the tables', () => {
  const statusAndCode = (kind: FailureKind) => {
    const { status, body } = renderError(failure(kind));
    const { error } = body;
    return [status, typeof error === 'object' && error !== null && 'code' in error ? error.code : null];
  };
  assert.deepEqual(statusAndCode('validation'), [400, 'PARAMETER_INCORRECT_VALUE']);
  assert.deepEqual(statusAndCode('unauthenticated'), [401, 'CLIENT_TOKEN_INVALID']);
  assert.deepEqual(statusAndCode('forbidden'), [403, 'PERMISSION_DENIED']);
  assert.deepEqual(statusAndCode('not_found'), [404, 'RESOURCE_NOT_FOUND']);
  assert.deepEqual(statusAndCode('conflict'), [409, 'RESOURCE_ALREADY_EXISTS']);
  assert.equal(renderError(failure('state')).status, 400);
  assert.equal(renderDetail(failure('validation')).status, 422);
  assert.equal(renderEnvelope(failure('validation')).status, 422);
  assert.equal(renderEnvelope(failure('validation', 10008)).status, 400);
  assert.equal(renderEnvelope(failure('business', -1)).status, 500);
});
