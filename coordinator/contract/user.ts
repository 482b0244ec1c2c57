import { createRoute, z } from '@hono/zod-openapi';
import { bodyLimit } from './body-limit.ts';
import { access } from './access.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { name } from './names.ts';
import { text } from './wire.ts';

export const role = z.enum(['user', 'customer_admin', 'staff', 'root_admin']);
export type Role = z.infer<typeof role>;

export const tier = z.enum(['basic', 'plus', 'professional', 'enterprise']);
export type Tier = z.infer<typeof tier>;

export const loginRequest = z.object({
  email: z.email('value is not a valid email address').max(254),
  password: text(1024, 1),
  code: text(64, 1).optional().meta({
    description:
      'Ours, additive: of an account with a second factor, the six digits of its authenticator app or one of its recovery codes. Each is good once; without it the answer is 401.',
  }),
});

export const loginData = z
  .object({
    access_token: z.string(),
    refresh_token: z.string(),
    id_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.int(),
    company_name: z.string(),
  })
  .meta({ id: 'Login' });
export type LoginData = z.infer<typeof loginData>;

const currentUser = z
  .object({ email: z.string(), first_name: z.string(), last_name: z.string(), company_name: z.string() })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof currentUser>;

/** As the operator types it in commands; people who sign up have 60 characters. */
export const companyName = name(120);

/** Success in the envelope, validation in `detail`, everything else in the envelope. */
export const accounts = { ...speaks('envelope', 'Accounts'), 'x-validation-dialect': 'detail' } as const;
export const accountFailures = {
  401: json(envelopeErrorBody, 'Wrong credential'),
  422: json(detailBody, 'A field is wrong'),
  429: json(envelopeErrorBody, 'Too many attempts; Retry-After says when'),
};

export const loginRoute = createRoute({
  ...access.public,
  ...accounts,
  operationId: 'login',
  'x-body-limit': bodyLimit.login,
  summary: 'Sign in; the id_token is the bearer credential',
  method: 'post',
  path: '/api/user/login',
  request: {
    headers: z.object({
      cookie: z.string().optional().meta({
        description:
          'Ours, additive: the cookie `gpumark_device` that a sign-in sets. It opens nothing; with it, failures of strangers do not slow a sign-in down.',
      }),
    }),
    ...jsonBody(loginRequest),
  },
  responses: {
    ...accountFailures,
    200: json(envelopeOf(loginData), 'Tokens; sets the cookie `gpumark_device`'),
    403: json(envelopeErrorBody, 'The company requires a second factor, which is set up in the portal first'),
    503: json(envelopeErrorBody, 'Too many sign-ins at once; Retry-After says when'),
  },
});

export const currentUserRoute = createRoute({
  ...access.user,
  ...accounts,
  operationId: 'current_user',
  summary: 'Who is signed in',
  method: 'get',
  path: '/api/user/me',
  responses: { ...accountFailures, 200: json(envelopeOf(currentUser), 'The user') },
});

/** Longer than any token we issue. */
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
