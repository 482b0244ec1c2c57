import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { json, speaks } from './operation.ts';
import { instant, pathId, preset, queryInt, text } from './wire.ts';

/** All kinds of security events. */
export const auditAction = z.enum([
  'sign_in',
  'sign_in_failed',
  'sign_in_slowed',
  'sign_out',
  'sessions_ended',
  'refresh_token_reused',
  'password_changed',
  'password_link_sent',
  'password_set_by_link',
  'second_factor_enrolled',
  'second_factor_removed',
  'second_factor_failed',
  'second_factor_rule_changed',
  'recovery_codes_made',
  'recovery_code_used',
  'user_created',
  'user_disabled',
  'user_enabled',
  'role_changed',
  'application_created',
  'application_changed',
  'application_deleted',
  'application_taken_over',
  'app_token_created',
  'app_token_first_used',
  'app_token_revoked',
  'api_key_name_created',
  'api_key_name_deleted',
  'api_key_created',
  'api_key_first_used',
  'api_key_deleted',
  'subscription_added',
  'subscription_ended',
  'tier_changed',
  'customer_terms_changed',
  'customer_erased',
  'signing_key_rotated',
  'job_deleted',
  'test_task_deleted',
  'share_created',
  'share_revoked',
  'audit_exported',
]);
export type AuditAction = z.infer<typeof auditAction>;

const auditEvent = z
  .object({
    id: z.string(),
    at: instant,
    action: auditAction,
    company_name: z.string().nullable().meta({ description: 'null: of nobody known, which only staff see' }),
    actor_kind: z.string(),
    actor_id: z.string().nullable(),
    actor: z.string().nullable().meta({ description: 'e-mail address of a person' }),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
    address: z.string().nullable(),
    request_id: z.string(),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.infer<typeof auditEvent>;

export const listAuditQuery = z.object({
  action: auditAction.optional(),
  actor: text(254, 1).optional().meta({ description: 'e-mail address of the person who did it' }),
  from: instant.optional().meta({ description: 'events at this instant or later' }),
  to: instant.optional().meta({ description: 'events before this instant' }),
  before: pathId.optional().meta({ description: '`next` of the page before' }),
  per_page: preset(queryInt(1, 300), 50),
  for: z
    .enum(['excel'])
    .optional()
    .meta({ description: 'of csv: for spreadsheets, with a byte order mark and ids as text, which they would round' }),
  format: z.enum(['json', 'csv']).default('json').meta({ description: 'csv: all events asked for, not a page' }),
});
export type ListAuditQuery = z.output<typeof listAuditQuery>;

const auditPage = z.object({
  results: z.array(auditEvent),
  next: z.string().nullable().meta({ description: '`before` of the next page; null: this is the last' }),
});

const common = {
  ...access.user,
  ...needs({ roles: ['customer_admin', 'staff', 'root_admin'] }),
  ...speaks('envelope', 'Accounts'),
  'x-validation-dialect': 'detail',
  'x-choice': true,
} as const;

export const listAuditRoute = createRoute({
  ...common,
  operationId: 'list_audit_events',
  summary: 'What happened to accounts, credentials and rights, newest first: of the own company, to staff of all',
  method: 'get',
  path: '/api/user/audit',
  request: { query: listAuditQuery },
  responses: {
    200: {
      description: 'Events',
      content: { 'application/json': { schema: envelopeOf(auditPage) }, 'text/csv': { schema: z.string() } },
    },
    401: json(envelopeErrorBody, 'No valid credential'),
    403: json(envelopeErrorBody, 'The role does not read it'),
    422: json(detailBody, 'A parameter is wrong'),
    429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
  },
});
