import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProviderMatcher } from '../../../../coordinator/market/identity/match-provider.ts';
import { providers } from './table-rows.ts';

const match = createProviderMatcher(providers);
const slugOf = new Map(providers.map(({ provider_id, slug }) => [provider_id, slug]));
const meant = (said: string): string | null => slugOf.get(match(said) ?? 0) ?? null;

test('every slug, name and alias of the table means its own provider and no other', () => {
  assert.ok(providers.length > 100, 'the table was read');
  for (const { slug, name, aliases } of providers)
    for (const said of [slug, name, ...aliases]) assert.equal(meant(said), slug, said);
});

test('only letters and digits count, in any case', () => {
  for (const said of ['Vast.ai', 'vast-ai', 'VAST AI', ' vastai ']) assert.equal(meant(said), 'vastai', said);
  for (const said of ['RunPod.io', 'RunPod', 'runpod']) assert.equal(meant(said), 'runpod', said);
  for (const said of ['data-crunch', 'DataCrunch', 'Verda']) assert.equal(meant(said), 'verda', said);
  assert.equal(meant('massed_compute'), 'massedcompute');
});

test('a short name must be the whole name', () => {
  assert.equal(meant('do'), 'digitalocean');
  assert.equal(meant('do not know'), null);
  assert.equal(meant('orion'), null, 'not Ori');
  assert.equal(meant('awsome'), null);
});

test('a name of nobody, and one without a letter or digit, is nobody’s', () => {
  for (const said of ['', ' ', '-', 'Cloud', 'Vendor', 'constructor', '__proto__'])
    assert.equal(meant(said), null, said);
});

test('a name that two providers claim is nobody’s', () => {
  const match = createProviderMatcher([
    { provider_id: 1, slug: 'one', name: 'One', aliases: ['shared', 'ONE'] },
    { provider_id: 2, slug: 'two', name: 'Two', aliases: ['Sha-red'] },
  ]);
  assert.equal(match('shared'), null);
  assert.equal(match('one'), 1, 'a provider may say its own name twice');
  assert.equal(match('two'), 2);
});
