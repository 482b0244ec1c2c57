import { z } from 'zod';
import { s3Fields, s3Of, type S3Settings } from './artifacts/s3/s3-settings.ts';
import { ADDRESS_RATE, JOB_RATE, LINK_RATE, RATE_SETTING, rateOf, type OwnRates } from './limits/rate.ts';

const MIB = 1024 * 1024;
const port = z.coerce.number().int().min(0).max(65_535);
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://');

const rate = z
  .string()
  .regex(RATE_SETTING, 'must be requests a minute, a slash and the burst, each from 1 to 1000000, as 600/300')
  .transform(rateOf);
const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Settings of the coordinator, read once from the environment by main.ts. */
const settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_POOLER: z.enum(['none', 'transaction']).default('none'),
  DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  DATABASE_CONNECTIONS: count(2, 1000).default(16),
  DATA_DIR: z.string().min(1).default('./var'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => new URL(url).href === `${new URL(url).origin}/`,
      'must be a host without a path, as https://gpumark.example.com: all paths of the service begin at the root of its host, so give it a host name of its own',
    )
    .optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(1024).optional(),
  JOB_TOKEN_HOURS: z.coerce.number().positive().max(8760).default(24),
  TOKEN_INDEX_EARLIEST_DATE: z.iso
    .date('must be a date written YYYY-MM-DD')
    // Language models had no per-token prices before then; this bounds the size of the answers.
    .refine((date) => date >= '2020-01-01', 'must not be before 2020-01-01')
    .default('2025-12-01'),
  ...s3Fields,
  AGENT_IMAGE: z
    .string()
    .regex(/^[\w][\w./:@-]{0,254}$/, 'must be the reference of an image')
    .default('localhost/gpumark-agent:latest'),
  AGENT_DIR: z.string().min(1).optional(),
  CONNECTIONS: count(16, 1_000_000).default(10_000),
  CONNECTIONS_PER_ADDRESS: count(1, 1_000_000).default(512),
  REQUESTS_PER_ADDRESS: count(1, 1_000_000).default(512),
  BODY_MIB: count(16, 65_536).default(256),
  BODY_MIB_PER_CUSTOMER: count(8, 65_536).default(64),
  BODY_MIB_PER_ADDRESS: count(8, 65_536).default(128),
  BODY_KIB_OF_STRANGERS: count(64, 1_048_576).default(8192),
  BODY_BYTES_PER_SECOND: count(1, 1_000_000).default(1024),
  BODY_GRACE_SECONDS: z.coerce.number().min(0.1).max(60).default(5),
  ANSWER_MIB_PER_ADDRESS: count(8, 65_536).default(64),
  UPLOAD_THREADS: count(1, 64).default(2),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_ADDRESS: rate.default(ADDRESS_RATE),
  RATE_LIMIT_JOB: rate.default(JOB_RATE),
  RATE_LIMIT_LINK: rate.default(LINK_RATE),
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(5),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  HSTS: z.enum(['subdomains', 'host', 'off']).default('subdomains'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').max(1024).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must start with smtp:// or smtps:// and name a host' }).optional(),
  MAIL_FROM: z
    .string()
    .max(300)
    .regex(/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/, 'must be an e-mail address, or a name and <address>')
    .optional(),
  KEEP_JOBS_DAYS: count(1, 36_500).optional(),
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Limits on what is received at the same time, in total and per source. */
export interface IntakeLimits {
  connections: number;
  connectionsPerAddress: number;
  requestsPerAddress: number;
  /** Bytes of unfinished bodies in memory: for all callers with a credential, per customer and per address. */
  bodyBytes: number;
  bodyBytesPerCustomer: number;
  bodyBytesPerAddress: number;
  /** The same for all callers without a credential. */
  bodyBytesOfStrangers: number;
  /** A body that arrives more slowly than this over the grace period is rejected. */
  bodyBytesPerSecond: number;
  bodyGraceSeconds: number;
  /** Bytes of answers that one address has requested but not read yet. */
  answerBytesPerAddress: number;
  uploadThreads: number;
}

/** How to reach Postgres. */
export interface DatabaseSettings {
  /** For migrations and LISTEN, bypassing any pooler; null: the same as for everything else. */
  directUrl: string | null;
  /** Postgres is behind a pooler that gives each transaction another connection. */
  isPooled: boolean;
  /** False for poolers that lose prepared statements, pgbouncer before 1.21. */
  prepare: boolean;
  /** maximum connections of this process at a time */
  connections: number;
}

