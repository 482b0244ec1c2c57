import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);

/** Settings of the coordinator, read once from the environment by main.ts. */
const settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional(),
  DATA_DIR: z.string().min(1).default('./var'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').max(1024).optional(),
  JOB_TOKEN_HOURS: z.coerce.number().positive().max(8760).default(24),
  TOKEN_INDEX_EARLIEST_DATE: z.iso.date().default('2025-12-01'),
  ARTIFACT_URL: z.string().startsWith('s3://', 'must start with s3://').optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').max(1024).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  port: number;
  host: string;
  databaseUrl: string | null;
  dataDir: string;
  /** Base of every URL the service hands out; null until the listener knows its port. */
  publicUrl: string | null;
  adminEmail: string | null;
  adminPassword: string | null;
  jobTokenHours: number;
  tokenIndexEarliestDate: string;
  artifactUrl: string | null;
  /** How many proxies of ours stand in front; only then are their X-Forwarded-For and country headers believed. */
  trustedProxies: number;
  /** Who knows it may read /metrics from anywhere; null: the machine itself alone. */
  metricsToken: string | null;
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
  return {
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL ?? null,
    dataDir: value.DATA_DIR,
    publicUrl: value.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    adminEmail: value.ADMIN_EMAIL ?? null,
    adminPassword: value.ADMIN_PASSWORD ?? null,
    jobTokenHours: value.JOB_TOKEN_HOURS,
    tokenIndexEarliestDate: value.TOKEN_INDEX_EARLIEST_DATE,
    artifactUrl: value.ARTIFACT_URL ?? null,
    trustedProxies: value.TRUSTED_PROXIES,
    metricsToken: value.METRICS_TOKEN ?? null,
    logLevel: value.LOG_LEVEL,
  };
}
