import assert from 'node:assert/strict';
import type { Role, Tier } from '../../../coordinator/contract/user.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { call, makeUser, signInAgain, type Answer, type Json, type TestUser } from '../../support/client.ts';

interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

/** A model on a day with what its sellers ask and its pulse, as a derivation would leave them. */
export interface SeededModel {
  day: string;
  developer: string;
  name: string;
  type?: 'open-source' | 'open-weight' | 'closed-source';
  status?: 'active' | 'deprecated';
  totalParam?: string;
  activeParam?: string;
  contextLength?: number;
  book?: {
    source: string;
    type?: 'model-lab' | 'model-platform' | 'marketplace';
    input: string;
    output: string;
    cached?: string;
  }[];
  pulse?: {
    volume?: [input: string, output: string];
    average?: [input: string, output: string];
    median?: [input: string, output: string];
    isEstimated?: boolean;
  };
}

export interface TokenApp extends TestApp {
  callers: Record<Caller, TestUser>;
  seed: (models: readonly SeededModel[]) => Promise<void>;
  /** The whole answer, as somebody of the enterprise tier unless told otherwise. */
  ask: (path: string, body?: unknown, caller?: Caller) => Promise<Answer>;
  /** `data` of an answer with 200 */
  post: <T>(path: string, body?: unknown, caller?: Caller) => Promise<T>;
  remove: (body: unknown, caller?: Caller) => Promise<Answer>;
}

export type Caller = Tier | 'staff';

const HALF_AN_HOUR_MS = 1_800_000;

/** The coordinator with somebody of each tier and one of the staff. */
export async function tokenApp(lifetime: Lifetime, options: Parameters<typeof testApp>[1] = {}): Promise<TokenApp> {
  const app = await testApp(lifetime, options);
  const callers: Record<Caller, TestUser> = {
    basic: await makeUser(app, { tier: 'basic' }),
    plus: await makeUser(app, { tier: 'plus' }),
    professional: await makeUser(app, { tier: 'professional' }),
    enterprise: await makeUser(app, { tier: 'enterprise' }),
    staff: await makeUser(app, { tier: 'basic', role: 'staff' satisfies Role }),
  };
  let signedInAt = app.clock.now().getTime();
  const send = async (method: string, path: string, body: unknown, caller: Caller): Promise<Answer> => {
    if (app.clock.now().getTime() - signedInAt > HALF_AN_HOUR_MS) {
      signedInAt = app.clock.now().getTime();
      for (const user of Object.values(callers)) await signInAgain(app, user);
    }
    return call(app, method, `/api/token-price/${path}`, { body, headers: callers[caller].authorization });
  };
  const ask: TokenApp['ask'] = (path, body, caller = 'enterprise') => send('POST', path, body, caller);
  return {
    ...app,
    callers,
    seed: (models) => seedDays(app, models),
    ask,
    post: async <T>(path: string, body?: unknown, caller?: Caller) => {
      const { status, body: answered, text } = await ask(path, body, caller);
      assert.equal(status, 200, text);
      return (answered as { data: Json }).data as T;
    },
    remove: (body, caller = 'staff') => send('DELETE', 'delete', body, caller),
  };
}

/** What a derivation would write, and that it has. */
export async function seedDays({ platform: { sql } }: TestApp, models: readonly SeededModel[]): Promise<void> {
  await sql.begin(async (tx) => {
    for (const model of models) {
      const { day, developer, name, type = 'closed-source', status = 'active', book = [], pulse } = model;
      const id = `${developer}/${name}`;
      await tx`
        insert into token_model_day (day, model, developer, model_name, model_type, model_status, total_param, active_param,
          context_length)
        values (${day}, ${id}, ${developer}, ${name}, ${type}, ${status}, ${model.totalParam ?? null},
          ${model.activeParam ?? null}, ${model.contextLength ?? null})`;
      for (const { source, type: kind = 'model-platform', input, output, cached } of book)
        await tx`
          insert into token_book (day, model, source_id, source_type, price_input, price_output, price_cached_input, source,
            observed_on, run_id)
          values (${day}, ${id}, ${source}, ${kind}, ${input}, ${output}, ${cached ?? null}, 'test', ${day}, 1)`;
      if (pulse === undefined) continue;
      const [volumes, averages, medians] = [pulse.volume, pulse.average, pulse.median].map(
        (pair) => pair ?? [null, null],
      );
      await tx`
        insert into token_pulse (day, model, volume_input_index, volume_output_index, avg_price_input, avg_price_output,
          med_price_input, med_price_output, sellers, is_estimated)
        values (${day}, ${id}, ${volumes?.[0] ?? null}, ${volumes?.[1] ?? null}, ${averages?.[0] ?? null},
          ${averages?.[1] ?? null}, ${medians?.[0] ?? null}, ${medians?.[1] ?? null}, 1, ${pulse.isEstimated ?? false})`;
    }
    await tx`update data_version set version = version + 1 where area = 'tokens'`;
  });
}