export interface Config {
  port: number;
  host: string;
  databaseUrl: string | null;
  database: DatabaseSettings;
  dataDir: string;
  /** Base of every URL the service issues; null until the listener knows its port. */
  publicUrl: string | null;
  adminEmail: string | null;
  adminPassword: string | null;
  jobTokenHours: number;
  /** days for which jobs are kept after they end; null: for ever */
  keepJobsDays: number | null;
  tokenIndexEarliestDate: string;
  /** null: DATA_DIR/artifacts */
  s3: S3Settings | null;
  /** Container image of the agent, named in the launch lines. */
  agentImage: string;
  /** Folder of the agents that are handed out; null: where the build puts them. */
  agentDir: string | null;
  intake: IntakeLimits;
  /** Limits for addresses and job tokens; users and programs have those of their tier. Null: no rate limits at all. */
  rateLimits: OwnRates | null;
  /** Time after SIGTERM in which new connections are still taken, while /readyz answers 503. */
  drainSeconds: number;
  /** Number of our own proxies in front; their X-Forwarded-For and country headers are trusted only if it is above 0. */
  trustedProxies: number;
  /** Scope of the Strict-Transport-Security header: this host and its subdomains, this host alone, or no header. */
  hsts: 'subdomains' | 'host' | 'off';
  /** Token that allows reading /metrics from anywhere; null: only this machine can read them. */
  metricsToken: string | null;
  /** SMTP server that sends our mail, and its sender; null: no mail is sent. */
  smtpUrl: string | null;
  mailFrom: string | null;
  /** Files of the server's certificate; null: plain http, for use behind a proxy. */
  tls: { certFile: string; keyFile: string } | null;
  logLevel: string;
}

/** Environment -> config. Throws one Error whose message names every wrong variable. An empty value counts as absent. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment holds a wrong value. ${sentences.join('; ')}.`);
  }
  const value = parsed.data;
  if ((value.SMTP_URL === undefined) !== (value.MAIL_FROM === undefined))
    throw new Error('SMTP_URL and MAIL_FROM go together: set both, or neither to send no mail.');
  return {
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL ?? null,
    database: databaseOf(value),
    dataDir: value.DATA_DIR,
    publicUrl: value.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    adminEmail: value.ADMIN_EMAIL ?? null,
    adminPassword: value.ADMIN_PASSWORD ?? null,
    jobTokenHours: value.JOB_TOKEN_HOURS,
    keepJobsDays: value.KEEP_JOBS_DAYS ?? null,
    tokenIndexEarliestDate: value.TOKEN_INDEX_EARLIEST_DATE,
    s3: s3Of(value),
    agentImage: value.AGENT_IMAGE,
    agentDir: value.AGENT_DIR ?? null,
    intake: {
      connections: value.CONNECTIONS,
      connectionsPerAddress: value.CONNECTIONS_PER_ADDRESS,
      requestsPerAddress: value.REQUESTS_PER_ADDRESS,
      bodyBytes: value.BODY_MIB * MIB,
      bodyBytesPerCustomer: value.BODY_MIB_PER_CUSTOMER * MIB,
      bodyBytesPerAddress: value.BODY_MIB_PER_ADDRESS * MIB,
      bodyBytesOfStrangers: value.BODY_KIB_OF_STRANGERS * 1024,
      bodyBytesPerSecond: value.BODY_BYTES_PER_SECOND,
      bodyGraceSeconds: value.BODY_GRACE_SECONDS,
      answerBytesPerAddress: value.ANSWER_MIB_PER_ADDRESS * MIB,
      uploadThreads: value.UPLOAD_THREADS,
    },
    rateLimits:
      value.RATE_LIMITS === 'off'
        ? null
        : { address: value.RATE_LIMIT_ADDRESS, job: value.RATE_LIMIT_JOB, link: value.RATE_LIMIT_LINK },
    drainSeconds: value.DRAIN_SECONDS,
    trustedProxies: value.TRUSTED_PROXIES,
    hsts: value.HSTS,
    metricsToken: value.METRICS_TOKEN ?? null,
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.MAIL_FROM ?? null,
    tls: tlsOf(value),
    logLevel: value.LOG_LEVEL,
  };
}

type Settings = z.infer<typeof settings>;

function databaseOf(value: Settings): DatabaseSettings {
  const isPooled = value.DATABASE_POOLER === 'transaction';
  if (value.DATABASE_DIRECT_URL !== undefined && value.DATABASE_URL === undefined)
    throw new Error('DATABASE_DIRECT_URL bypasses the pooler of DATABASE_URL: set DATABASE_URL too.');
  if (isPooled && value.DATABASE_DIRECT_URL === undefined)
    throw new Error(
      'DATABASE_POOLER=transaction needs DATABASE_DIRECT_URL: migrations and listening go past a pooler.',
    );
  return {
    directUrl: value.DATABASE_DIRECT_URL ?? null,
    isPooled,
    prepare: value.DATABASE_PREPARE === 'on',
    connections: value.DATABASE_CONNECTIONS,
  };
}

function tlsOf({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Settings): Config['tls'] {
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE go together: set both, or neither for plain http.');
  return certFile === undefined || keyFile === undefined ? null : { certFile, keyFile };
}
