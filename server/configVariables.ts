import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { mailAddress } from './domain/mail';
import { parseSmtpUrl } from './domain/mail/smtpUrl';
import { isNetwork } from './domain/outbound';

/** Every variable of the environment that Teehouse reads, in the README's order. `config.ts` makes a value of them. */

export interface Variable<T> {
  /** What it decides; one line of the README's table. */
  what: string;
  /** The default as a person would write it; absent when the feature stays off without the variable. */
  default?: string;
  /** What the default is when it cannot be written as a value. */
  defaultNote?: string;
  /** What a right value looks like, for the error message. */
  expected: string;
  /** Never printed, not even when it is wrong. */
  secret?: boolean;
  schema: z.ZodType<T>;
}

const variable = <T>(v: Variable<T>) => v;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
const onOff = z.enum(['on', 'off', '1', '0']).transform((v) => v === 'on' || v === '1');
const optional = <T>(schema: z.ZodType<T>) => schema.optional();
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

const rpcUrl = z
  .string()
  .max(2000)
  .refine(parsesAsUrl(['http:', 'https:']));

const sentryAllowed = z
  .string()
  .transform((value) => value.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().regex(/^\d{1,20}\/\d{1,20}$/)))
  .transform((entries) =>
    entries.map((entry) => ({ org: entry.split('/')[0]!, project: entry.split('/')[1]! })),
  );

/** Whether `parse` takes the text without throwing. */
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

const trustProxy = z.union([
  z.literal('off').transform(() => false as const),
  whole(1, 16),
  z
    .string()
    .regex(/^[0-9a-fA-F.:/, ]+$|^(loopback|linklocal|uniquelocal)(, ?(loopback|linklocal|uniquelocal))*$/)
    .transform((value) => value.split(',').map((entry) => entry.trim())),
]);

