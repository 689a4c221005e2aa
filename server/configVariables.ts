import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { ACCOUNT_VARIABLES } from './configAccounts';
import { BILLING_VARIABLES } from './configBilling';
import { CHAIN_VARIABLES } from './configChains';
import { trustProxy } from './configProxy';
import { SITE_VARIABLES } from './configSite';
import { STAFF_SSO_VARIABLES } from './configStaffSso';
import { TRACING_VARIABLES } from './configTracing';
import { onOff, optional, share, variable, whole } from './configVariable';
import { mailAddress } from './domain/notifications/mail';
import { parseSmtpUrl } from './domain/notifications/mail/smtpUrl';
import { isNetwork } from './domain/core/outbound';
import { DEFAULT_REGISTRIES, isRegistryEntry } from './teepod/engine/registries';

/**
 * Every environment variable that Teehouse reads, in the order of docs/configuration.md. `config.ts` turns them into
 * a value.
 */

const secretText = z.string().refine((value) => Buffer.byteLength(value) >= 32);
const parsesAsUrl = (protocols: string[]) => (value: string) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);

const publicUrl = z
  .string()
  .refine(parsesAsUrl(['http:', 'https:']))
  .refine((value) => {
    const url = new URL(value);
    return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  })
  .transform((value) => new URL(value).origin);

const sentryAllowed = z
  .string()
  .transform((value) => value.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().regex(/^\d{1,20}\/\d{1,20}$/)))
  .transform((entries) =>
    entries.map((entry) => ({ org: entry.split('/')[0]!, project: entry.split('/')[1]! })),
  );

/** Returns whether `parse` accepts the text without throwing. */
const accepted = (parse: (text: string) => unknown) => (value: string) => {
  try {
    parse(value);
    return true;
  } catch {
    return false;
  }
};

const mailFrom = z
  .string()
  .regex(/^[^\p{C}<>"]*<[^<>]+>$|^[^\s<>"]+$/u)
  .transform((value) => {
    const [, name, address] = /^(.*)<(.+)>$/u.exec(value) ?? [value, '', value];
    return { name: name?.trim() ?? '', address: address?.trim() ?? '' };
  })
  .refine(({ address }) => accepted(mailAddress)(address));

