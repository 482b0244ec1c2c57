import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, jsonBody } from './operation.ts';
import { accountFailures, accounts, loginData } from './user.ts';

/** Longer than any token we hand out. */
const MOST_TOKEN = 2048;

export const refreshRoute = createRoute({
  ...access.public,
  ...accounts,
  operationId: 'refresh_login',
  'x-body-limit': bodyLimit.login,
  summary: 'Ours, additive: the next three tokens for a refresh token, which is good once',
  description:
    'A refresh token that was used before ends its session: one of its two users is not who signed in. Keep the newest only, and ask for one renewal at a time.',
  method: 'post',
  path: '/api/user/refresh',
  request: jsonBody(z.object({ refresh_token: z.string().min(1).max(MOST_TOKEN) })),
  responses: { ...accountFailures, 200: json(envelopeOf(loginData), 'Tokens; the old refresh token no longer works') },
});

export const signOutRoute = createRoute({
  ...access.user,
  ...accounts,
  operationId: 'sign_out',
  'x-body-limit': bodyLimit.small,
  summary: 'Ours, additive: ends this session, or with `everywhere` all sessions of the user',
  method: 'post',
  path: '/api/user/sign-out',
  request: jsonBody(z.object({ everywhere: z.boolean().default(false) }), false),
  responses: {
    ...accountFailures,
    200: json(envelopeOf(z.object({})), 'The tokens are refused within half a second'),
    409: json(envelopeErrorBody, 'The token is of no session; only `everywhere` ends it'),
  },
});
