import { createRoute, z } from '@hono/zod-openapi';
import { access } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, jsonBody } from './operation.ts';
import { accountFailures, accounts, loginData, loginRequest } from './user.ts';
import { text } from './wire.ts';

/** Length limits in characters of a new password, as typed and in Unicode form NFKC. */
export const passwordLength = { least: 8, most: 1024 } as const;

/** A new password; the verb checks the other rules, which need the account. */
const password = text(passwordLength.most, 1).meta({
  description: '8 to 1024 characters; not a common password, not the e-mail address, not the company',
});

const busy = { 503: json(envelopeErrorBody, 'Too many sign-ins at once; Retry-After says when') };
const nothing = envelopeOf(z.object({}));

export const changePasswordRoute = createRoute({
  ...access.user,
  ...accounts,
  operationId: 'change_password',
  'x-body-limit': bodyLimit.passwords,
  summary: 'Ours, additive: sets a new password; all sessions end and this one goes on under new tokens',
  method: 'post',
  path: '/api/user/password',
  request: jsonBody(z.object({ current_password: text(passwordLength.most, 1), new_password: password })),
  responses: { ...accountFailures, ...busy, 200: json(envelopeOf(loginData), 'Tokens of the session that goes on') },
});

export const forgotPasswordRoute = createRoute({
  ...access.public,
  ...accounts,
  operationId: 'forgot_password',
  'x-body-limit': bodyLimit.login,
  summary: 'Ours, additive: mails a link that sets a password; the answer is the same for an unknown address',
  method: 'post',
  path: '/api/user/password/forgot',
  request: jsonBody(z.object({ email: loginRequest.shape.email })),
  responses: { ...accountFailures, 200: json(nothing, 'A link is on its way if the address has an account') },
});

export const resetPasswordRoute = createRoute({
  ...access.public,
  ...accounts,
  operationId: 'reset_password',
  'x-body-limit': bodyLimit.login,
  summary: 'Ours, additive: sets a password with the token of a link, which is good once; all sessions end',
  method: 'post',
  path: '/api/user/password/reset',
  request: jsonBody(z.object({ token: z.string().min(1).max(100), password })),
  responses: { ...accountFailures, ...busy, 200: json(nothing, 'The password is set; sign in with it') },
});
