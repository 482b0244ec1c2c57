import { createRoute, z } from '@hono/zod-openapi';
import { access, needs } from './access.ts';
import { bodyLimit } from './body-limit.ts';
import { detailBody, envelopeErrorBody, envelopeOf } from './errors.ts';
import { orderBy, paginate, resultsOf, singleKeyed } from './list-body.ts';
import { json, jsonBody, speaks } from './operation.ts';
import { product } from './terms.ts';
import { tier } from './user.ts';
import { name, partOfName } from './names.ts';
import { digitsId, instant, text } from './wire.ts';

/** The interface specifies name, description, client_id, client_secret and id; the other fields of the records are ours. */
const applicationToken = z
  .object({
    id: z.string(),
    token_prefix: z.string().nullable().meta({
      description: 'how the token begins, which is shown once; null to those who do not manage the application',
    }),
    created_at: instant,
    expires_at: instant,
    revoked_at: instant.nullable(),
    last_used_at: instant.nullable().meta({ description: 'to the minute' }),
  })
  .meta({ id: 'ApplicationToken' });

const application = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    client_id: z.string(),
    created_at: instant,
    updated_at: instant,
    owner: z.string().nullable().meta({
      description:
        'Ours, additive: e-mail address of the person who made it or took it over. The owner and the administrators of the company manage it; its tokens end when the owner is disabled. null: made before owners were kept',
    }),
    tokens: z.array(applicationToken),
  })
  .meta({ id: 'Application' });
export type Application = z.infer<typeof application>;

const applicationName = name(60);
const description = text(512, 1);
const unchangeable = z
  .undefined('cannot be changed; create another application')
  .optional()
  .meta({ type: 'string', description: 'cannot be changed' });

export const createApplicationRequest = z.object({ name: applicationName, description: description.optional() });
export const generateTokenRequest = z.object({ client_id: text(100, 1), client_secret: text(200, 1) });
export const updateApplicationRequest = z
  .object({
    id: digitsId.optional(),
    name: applicationName.optional().meta({ description: 'the new name, or without an id the name it has' }),
    description: description.optional(),
    client_id: unchangeable,
    client_secret: unchangeable,
  })
  .refine(({ id, name: named }) => id !== undefined || named !== undefined, {
    error: 'id or name must say which application',
    path: ['id'],
  })
  .refine(({ id, name: named, description: said }) => said !== undefined || (id !== undefined && named !== undefined), {
    error: 'name or description must be given',
    path: ['description'],
  });
export const identifyApplicationRequest = z
  .object({ id: digitsId.optional(), name: applicationName.optional() })
  .refine((given) => given.id !== undefined || given.name !== undefined, {
    error: 'id or name must say which application',
    path: ['id'],
  });

const columns = ['id', 'name', 'description', 'client_id', 'created_at', 'updated_at'] as const;
export type ApplicationColumn = (typeof columns)[number];

export const listApplicationsRequest = z
  .object({
    filter: singleKeyed(['id', 'name', 'description', 'client_id'], z.union([partOfName(512, 1), z.int()])).meta({
      description:
        'name and description: a part of them; id and client_id: all of it. A repeated key means any of its values, different keys mean all.',
    }),
    order_by: orderBy(columns),
    paginate,
  })
  .default({ filter: [], order_by: [], paginate: { num_per_page: 50, page_num: 1 } });

export const createdApplication = application
  .extend({ client_secret: z.string().meta({ description: 'shown this once' }) })
  .meta({ id: 'CreatedApplication' });
export const generatedToken = z
  .object({
    app_token: z.string().meta({ description: 'the bearer credential, shown this once' }),
    token_type: z.literal('bearer'),
    id: z.string(),
    token_prefix: z.string(),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'GeneratedToken' });
const tokenInfo = z
  .object({
    application: z.object({ id: z.string(), name: z.string(), client_id: z.string() }),
    token: z.object({ id: z.string(), token_prefix: z.string() }),
    customer: z.string(),
    tier,
    products: z.array(product),
    issued_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'TokenInfo' });
export type TokenInfo = z.infer<typeof tokenInfo>;