const listed = z.string().transform((value) => value.split(',').map((entry) => entry.trim()));
const dnsServers = listed.pipe(
  z.array(
    z.string().refine((entry) => {
      const [, bracketed, port] =
        /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? /^([\d.]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
      return isIP(bracketed ?? entry) !== 0 && Number(port ?? 53) <= 65_535;
    }),
  ),
);
const networks = listed.pipe(z.array(z.string().refine(isNetwork)));

const pccsAddress = (value: string) => {
  if (!parsesAsUrl(['http:', 'https:'])(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return username === '' && password === '' && search === '' && hash === '';
};

const seconds = 'a whole number of seconds';

export const VARIABLES = {
  TEEHOUSE_CONFIG: variable({
    what: 'Configuration file with a line `NAME=value` per setting. The environment takes precedence. Unknown names are errors.',
    expected: 'a path, absolute or relative to the working directory',
    schema: optional(z.string()),
  }),
  PORT: variable({
    what: 'Port to listen on; 0 lets the system choose.',
    default: '3000',
    expected: 'a whole number from 0 to 65535',
    schema: whole(0, 65535),
  }),
  HOST: variable({
    what: 'Address to listen on. 127.0.0.1 is this machine only, 0.0.0.0 every interface.',
    default: '127.0.0.1',
    expected: 'an IP address or host name without port',
    schema: z.string().regex(/^[A-Za-z0-9._-]{1,253}$|^[0-9a-fA-F:.]{2,45}$/),
  }),
  PUBLIC_URL: variable({
    what: 'Public URL of the server. With https, cookies are secure.',
    defaultNote: 'http://localhost:PORT',
    expected: 'an origin such as https://cloud.example.com, without path, query or user',
    schema: optional(publicUrl),
  }),
  DATA_DIR: variable({
    what: 'Directory for all data stored on disk.',
    default: './data',
    expected: 'a path, absolute or relative to the working directory',
    schema: z.string().transform((value) => path.resolve(value)),
  }),
  DATABASE_URL: variable({
    what: 'External PostgreSQL 15 or newer, instead of the one managed by the server.',
    defaultNote: 'the managed PostgreSQL in DATA_DIR',
    expected: 'postgres://user:password@host:5432/database',
    secret: true,
    schema: optional(z.string().refine(parsesAsUrl(['postgres:', 'postgresql:']))),
  }),
  DATABASE_POOL_SIZE: variable({
    what: 'Database connections per process.',
    default: '10',
    expected: 'a whole number from 2 to 200',
    schema: whole(2, 200),
  }),
  POSTGRES_BIN_DIR: variable({
    what: 'Directory with postgres and initdb (15 or newer) for the managed PostgreSQL.',
    defaultNote: 'the npm package, else the newest installed one',
    expected: 'a directory that contains postgres and initdb',
    schema: optional(z.string().transform((value) => path.resolve(value))),
  }),
  LOG_LEVEL: variable({
    what: 'Minimum log level.',
    default: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }),
  TEEHOUSE_ADMIN_EMAIL: variable({
    what: 'Account that becomes platform administrator once it confirms its address, instead of the first one.',
    expected: 'an email address',
    schema: optional(z.email().transform((value) => value.toLowerCase())),
  }),
  ...ACCOUNT_VARIABLES,
  ...STAFF_SSO_VARIABLES,
  TEEHOUSE_SECRET: variable({
    what: 'Key material for data encrypted at rest. Must be the same in every process of an installation.',
    defaultNote: 'generated once into DATA_DIR/secret',
    expected: 'at least 32 bytes, for example the output of `openssl rand -hex 32`',
    secret: true,
    schema: optional(secretText),
  }),
  TEEHOUSE_SECOND_SECRET: variable({
    what: 'Second secret, accepted while TEEHOUSE_SECRET is being replaced.',
    expected: 'at least 32 bytes',
    secret: true,
    schema: optional(secretText),
  }),
  TEEHOUSE_ROLE: variable({
    what: 'What this process does: answer requests (web), run jobs (worker) or both (all).',
    default: 'all',
    expected: 'one of all, web, worker',
    schema: z.enum(['all', 'web', 'worker']),
  }),
  TEEHOUSE_ENVIRONMENT: variable({
    what: 'Environment name in error reports and analytics.',
    default: 'production',
    expected: 'letters, digits, dot, dash and underscore, at most 64',
    schema: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  }),
  TEEHOUSE_DEV: variable({
    what: 'on: serve both apps from source with hot reload (set by `npm run dev`).',
    default: 'off',
    expected: 'on or off',
    schema: onOff,
  }),
  LOCAL_TEEPOD: variable({
    what: 'Whether the built-in local teepod (no hardware TEE) starts with the server.',
    default: 'on',
    expected: 'on or off',
    schema: onOff,
  }),
  LOCAL_TEEPOD_ENGINE: variable({
    what: 'How it runs containers: with Docker, simulated, or Docker if available (auto).',
    default: 'auto',
    expected: 'one of auto, docker, simulate',
    schema: z.enum(['auto', 'docker', 'simulate']),
  }),
  LOCAL_TEEPOD_TEAMS: variable({
    what: 'Teams that can deploy to it: all, or those of platform administrators. Applies to the first start; later, change it in the admin area.',
    defaultNote: 'admins with REGISTRATION=open, else all',
    expected: 'all or admins',
    schema: optional(z.enum(['all', 'admins'])),
  }),
  LOCAL_TEEPOD_REGISTRIES: variable({
    what: 'Registries it pulls images from: `host`, `host:port`, `*.domain`, or `*` for any public one. Images already on the engine always work.',
    default: DEFAULT_REGISTRIES.join(','),
    expected: 'host names separated by commas, each optionally with a port; *.domain; or *',
    schema: z
      .string()
      .max(4_000)
      .transform((value) => value.split(',').map((entry) => entry.trim().toLowerCase()))
      .refine((entries) => entries.every(isRegistryEntry)),
  }),
  LOCAL_TEEPOD_KMS_CONTRACT: variable({
    what: 'KMS contract on the local chain (31337). A second KMS of the local teepod asks it before it releases keys.',
    expected: 'an address: 0x and 40 hex digits',
    schema: optional(
      z
        .string()
        .regex(/^0x[0-9a-fA-F]{40}$/)
        .transform((value) => value.toLowerCase()),
    ),
  }),
  LOCAL_TEEPOD_MAX_CVMS: variable({
    what: 'Maximum number of CVMs. Applies to the first start; later, change it in the admin area.',
    default: '16',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  LOCAL_TEEPOD_VCPU: variable({
    what: 'vCPUs it offers. Applies to the first start; later, change it in the admin area.',
    default: '32',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  LOCAL_TEEPOD_MEMORY_MB: variable({
    what: 'Memory it offers, in MB. Applies to the first start; later, change it in the admin area.',
    default: '65536',
    expected: 'a whole number of MB, at least 512',
    schema: whole(512, 1_000_000_000),
  }),
  LOCAL_TEEPOD_DISK_GB: variable({
    what: 'Disk it offers, in GB. Applies to the first start; later, change it in the admin area.',
    default: '1000',
    expected: 'a whole number of GB, at least 1',
    schema: whole(1, 10_000_000),
  }),
  ...SITE_VARIABLES,
  CHAT_BOT_SERVICE: variable({
    what: 'Chat bot service; names its page in the admin area.',
    default: 'telegram',
    expected: 'lowercase letters, digits and dashes, at most 40',
    schema: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  }),
  CHAT_BOT_URL: variable({
    what: "Base URL of the chat bot service: Telegram's Bot API, or a compatible server.",
    default: 'https://api.telegram.org',
    expected: 'an http or https origin',
    schema: publicUrl,
  }),
  TRUST_PROXY: variable({
    what: 'Proxies whose X-Forwarded-* headers are trusted: number of hops, or their addresses.',
    default: 'off',
    expected:
      'off, a number of hops from 1 to 16, loopback, or a comma-separated list of addresses and networks',
    schema: trustProxy,
  }),
  SMTP_URL: variable({
    what: 'Mail server. Without one, mail stays in the outbox for the platform administrator to read.',
    expected: 'smtp://user:password@host:587 or smtps://…; ?tls=off for a remote server without encryption',
    secret: true,
    schema: optional(z.string().refine(accepted(parseSmtpUrl))),
  }),
  MAIL_FROM: variable({
    what: 'Sender address.',
    defaultNote: 'Teehouse <no-reply@HOST of PUBLIC_URL>',
    expected: 'an address such as no-reply@example.com, or Name <no-reply@example.com>',
    schema: optional(mailFrom),
  }),
  DNS_SERVERS: variable({
    what: 'DNS servers used to verify domain ownership.',
    defaultNote: "the system's",
    expected: 'a comma-separated list of addresses, each with :port if it is not 53',
    schema: optional(dnsServers),
  }),
  OUTBOUND_ALLOW: variable({
    what: 'Private addresses the server can connect to on behalf of a team, such as its identity provider. Hosts and key services configured by platform staff can be anywhere, and audit log destinations can be in any private network.',
    defaultNote: 'none',
    expected: 'a comma-separated list of addresses and networks such as 10.20.0.0/16',
    schema: optional(networks),
  }),
  PCCS_URL: variable({
    what: "Source of Intel's attestation collateral, used to verify quotes. If unset, none is fetched.",
    expected: 'intel for Intel’s own service, or the address of a PCCS such as https://pccs.example.com:8081',
    schema: optional(z.string().refine((value) => value === 'intel' || pccsAddress(value))),
  }),
  GITHUB_URL: variable({
    what: 'GitHub server that SSH keys are imported from.',
    default: 'https://github.com',
    expected: 'an origin such as https://github.example.com, without path',
    schema: publicUrl,
  }),
  ...CHAIN_VARIABLES,
  WEBHOOKS_TO_LOCALHOST: variable({
    what: 'For development only: allow webhooks to this machine, without https.',
    default: 'off',
    expected: 'on or off',
    schema: onOff,
  }),
  SENTRY_DSN: variable({
    what: 'DSN of Sentry or a compatible service for error reports and traces. If unset, reports are stored locally.',
    expected: 'https://KEY@HOST/PROJECT',
    secret: true,
    schema: optional(
      z
        .string()
        .refine(parsesAsUrl(['http:', 'https:']))
        .refine((value) => /^\/(.*\/)?\d+$/.test(new URL(value).pathname) && new URL(value).username !== ''),
    ),
  }),
  SENTRY_ALLOWED: variable({
    what: 'Additional organization and project IDs that POST /monitoring forwards to.',
    expected: 'comma-separated ORG/PROJECT pairs of digits, for example 1234/5678',
    schema: optional(sentryAllowed),
  }),
  SENTRY_TRACES_SAMPLE_RATE: variable({
    what: 'Share of page loads that send performance traces, from 0 to 1. Nothing is traced without SENTRY_DSN.',
    default: '0.1',
    expected: 'a number from 0 to 1',
    schema: share,
  }),
  POSTHOG_KEY: variable({
    what: 'PostHog project key. If unset, there are no analytics.',
    expected: 'a project key such as phc_…',
    schema: optional(z.string().regex(/^[A-Za-z0-9_-]{8,200}$/)),
  }),
  POSTHOG_HOST: variable({
    what: 'PostHog server.',
    default: 'https://eu.i.posthog.com',
    expected: 'an origin such as https://eu.i.posthog.com',
    schema: publicUrl,
  }),
  ...TRACING_VARIABLES,
  ...BILLING_VARIABLES,
  DRAIN_SECONDS: variable({
    what: 'Time for running requests and jobs to finish after SIGTERM.',
    default: '20',
    expected: `${seconds} from 0 to 3600`,
    schema: whole(0, 3600),
  }),
  RECONCILE_SECONDS: variable({
    what: 'Interval for reconciling desired state with every teepod.',
    default: '15',
    expected: `${seconds} from 1 to 3600`,
    schema: whole(1, 3600),
  }),
  METRICS_SECONDS: variable({
    what: 'Interval for collecting metrics from running CVMs. Charts have at most one point every 30 seconds.',
    default: '30',
    expected: `${seconds} from 2 to 300`,
    schema: whole(2, 300),
  }),
  METRICS_TOKEN: variable({
    what: 'Bearer token that lets Prometheus read /metrics from another machine.',
    defaultNote: 'only this machine can read them',
    expected: 'at least 16 characters, for example the output of `openssl rand -hex 32`',
    secret: true,
    schema: optional(z.string().min(16)),
  }),
  SIGN_IN_ATTEMPTS: variable({
    what: 'Failed sign-ins allowed per account or IP address before it is blocked temporarily.',
    default: '10',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  SIGN_IN_WINDOW_SECONDS: variable({
    what: 'Window for counting failed sign-ins.',
    default: '300',
    expected: `${seconds} from 1 to 86400`,
    schema: whole(1, 86_400),
  }),
  WRITES_PER_MINUTE: variable({
    what: 'Write requests allowed per minute for an account or token.',
    default: '600',
    expected: 'a whole number from 1 to 1000000',
    schema: whole(1, 1_000_000),
  }),
};
