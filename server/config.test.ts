import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHAINS } from '../console/lib/kms/chains';
import { CONFIG_VARIABLES, ConfigError, loadConfig, loadSecret } from './config';

function problemsOf(env: Record<string, string>): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('loadConfig', () => {
  it('requires no variables', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      role: 'all',
      agentFramework: 'eliza',
      trustProxy: false,
      localTeepod: { enabled: true, engine: 'auto' },
      warnings: [],
    });
    expect(path.isAbsolute(config.dataDir)).toBe(true);
  });

  it.each([
    [{}, 'open', 'admins'],
    [{ PUBLIC_URL: 'http://127.0.0.5:3000' }, 'open', 'admins'],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, 'open', 'admins'],
    [{ PUBLIC_URL: 'https://teehouse.localhost' }, 'open', 'admins'],
    [{ PUBLIC_URL: 'https://cloud.example.com' }, 'invite', 'all'],
    [{ PUBLIC_URL: 'http://localhost.example.com' }, 'invite', 'all'],
    [{ PUBLIC_URL: 'http://192.168.1.2:3000' }, 'invite', 'all'],
    [{ PUBLIC_URL: 'https://cloud.example.com', REGISTRATION: 'open' }, 'open', 'admins'],
    [{ REGISTRATION: 'off' }, 'off', 'all'],
    [{ REGISTRATION: 'open', LOCAL_TEEPOD_TEAMS: 'all' }, 'open', 'all'],
  ])('derives registration and the local teepod’s teams from %j', (env, registration, teams) => {
    expect(loadConfig(env)).toMatchObject({ registration, localTeepod: { teams } });
  });

  it('accepts several RPC URLs per network, and keeps their access keys out of errors', () => {
    const urls = (value: string) => loadConfig({ BASE_RPC_URL: value }).chains[1]?.rpcUrls.default;
    expect(urls('https://a.example/key, wss://b.example ,http://c.example')).toEqual({
      http: ['https://a.example/key', 'http://c.example'],
      webSocket: ['wss://b.example'],
    });
    expect(loadConfig({}).chains).toEqual(CHAINS);
    for (const value of ['wss://s3cret.example', 'https://a.example,s3cret', 'ftp://s3cret', ','])
      expect(problemsOf({ BASE_RPC_URL: value }).message).toMatch(/at least one of them http(?!.*s3cret)/);
  });

  it('reports all errors together, with the expected values', () => {
    const error = problemsOf({
      PORT: 'eighty',
      PUBLIC_URL: 'https://x.test/path',
      LOG_LEVEL: 'loud',
      LOCAL_TEEPOD: 'yes',
    });
    expect(error.problems.map((p) => p.variable)).toEqual([
      'PORT',
      'PUBLIC_URL',
      'LOG_LEVEL',
      'LOCAL_TEEPOD',
    ]);
    expect(error.message).toContain('4 errors');
    expect(error.message).toContain('PORT=eighty');
    expect(error.message).toContain('a whole number from 0 to 65535');
  });

  it('accepts trace settings in OpenTelemetry’s format, and keeps their headers out of errors', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/otlp/' };
    expect(loadConfig(endpoint).tracing).toEqual({
      endpoint: 'https://otel.example.com/otlp',
      headers: {},
      certificate: null,
      service: 'teehouse',
      ratio: 1,
    });
    const given = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope=a=b',
      OTEL_SERVICE_NAME: 'cloud',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(loadConfig(given).tracing).toMatchObject({
      headers: { Authorization: 'Basic YTpi', 'x-scope': 'a=b' },
      service: 'cloud',
      ratio: 0.25,
    });
    expect(loadConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).tracing).toBeNull();
    for (const value of ['s3cret', 'a b=s3cret', 'a=s3cret%0d%0ab', 'a=s3cret%zz'])
      expect(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: value }).message).toMatch(/name=value(?!.*s3cret)/);
    for (const value of [
      'collector:4318',
      'grpc://collector',
      'http://a:b@collector',
      'http://collector?x=1',
    ])
      expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: value }).message).toContain('a base URL');
    expect(problemsOf({ OTEL_TRACES_SAMPLER_ARG: '1.5' }).message).toContain('from 0 to 1');
  });

  it('rejects an agent framework name that the product uses as a path', () => {
    for (const name of ['admin', 'login', 'dashboard', 'api'])
      expect(problemsOf({ AGENT_FRAMEWORK: name }).problems.map((p) => p.variable)).toEqual([
        'AGENT_FRAMEWORK',
      ]);
    expect(loadConfig({ AGENT_FRAMEWORK: 'wizard' }).agentFramework).toBe('wizard');
    expect(loadConfig({ AGENT_FRAMEWORK: 'eliza' }).agentFramework).toBe('eliza');
  });

  it('never prints a secret, even an invalid one', () => {
    const error = problemsOf({
      DATABASE_URL: 'mysql://me:hunter2@db/x',
      TEEHOUSE_SECRET: 'hunter2',
      SMTP_URL: 'hunter2',
    });
    expect(error.problems).toHaveLength(3);
    expect(error.message).not.toContain('hunter2');
  });

  it('treats empty values as unset and trims the others', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: '  ', HOST: ' 0.0.0.0 ' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      host: '0.0.0.0',
    });
  });

  it('reduces PUBLIC_URL to its origin', () => {
    expect(loadConfig({ PUBLIC_URL: 'https://Cloud.Example.com/' }).publicUrl).toBe(
      'https://cloud.example.com',
    );
  });

  it.each([
    ['off', false],
    ['1', 1],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.168.1.1', ['10.0.0.0/8', '192.168.1.1']],
    ['loopback, fd00::/8, 10.0.0.0/255.0.0.0', ['loopback', 'fd00::/8', '10.0.0.0/255.0.0.0']],
  ])('understands TRUST_PROXY=%s', (value, expected) => {
    expect(loadConfig({ TRUST_PROXY: value }).trustProxy).toEqual(expected);
  });

  it('rejects TRUST_PROXY=true, which would let clients choose their own IP address', () => {
    expect(problemsOf({ TRUST_PROXY: 'true' }).problems).toHaveLength(1);
  });

  it.each(['0', '17', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/255.0.255.0', '10.0.0', 'ab', '10.0.0.1,'])(
    'rejects TRUST_PROXY=%s, with which Express would not start',
    (value) => expect(problemsOf({ TRUST_PROXY: value }).problems).toHaveLength(1),
  );

  it("allows the DSN's project and the listed ones", () => {
    const dsn = 'https://key@o123.ingest.us.sentry.io/456';
    expect(loadConfig({ SENTRY_DSN: dsn }).sentryAllowed).toEqual([{ org: '123', project: '456' }]);
    expect(loadConfig({ SENTRY_DSN: dsn, SENTRY_ALLOWED: '1/2, 3/4' }).sentryAllowed).toEqual([
      { org: '123', project: '456' },
      { org: '1', project: '2' },
      { org: '3', project: '4' },
    ]);
    expect(problemsOf({ SENTRY_ALLOWED: '1/../2' }).problems).toHaveLength(1);
  });

  it("allows a self-hosted DSN's project, whose organization is 0", () => {
    const dsn = 'https://key@errors.example.com/sentry/7';
    expect(loadConfig({ SENTRY_DSN: dsn }).sentryAllowed).toEqual([{ org: '0', project: '7' }]);
  });

  it('accepts a traces sample rate from 0 to 1', () => {
    expect(loadConfig({}).sentryTracesSampleRate).toBe(0.1);
    expect(loadConfig({ SENTRY_TRACES_SAMPLE_RATE: '1' }).sentryTracesSampleRate).toBe(1);
    for (const wrong of ['1.5', '-1', 'often', '1e9'])
      expect(problemsOf({ SENTRY_TRACES_SAMPLE_RATE: wrong }).problems).toHaveLength(1);
  });

  it('accepts exactly one sender address', () => {
    const from = (env: Record<string, string>) => loadConfig(env).mailFrom;
    expect(from({})).toEqual({ name: 'Teehouse', address: 'no-reply@localhost' });
    expect(from({ PUBLIC_URL: 'https://cloud.example.com' }).address).toBe('no-reply@cloud.example.com');
    expect(from({ PUBLIC_URL: 'http://192.0.2.1:3000' }).address).toBe('no-reply@localhost');
    expect(from({ MAIL_FROM: 'ops@example.com' })).toEqual({ name: '', address: 'ops@example.com' });
    expect(from({ MAIL_FROM: 'Grüne Teestube <tea@example.com>' })).toEqual({
      name: 'Grüne Teestube',
      address: 'tea@example.com',
    });
    for (const MAIL_FROM of [
      'a@b.test, c@d.test',
      'x <a@b.test> y',
      'plain',
      'x\r\nBcc: a@b.test <a@b.test>',
    ])
      expect(problemsOf({ MAIL_FROM }).problems, MAIL_FROM).toHaveLength(1);
  });

  it('rejects a mail server URL with unknown parameters', () => {
    for (const SMTP_URL of ['smtp://mail.example.com?tls=none', 'smtp://', 'https://mail.example.com'])
      expect(problemsOf({ SMTP_URL }).problems, SMTP_URL).toHaveLength(1);
    expect(loadConfig({ SMTP_URL: 'smtps://u:p@mail.example.com' }).smtpUrl).toBeDefined();
  });

  it('warns about misspelled variables of its own and ignores foreign ones', () => {
    const { warnings } = loadConfig({
      TEEHOUSE_ADMIN_MAIL: 'a@b.test',
      HOME: '/root',
      LOCAL_TEEPOD_CPU: '3',
    });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('did you mean TEEHOUSE_ADMIN_EMAIL?');
  });

  it('allows separate roles only on a shared database', () => {
    expect(problemsOf({ TEEHOUSE_ROLE: 'worker' }).message).toContain('DATABASE_URL');
    expect(loadConfig({ TEEHOUSE_ROLE: 'worker', DATABASE_URL: 'postgres://u@db/x' }).role).toBe('worker');
  });

  it('accepts the staff provider, and names missing settings', () => {
    const env = { STAFF_SSO_ISSUER: 'https://id.example.com', STAFF_SSO_CLIENT_ID: 'teehouse' };
    expect(loadConfig({}).staffSso).toBeNull();
    expect(
      loadConfig({
        ...env,
        STAFF_SSO_ROLE_CLAIM: 'groups',
        STAFF_SSO_ROLES: 'cn=cloud=admin, helpdesk=support',
        STAFF_SSO_REQUIRED: 'on',
      }).staffSso,
    ).toMatchObject({
      required: true,
      client_secret: null,
      role_rules: [
        { value: 'cn=cloud', role: 'admin' },
        { value: 'helpdesk', role: 'support' },
      ],
    });
    const missing = (more: Record<string, string>) =>
      problemsOf(more).problems.map(({ variable, expected }) => [variable, expected]);
    expect(missing({ STAFF_SSO_REQUIRED: 'on' })).toEqual([
      ['STAFF_SSO_REQUIRED', 'a value of STAFF_SSO_ISSUER too'],
    ]);
    expect(missing({ ...env, STAFF_SSO_ROLE_CLAIM: 'groups' })).toEqual([
      ['STAFF_SSO_ROLE_CLAIM', 'a value of STAFF_SSO_ROLES too'],
    ]);
    expect(missing({ ...env, STAFF_SSO_ROLE_CLAIM: 'groups', STAFF_SSO_ROLES: 'helpdesk=owner' })).toEqual([
      ['STAFF_SSO_ROLES', expect.stringContaining('value=role')],
    ]);
  });

  it('describes every variable', () => {
    expect(CONFIG_VARIABLES.map((v) => v.name)).toContain('DATA_DIR');
    for (const v of CONFIG_VARIABLES) expect(v.what, v.name).toMatch(/^\S.{10,}\.$/);
  });
});

const reference = new URL('../docs/configuration.md', import.meta.url);
it.skipIf(!existsSync(reference))(
  'the reference lists exactly the variables that exist, with their defaults',
  () => {
    const rows = readFileSync(reference, 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|]*) \|/gm);
    const listed = Object.fromEntries(
      [...rows].map(([, name, value]) => [name, value!.replaceAll('`', '').trim()]),
    );
    expect(listed).toEqual(Object.fromEntries(CONFIG_VARIABLES.map((v) => [v.name, v.default])));
  },
);

describe('loadSecret', () => {
  it('is generated once, readable only by its owner, even when several processes start together', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'teehouse-secret-'));
    try {
      const secrets = await Promise.all(
        Array.from({ length: 8 }, () => loadSecret({ secret: undefined, dataDir })),
      );
      expect(new Set(secrets).size).toBe(1);
      expect(secrets[0]!.length).toBeGreaterThanOrEqual(64);
      expect((await stat(path.join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
      expect(await readdir(dataDir)).toEqual(['secret']);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });

  it('prefers TEEHOUSE_SECRET and then writes no file', async () => {
    expect(await loadSecret({ secret: 'x'.repeat(32), dataDir: '/nonexistent' })).toBe('x'.repeat(32));
  });
});
