import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { configureChains } from '../console/lib/kms/chains';
import { dsnParts } from '../console/lib/monitoring/scrub';
import { ownValue } from '../console/lib/ownValue';
import { deprecationsIn, type Variable } from './configVariable';
import { gatherSettings } from './configSources';
import { STAFF_SSO_NEEDS, staffSsoOf } from './configStaffSso';
import { VARIABLES } from './configVariables';

/**
 * Parses the environment into a typed value. Only this file reads process.env; everything else receives a `Config`,
 * so tests can configure any server and a misspelled variable is found at startup.
 */

type Variables = typeof VARIABLES;
type Values = {
  [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never;
};

/**
 * Name, default and meaning of every variable, in the order of docs/configuration.md. `teehouse doctor` prints them.
 */
export const CONFIG_VARIABLES: readonly {
  name: string;
  default: string;
  what: string;
  secret: boolean;
}[] = Object.entries(VARIABLES).map(([name, v]: [string, Variable<unknown>]) => ({
  name,
  default: v.default ?? v.defaultNote ?? '',
  what: v.what,
  secret: v.secret ?? false,
}));

export interface ConfigProblem {
  variable: string;
  /** The given value; `(hidden, N characters)` for secrets. */
  value: string;
  expected: string;
}

/** Holds all errors in the environment variables, ready to print. */
export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    const lines = problems.map((p) => `  ${p.variable}=${p.value}\n    expected ${p.expected}`);
    super(
      `The configuration has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}:\n${lines.join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

function toConfig(values: Values, warnings: string[]) {
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const registration = values.REGISTRATION ?? (isLocalUrl(publicUrl) ? 'open' : 'invite');
  return {
    port: values.PORT,
    host: values.HOST,
    /** Origin without trailing slash. With PORT=0 and no PUBLIC_URL its port is 0; the listener knows the real one. */
    publicUrl,
    /** Absolute. */
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    postgresBinDir: values.POSTGRES_BIN_DIR,
    logLevel: values.LOG_LEVEL,
    adminEmail: values.TEEHOUSE_ADMIN_EMAIL,
    registration,
    /** Undefined if platform roles are in effect everywhere. */
    adminNetworks: values.ADMIN_NETWORKS,
    /** Null without single sign-on for staff. */
    staffSso: staffSsoOf(values),
    teamsPerUser: values.TEAMS_PER_USER,
    /** Quotas of a new team. */
    teamQuota: {
      max_cvms: values.TEAM_QUOTA_CVMS,
      max_vcpu: values.TEAM_QUOTA_VCPU,
      max_memory_mb: values.TEAM_QUOTA_MEMORY_MB,
      max_disk_gb: values.TEAM_QUOTA_DISK_GB,
    },
    /** As set; use `loadSecret`, which falls back to the generated one. */
    secret: values.TEEHOUSE_SECRET,
    secondSecret: values.TEEHOUSE_SECOND_SECRET,
    role: values.TEEHOUSE_ROLE,
    environment: values.TEEHOUSE_ENVIRONMENT,
    dev: values.TEEHOUSE_DEV,
    localTeepod: {
      enabled: values.LOCAL_TEEPOD,
      engine: values.LOCAL_TEEPOD_ENGINE,
      /**
       * With open registration, strangers get accounts; by default they can't run anything on this machine's kernel.
       */
      teams: values.LOCAL_TEEPOD_TEAMS ?? (registration === 'open' ? ('admins' as const) : ('all' as const)),
      registries: values.LOCAL_TEEPOD_REGISTRIES,
      maxCvms: values.LOCAL_TEEPOD_MAX_CVMS,
      vcpu: values.LOCAL_TEEPOD_VCPU,
      memoryMb: values.LOCAL_TEEPOD_MEMORY_MB,
      diskGb: values.LOCAL_TEEPOD_DISK_GB,
      /** 0x and lowercase; null without one. */
      kmsContract: values.LOCAL_TEEPOD_KMS_CONTRACT ?? null,
    },
    agentFramework: values.AGENT_FRAMEWORK,
    /** Where to report vulnerabilities; null if not published. */
    securityContact: values.SECURITY_CONTACT ?? null,
    chatBot: { service: values.CHAT_BOT_SERVICE, url: values.CHAT_BOT_URL },
    /** In the format of Express's `trust proxy` setting. */
    trustProxy: values.TRUST_PROXY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? mailFromOf(values.PUBLIC_URL),
    dnsServers: values.DNS_SERVERS ?? [],
    outboundAllow: values.OUTBOUND_ALLOW ?? [],
    /** `intel`, or the URL of a PCCS; undefined to fetch nothing. */
    pccsUrl: values.PCCS_URL,
    githubUrl: values.GITHUB_URL,
    /** How teams pay in USDC; null if they can't. */
    usdc: values.USDC_XPUB === undefined ? null : { xpub: values.USDC_XPUB, networks: values.USDC_NETWORKS },
    /** Networks with this installation's RPC URLs, which may contain access keys. */
    chains: configureChains({
      ethereum: values.ETHEREUM_RPC_URL,
      base: values.BASE_RPC_URL,
      sepolia: values.SEPOLIA_RPC_URL,
      local: values.LOCAL_CHAIN_RPC_URL,
    }),
    billingEnforced: values.BILLING_ENFORCEMENT === 'on',
    /** Micro-dollars above which finance actions need a second administrator; null if none does. */
    approvalLimit: values.BILLING_APPROVAL_LIMIT ?? null,
    invoicing: {
      review_days: values.INVOICE_REVIEW_DAYS,
      due_days: values.INVOICE_DUE_DAYS,
      tax_rule: values.INVOICE_TAX_RULE,
      tax_rate: values.INVOICE_TAX_PERCENT,
      seller_vat_id: values.INVOICE_SELLER_VAT_ID ?? null,
      seller: values.INVOICE_SELLER?.replaceAll('\\n', '\n') ?? null,
    },
    debtDays: {
      grace: values.BILLING_GRACE_DAYS,
      keep: values.BILLING_KEEP_DAYS,
      pending: values.BILLING_PENDING_DAYS,
    },
    /** Where teams send bank transfers; null if not published. */
    bank:
      values.BANK_ACCOUNT_HOLDER !== undefined && values.BANK_ACCOUNT !== undefined
        ? {
            account_holder: values.BANK_ACCOUNT_HOLDER,
            account: values.BANK_ACCOUNT,
            bank: values.BANK_NAME ?? null,
          }
        : null,
    /** Null without card payments. */
    stripe:
      values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET !== undefined
        ? {
            key: values.STRIPE_SECRET_KEY,
            webhook_secrets: values.STRIPE_WEBHOOK_SECRET,
            url: values.STRIPE_URL,
          }
        : null,
    webhooksToLocalhost: values.WEBHOOKS_TO_LOCALHOST,
    sentryDsn: values.SENTRY_DSN,
    sentryAllowed: [...allowedByDsn(values.SENTRY_DSN), ...(values.SENTRY_ALLOWED ?? [])],
    sentryTracesSampleRate: values.SENTRY_TRACES_SAMPLE_RATE,
    posthogKey: values.POSTHOG_KEY,
    posthogHost: values.POSTHOG_HOST,
    /** Null without traces. */
    tracing:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            /** File with the certificate of a private authority; null if a public one signed the collector's. */
            certificate: values.OTEL_EXPORTER_OTLP_CERTIFICATE ?? null,
            service: values.OTEL_SERVICE_NAME,
            ratio: values.OTEL_TRACES_SAMPLER_ARG,
          },
    drainSeconds: values.DRAIN_SECONDS,
    reconcileSeconds: values.RECONCILE_SECONDS,
    metricsSeconds: values.METRICS_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    signIn: {
      attempts: values.SIGN_IN_ATTEMPTS,
      windowSeconds: values.SIGN_IN_WINDOW_SECONDS,
    },
    writesPerMinute: values.WRITES_PER_MINUTE,
    /** Warnings about likely mistakes, logged once at startup. */
    warnings,
  };
}

export type Config = ReturnType<typeof toConfig>;

/**
 * Reads the environment, and the files it names. Empty values count as unset, as `docker compose` passes them.
 * @throws ConfigError
 */
export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const { settings: env, problems: ofFiles } = gatherSettings(environment, Object.keys(VARIABLES));
  const problems: ConfigProblem[] = [...ofFiles];
  const values: Record<string, unknown> = {};
  for (const [name, v] of Object.entries(VARIABLES) as [string, Variable<unknown>][]) {
    const given = ownValue(env, name)?.trim() || v.default;
    const parsed = v.schema.safeParse(given);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push({
        variable: name,
        value: shown(given ?? '', v.secret),
        expected: v.expected,
      });
  }
  const role = env.TEEHOUSE_ROLE?.trim();
  if ((role === 'web' || role === 'worker') && !env.DATABASE_URL?.trim())
    problems.push({
      variable: 'TEEHOUSE_ROLE',
      value: role,
      expected: 'a DATABASE_URL: the PostgreSQL in DATA_DIR belongs to a single process with both roles',
    });
  if (values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET === undefined)
    problems.push({
      variable: 'STRIPE_SECRET_KEY',
      value: shown(env.STRIPE_SECRET_KEY ?? '', true),
      expected: 'a STRIPE_WEBHOOK_SECRET: without events from Stripe, payments would never be credited',
    });
  for (const [name, needed] of STAFF_SSO_NEEDS)
    if (values[name] !== undefined && values[name] !== false && !env[needed]?.trim())
      problems.push({
        variable: name,
        value: shown(env[name] ?? '', VARIABLES[name].secret),
        expected: `a value of ${needed} too`,
      });
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(values as Values, [
    ...unknownNames(environment),
    ...deprecationsIn(env, VARIABLES),
    ...warningsAbout(env),
  ]);
}

/** Returns the installation's secret: TEEHOUSE_SECRET, else DATA_DIR/secret, which is generated on first use. */
export async function loadSecret(config: Pick<Config, 'secret' | 'dataDir'>): Promise<string> {
  if (config.secret) return config.secret;
  const file = path.join(config.dataDir, 'secret');
  await mkdir(config.dataDir, { recursive: true });
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing === undefined) {
    // link() fails if the name exists, so when two processes start together, one writes and both read the same
    // secret.
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(draft, randomBytes(32).toString('hex'), {
      mode: 0o600,
      flush: true,
    });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(draft);
  }
  await chmod(file, 0o600);
  const secret = (existing ?? (await readFile(file, 'utf8'))).trim();
  if (Buffer.byteLength(secret) < 32)
    throw new Error(
      `${file} is damaged: it holds fewer than 32 bytes. Restore it from a backup, or stored secrets are lost.`,
    );
  return secret;
}

/** Returns the secret in use without creating or changing anything; undefined if there is none, or it can't be read. */
export async function existingSecret({
  secret,
  dataDir,
}: Pick<Config, 'secret' | 'dataDir'>): Promise<string | undefined> {
  if (secret) return secret;
  const text = await readFile(path.join(dataDir, 'secret'), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Returns whether only this machine can reach the address. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(.+\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
}

/** Mail servers reject a sender whose domain isn't a name, so an IP address becomes localhost. */
function mailFromOf(publicUrl: string | undefined) {
  const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  const name = /^[\d.]+$|^\[/.test(host) ? 'localhost' : host;
  return { name: 'Teehouse', address: `no-reply@${name}` };
}

/**
 * Returns the pair that pages send for this DSN, as `tunnelOf` reads it. A self-hosted service has no organization:
 * 0.
 */
function allowedByDsn(dsn: string | undefined) {
  if (!dsn) return [];
  const { org, project } = dsnParts(dsn);
  return [{ org, project }];
}

function shown(value: string, secret = false): string {
  if (secret) return `(hidden, ${value.length} characters)`;
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}

function unknownNames(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(VARIABLES);
  return Object.keys(env)
    .filter((name) => /^(TEEHOUSE|LOCAL_TEEPOD)_/.test(name) && !known.includes(name.replace(/_FILE$/, '')))
    .map((name) => {
      const close = known.map((k) => [distance(name, k), k] as const).sort((a, b) => a[0] - b[0])[0];
      const hint = close && close[0] <= 4 ? `; did you mean ${close[1]}?` : '';
      return `${name} is set, but Teehouse has no such setting${hint}`;
    });
}

function warningsAbout(env: Record<string, string | undefined>): string[] {
  const warnings: string[] = [];
  if (env.DATABASE_URL && !env.TEEHOUSE_SECRET)
    warnings.push(
      "TEEHOUSE_SECRET is not set: a second process with another DATA_DIR can't decrypt what this one encrypts",
    );
  return warnings;
}

/** Returns the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