const failures = {
  401: json(envelopeErrorBody, 'No valid credential'),
  403: json(envelopeErrorBody, '34001: no active subscription; 403: the application is managed by others'),
  404: json(envelopeErrorBody, 'No such application of the company'),
  409: json(envelopeErrorBody, 'The name is taken, the tier has no more, or valid tokens are left'),
  422: json(detailBody, 'A field is wrong'),
  429: json(envelopeErrorBody, 'Too many requests; Retry-After says when'),
};
const common = {
  ...access.user,
  ...needs({ subscription: true }),
  ...speaks('envelope', 'Applications'),
  'x-validation-dialect': 'detail',
  'x-body-limit': bodyLimit.small,
} as const;
const prefix = '/api/application';

export const createApplicationRoute = createRoute({
  ...common,
  operationId: 'create_application',
  summary: 'Create an application; its client_secret is shown this once',
  method: 'post',
  path: `${prefix}/create`,
  request: jsonBody(createApplicationRequest),
  responses: { ...failures, 200: json(envelopeOf(createdApplication), 'The application and its secret') },
});

export const generateTokenRoute = createRoute({
  ...common,
  operationId: 'generate_application_token',
  summary: 'Generate a temporary token of an application; it is shown this once',
  method: 'post',
  path: `${prefix}/generate-token`,
  request: jsonBody(generateTokenRequest),
  responses: { ...failures, 200: json(envelopeOf(generatedToken), 'The token') },
});

export const tokenInfoRoute = createRoute({
  ...common,
  ...access.application,
  operationId: 'application_token_info',
  summary: 'What the calling application token is and opens',
  method: 'get',
  path: `${prefix}/token-info`,
  responses: { ...failures, 200: json(envelopeOf(tokenInfo), 'The token') },
});

export const updateApplicationRoute = createRoute({
  ...common,
  operationId: 'update_application',
  summary: 'Change name or description',
  method: 'post',
  path: `${prefix}/update`,
  request: jsonBody(updateApplicationRequest),
  responses: { ...failures, 200: json(envelopeOf(application), 'The application') },
});

const info = {
  ...common,
  path: `${prefix}/info`,
  request: jsonBody(identifyApplicationRequest),
  responses: { ...failures, 200: json(envelopeOf(application), 'The application and its tokens') },
} as const;

/** One reference shows POST, another GET with a body: both are served. */
export const applicationInfoRoute = createRoute({
  ...info,
  method: 'post',
  operationId: 'application_info',
  summary: 'One application with its tokens',
});
export const applicationInfoGetRoute = createRoute({
  ...info,
  method: 'get',
  operationId: 'application_info_get',
  summary: 'One application with its tokens, asked for by GET with a body',
});

export const listApplicationsRoute = createRoute({
  ...common,
  'x-body-limit': bodyLimit.query,
  operationId: 'list_applications',
  summary: 'Applications of the company with their tokens',
  method: 'post',
  path: `${prefix}/list`,
  request: jsonBody(listApplicationsRequest, false),
  responses: { ...failures, 200: json(envelopeOf(resultsOf(application)), 'One page') },
});

export const deleteApplicationRoute = createRoute({
  ...common,
  operationId: 'delete_application',
  summary: 'Delete an application that has no valid token left',
  method: 'delete',
  path: `${prefix}/delete`,
  request: jsonBody(identifyApplicationRequest),
  responses: {
    ...failures,
    200: json(envelopeOf(z.object({ id: z.string(), deleted: z.literal(true) })), 'Deleted'),
  },
});

export const takeOverApplicationRoute = createRoute({
  ...common,
  ...needs({ subscription: true, roles: ['customer_admin', 'staff', 'root_admin'] }),
  'x-choice': true,
  operationId: 'take_over_application',
  summary: 'Become the owner of an application, so that its tokens stay when the person who made it is disabled',
  method: 'post',
  path: `${prefix}/take-over`,
  request: jsonBody(identifyApplicationRequest),
  responses: { ...failures, 200: json(envelopeOf(application), 'The application') },
});

export const revokeTokenRoute = createRoute({
  ...common,
  'x-choice': true,
  operationId: 'revoke_application_token',
  summary: 'Revoke a token of an application; it opens nothing half a second later',
  method: 'delete',
  path: `${prefix}/token`,
  request: jsonBody(z.object({ id: digitsId })),
  responses: { ...failures, 200: json(envelopeOf(applicationToken), 'The token') },
});
