import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { VARIABLES, type Variable } from './configVariables';

/**
 * The environment as a typed value. This file is the only reader of process.env: everything else receives a `Config`,
 * so a test can make any server it likes and a misspelt variable is found at start, not in production at night.
 */

type Variables = typeof VARIABLES;
type Values = { [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never };

/** Name, default and meaning of every variable, in the README's order; `teehouse doctor` prints it. */
export const CONFIG_VARIABLES: readonly { name: string; default: string; what: string; secret: boolean }[] =
  Object.entries(VARIABLES).map(([name, v]: [string, Variable<unknown>]) => ({
    name,
    default: v.default ?? v.defaultNote ?? '',
    what: v.what,
    secret: v.secret ?? false,
  }));

export interface ConfigProblem {
  variable: string;
  /** The value as given; `(hidden, N characters)` for secrets. */
  value: string;
  expected: string;
}

/** Every mistake in the environment at once, ready to print. */
export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    const lines = problems.map((p) => `  ${p.variable}=${p.value}\n    expected ${p.expected}`);
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:\n${lines.join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

function toConfig(values: Values, warnings: string[]) {
  return {
    port: values.PORT,
    host: values.HOST,
    /** Origin without trailing slash. With PORT=0 and no PUBLIC_URL its port is 0: whoever listens knows the real one. */
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    /** Absolute. */
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    postgresBinDir: values.POSTGRES_BIN_DIR,
    logLevel: values.LOG_LEVEL,
    adminEmail: values.TEEHOUSE_ADMIN_EMAIL,
    /** As given; use `loadSecret`, which falls back to the generated one. */
    secret: values.TEEHOUSE_SECRET,
    role: values.TEEHOUSE_ROLE,
    environment: values.TEEHOUSE_ENVIRONMENT,
    dev: values.TEEHOUSE_DEV,
    localTeepod: {
      enabled: values.LOCAL_TEEPOD,
      engine: values.LOCAL_TEEPOD_ENGINE,
      maxCvms: values.LOCAL_TEEPOD_MAX_CVMS,
      vcpu: values.LOCAL_TEEPOD_VCPU,
      memoryMb: values.LOCAL_TEEPOD_MEMORY_MB,
      diskGb: values.LOCAL_TEEPOD_DISK_GB,
    },
    agentFramework: values.AGENT_FRAMEWORK,
    chatBot: { service: values.CHAT_BOT_SERVICE, url: values.CHAT_BOT_URL },
    /** As Express's `trust proxy` setting takes it. */
    trustProxy: values.TRUST_PROXY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? mailFromOf(values.PUBLIC_URL),
    dnsServers: values.DNS_SERVERS ?? [],
    outboundAllow: values.OUTBOUND_ALLOW ?? [],
    /** `intel`, or the address of a PCCS; undefined: none is asked. */
    pccsUrl: values.PCCS_URL,
    githubUrl: values.GITHUB_URL,
    /** By chain id. */
    chainRpcs: {
      1: { name: 'Ethereum', url: values.ETHEREUM_RPC_URL },
      8453: { name: 'Base', url: values.BASE_RPC_URL },
      11155111: { name: 'Sepolia', url: values.SEPOLIA_RPC_URL },
      31337: { name: 'the local chain', url: values.LOCAL_CHAIN_RPC_URL },
    },
    webhooksToLocalhost: values.WEBHOOKS_TO_LOCALHOST,
    sentryDsn: values.SENTRY_DSN,
    sentryAllowed: values.SENTRY_ALLOWED ?? allowedByDsn(values.SENTRY_DSN),
    posthogKey: values.POSTHOG_KEY,
    posthogHost: values.POSTHOG_HOST,
    drainSeconds: values.DRAIN_SECONDS,
    reconcileSeconds: values.RECONCILE_SECONDS,
    metricsSeconds: values.METRICS_SECONDS,
    signIn: { attempts: values.SIGN_IN_ATTEMPTS, windowSeconds: values.SIGN_IN_WINDOW_SECONDS },
    writesPerMinute: values.WRITES_PER_MINUTE,
    /** Things that are probably not meant, to be logged once at start. */
    warnings,
  };
}

export type Config = ReturnType<typeof toConfig>;

/** Reads the environment. Empty values count as unset, as `docker compose` passes them. Throws ConfigError. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: ConfigProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, v] of Object.entries(VARIABLES) as [string, Variable<unknown>][]) {
    const given = env[name]?.trim() || v.default;
    const parsed = v.schema.safeParse(given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push({ variable: name, value: shown(given ?? '', v.secret), expected: v.expected });
  }
  const role = env.TEEHOUSE_ROLE?.trim();
  if ((role === 'web' || role === 'worker') && !env.DATABASE_URL?.trim())
    problems.push({
      variable: 'TEEHOUSE_ROLE',
      value: role,
      expected:
        'DATABASE_URL to be set too: the PostgreSQL in DATA_DIR belongs to one process, which does everything',
    });
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(values as Values, warningsAbout(env));
}

/** The secret of this installation: TEEHOUSE_SECRET, else DATA_DIR/secret, generated at first use. */
export async function loadSecret(config: Pick<Config, 'secret' | 'dataDir'>): Promise<string> {
  if (config.secret) return config.secret;
  const file = path.join(config.dataDir, 'secret');
  await mkdir(config.dataDir, { recursive: true });
  const existing = await readFile(file, 'utf8').catch(() => undefined);
  if (existing === undefined) {
    // link() fails when the name exists, so of two processes starting together one writes and both read the same.
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
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

/** A mail server refuses an address whose domain is no name, so on a machine without one it is localhost. */
function mailFromOf(publicUrl: string | undefined) {
  const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  const name = /^[\d.]+$|^\[/.test(host) ? 'localhost' : host;
  return { name: 'Teehouse', address: `no-reply@${name}` };
}

/** A DSN of sentry.io names its organisation in the host (o123.ingest.…) and its project in the path. */
function allowedByDsn(dsn: string | undefined) {
  if (!dsn) return [];
  const url = new URL(dsn);
  const org = /^o(\d+)\./.exec(url.hostname)?.[1];
  const project = url.pathname.split('/').at(-1);
  return org && project ? [{ org, project }] : [];
}

function shown(value: string, secret = false): string {
  if (secret) return `(hidden, ${value.length} characters)`;
  return value.length > 80 ? `${value.slice(0, 80)}…` : value;
}

function warningsAbout(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(VARIABLES);
  const warnings = Object.keys(env)
    .filter((name) => /^(TEEHOUSE|LOCAL_TEEPOD)_/.test(name) && !known.includes(name))
    .map((name) => {
      const close = known.map((k) => [distance(name, k), k] as const).sort((a, b) => a[0] - b[0])[0];
      const hint = close && close[0] <= 4 ? `; did you mean ${close[1]}?` : '';
      return `${name} is set but is not a setting of Teehouse${hint}`;
    });
  if (env.DATABASE_URL && !env.TEEHOUSE_SECRET)
    warnings.push(
      'TEEHOUSE_SECRET is not set: a second process with another DATA_DIR will not be able to read what this one encrypts',
    );
  return warnings;
}

/** Levenshtein distance. */
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