const pccsAddress = (value: string) => {
  if (!parsesAsUrl(['http:', 'https:'])(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return username === '' && password === '' && search === '' && hash === '';
};

const seconds = 'a whole number of seconds';

export const VARIABLES = {
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
    what: 'Address people reach the server at; https here turns on secure cookies.',
    defaultNote: 'http://localhost:PORT',
    expected: 'an origin such as https://cloud.example.com, without path, query or user',
    schema: optional(publicUrl),
  }),
  DATA_DIR: variable({
    what: 'Directory of everything the server keeps on disk.',
    default: './data',
    expected: 'a path, absolute or relative to the working directory',
    schema: z.string().transform((value) => path.resolve(value)),
  }),
  DATABASE_URL: variable({
    what: 'PostgreSQL 15 or newer to use instead of the one the server supervises itself.',
    defaultNote: 'own PostgreSQL in DATA_DIR',
    expected: 'postgres://user:password@host:5432/database',
    secret: true,
    schema: optional(z.string().refine(parsesAsUrl(['postgres:', 'postgresql:']))),
  }),
  DATABASE_POOL_SIZE: variable({
    what: 'Connections of one process to the database.',
    default: '10',
    expected: 'a whole number from 2 to 200',
    schema: whole(2, 200),
  }),
  POSTGRES_BIN_DIR: variable({
    what: 'Directory with postgres and initdb (15 or newer) for the supervised PostgreSQL.',
    defaultNote: 'the npm package, else the newest installed one',
    expected: 'a directory that contains postgres and initdb',
    schema: optional(z.string().transform((value) => path.resolve(value))),
  }),
  LOG_LEVEL: variable({
    what: 'Least important log lines to write.',
    default: 'info',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  }),
  TEEHOUSE_ADMIN_EMAIL: variable({
    what: 'Account that becomes platform administrator once it has confirmed its address, instead of the first one.',
    expected: 'an e-mail address',
    schema: optional(z.email().transform((value) => value.toLowerCase())),
  }),
  TEEHOUSE_SECRET: variable({
    what: 'Key material for what is stored encrypted; the same in every process of one installation.',
    defaultNote: 'generated once into DATA_DIR/secret',
    expected: 'at least 32 bytes, for example the output of `openssl rand -hex 32`',
    secret: true,
    schema: optional(z.string().refine((value) => Buffer.byteLength(value) >= 32)),
  }),
  TEEHOUSE_ROLE: variable({
    what: 'What this process does: answer requests (web), run jobs (worker) or both (all).',
    default: 'all',
    expected: 'one of all, web, worker',
    schema: z.enum(['all', 'web', 'worker']),
  }),
  TEEHOUSE_ENVIRONMENT: variable({
    what: 'Name of the environment that error reports and analytics carry.',
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
    what: 'How it runs containers: with Docker, simulated, or Docker when an engine answers (auto).',
    default: 'auto',
    expected: 'one of auto, docker, simulate',
    schema: z.enum(['auto', 'docker', 'simulate']),
  }),
  LOCAL_TEEPOD_MAX_CVMS: variable({
    what: 'Most CVMs on it at once First start only; then the admin area decides.',
    default: '16',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  LOCAL_TEEPOD_VCPU: variable({
    what: 'vCPUs it offers First start only; then the admin area decides.',
    default: '32',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  LOCAL_TEEPOD_MEMORY_MB: variable({
    what: 'Memory it offers, in MB First start only; then the admin area decides.',
    default: '65536',
    expected: 'a whole number of MB, at least 512',
    schema: whole(512, 1_000_000_000),
  }),
  LOCAL_TEEPOD_DISK_GB: variable({
    what: 'Disk it offers, in GB First start only; then the admin area decides.',
    default: '1000',
    expected: 'a whole number of GB, at least 1',
    schema: whole(1, 10_000_000),
  }),
  AGENT_FRAMEWORK: variable({
    what: 'Name of the agent framework; its address is kept from team names.',
    default: 'eliza',
    expected: 'lower case letters, digits and dashes, at most 40',
    schema: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  }),
  CHAT_BOT_SERVICE: variable({
    what: 'Service of the chat bot, as its page in the admin area is called.',
    default: 'telegram',
    expected: 'lower case letters, digits and dashes, at most 40',
    schema: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  }),
  CHAT_BOT_URL: variable({
    what: "Where the chat bot's service answers: Telegram's Bot API, or a server of one's own that speaks it.",
    default: 'https://api.telegram.org',
    expected: 'an http or https origin',
    schema: publicUrl,
  }),
  TRUST_PROXY: variable({
    what: 'Proxies whose X-Forwarded-* headers count: how many hops, or their addresses.',
    default: 'off',
    expected:
      'off, a number of hops from 1 to 16, loopback, or a comma-separated list of addresses and networks',
    schema: trustProxy,
  }),
  SMTP_URL: variable({
    what: 'Mail server. Without it mail is kept for the platform administrator to read.',
    expected: 'smtp://user:password@host:587 or smtps://…; ?tls=off where a server elsewhere cannot encrypt',
    secret: true,
    schema: optional(z.string().refine(accepted(parseSmtpUrl))),
  }),
  MAIL_FROM: variable({
    what: 'Whom mail comes from.',
    defaultNote: 'Teehouse <no-reply@HOST of PUBLIC_URL>',
    expected: 'an address such as no-reply@example.com, or Name <no-reply@example.com>',
    schema: optional(mailFrom),
  }),
  DNS_SERVERS: variable({
    what: 'DNS servers that are asked when a team proves that a domain is its own.',
    defaultNote: "the system's",
    expected: 'a comma-separated list of addresses, each with :port where it is not 53',
    schema: optional(dnsServers),
  }),
  OUTBOUND_ALLOW: variable({
    what: 'Private addresses the server may connect to when a team names them, as for its sign-in provider. Hosts and key services, which platform staff name, may be anywhere.',
    defaultNote: 'none',
    expected: 'a comma-separated list of addresses and networks such as 10.20.0.0/16',
    schema: optional(networks),
  }),
  PCCS_URL: variable({
    what: 'Where Intel’s statements about chips come from, which quotes are verified with. Without it none are fetched.',
    expected: 'intel for Intel’s own service, or the address of a PCCS such as https://pccs.example.com:8081',
    schema: optional(z.string().refine((value) => value === 'intel' || pccsAddress(value))),
  }),
  GITHUB_URL: variable({
    what: 'Where SSH keys of GitHub profiles are imported from.',
    default: 'https://github.com',
    expected: 'an origin such as https://github.example.com, without path',
    schema: publicUrl,
  }),
  ETHEREUM_RPC_URL: variable({
    what: 'RPC by which KMS contracts on Ethereum (1) are read.',
    default: 'https://ethereum-rpc.publicnode.com',
    expected: 'an http or https address; it may carry an access key',
    secret: true,
    schema: rpcUrl,
  }),
  BASE_RPC_URL: variable({
    what: 'RPC by which KMS contracts on Base (8453) are read.',
    default: 'https://mainnet.base.org',
    expected: 'an http or https address; it may carry an access key',
    secret: true,
    schema: rpcUrl,
  }),
  SEPOLIA_RPC_URL: variable({
    what: 'RPC by which KMS contracts on Sepolia (11155111) are read.',
    default: 'https://ethereum-sepolia-rpc.publicnode.com',
    expected: 'an http or https address; it may carry an access key',
    secret: true,
    schema: rpcUrl,
  }),
  LOCAL_CHAIN_RPC_URL: variable({
    what: 'RPC of a development chain on this machine (31337).',
    default: 'http://127.0.0.1:8545',
    expected: 'an http or https address; it may carry an access key',
    secret: true,
    schema: rpcUrl,
  }),
  WEBHOOKS_TO_LOCALHOST: variable({
    what: 'For development only: webhooks may go to this machine, and there without https.',
    default: 'off',
    expected: 'on or off',
    schema: onOff,
  }),
  SENTRY_DSN: variable({
    what: 'Where error reports go. Without it they are kept locally.',
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
    what: 'Organisation and project ids that POST /monitoring forwards to.',
    defaultNote: 'the ones in SENTRY_DSN',
    expected: 'comma-separated ORG/PROJECT pairs of digits, for example 1234/5678',
    schema: optional(sentryAllowed),
  }),
  POSTHOG_KEY: variable({
    what: 'Project key of PostHog. Without it nothing is measured.',
    expected: 'a project key such as phc_…',
    schema: optional(z.string().regex(/^[A-Za-z0-9_-]{8,200}$/)),
  }),
  POSTHOG_HOST: variable({
    what: 'PostHog server.',
    default: 'https://eu.i.posthog.com',
    expected: 'an origin such as https://eu.i.posthog.com',
    schema: publicUrl,
  }),
  DRAIN_SECONDS: variable({
    what: 'How long running requests and jobs may finish after SIGTERM.',
    default: '20',
    expected: `${seconds} from 0 to 3600`,
    schema: whole(0, 3600),
  }),
  RECONCILE_SECONDS: variable({
    what: 'How often the desired state is compared with what every teepod reports.',
    default: '15',
    expected: `${seconds} from 1 to 3600`,
    schema: whole(1, 3600),
  }),
  METRICS_SECONDS: variable({
    what: 'How often every running CVM is asked what it uses; charts have a point every 30 seconds at most.',
    default: '30',
    expected: `${seconds} from 2 to 300`,
    schema: whole(2, 300),
  }),
  SIGN_IN_ATTEMPTS: variable({
    what: 'Failed sign-ins of one account, or one address, before it has to wait.',
    default: '10',
    expected: 'a whole number from 1 to 100000',
    schema: whole(1, 100_000),
  }),
  SIGN_IN_WINDOW_SECONDS: variable({
    what: 'Time in which failed sign-ins are counted.',
    default: '300',
    expected: `${seconds} from 1 to 86400`,
    schema: whole(1, 86_400),
  }),
  WRITES_PER_MINUTE: variable({
    what: 'Changing requests one account or token may make in a minute.',
    default: '600',
    expected: 'a whole number from 1 to 1000000',
    schema: whole(1, 1_000_000),
  }),
};
