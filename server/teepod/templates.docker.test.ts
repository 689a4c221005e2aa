/** The bundled templates, run by the built-in host as deployed by a team. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Template } from '../../generated/api/types.gen';
import { templatesIn } from '../drivers/templates';
import { ROOT } from '../root';
import { findPostgres } from '../tools/system';
import { planCompose } from './compose/plan';
import { until } from './testing/client';
import { startDockerHost, type DockerHost } from './testing/dockerHost';
import { ensureProgramImage, type ProgramImage } from './testing/programImage';

const templates = templatesIn([path.join(ROOT, 'server/templates')], { warn: () => undefined });

interface Running {
  /** Values by input key. */
  values: ReadonlyMap<string, string>;
  /** Fetches from an app port through the gateway. */
  get(
    port: number,
    path: string,
    init?: { body: string; headers: Record<string, string> },
  ): ReturnType<DockerHost['get']>;
  /** The local address where the engine published a port. */
  published(port: number): Promise<number>;
}
interface Runnable {
  image: () => ProgramImage;
  /** Uses the app like its users. */
  use(app: Running, template: Template): Promise<void>;
}

const NODE: ProgramImage = {
  name: 'node',
  copies: { '/usr/local/bin/node': process.execPath },
  programs: ['/usr/local/bin/node'],
};
const mcp: Runnable = {
  image: () => NODE,
  use: async (app, { mcp: described }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const { port = 0, path: at = '' } = described ?? {};
    expect((await app.get(port, at, { body, headers })).status).toBe(401);
    const authorization = `Bearer ${app.values.get('MCP_KEY')}`;
    const reply = await app.get(port, at, { body, headers: { ...headers, authorization } });
    const { result } = JSON.parse(reply.body) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(described?.tools.map(({ name }) => name));
  },
};

/** Templates whose images can be built from this machine's programs and Debian packages. */
const RUNNABLE: Readonly<Record<string, Runnable>> = {
  'mcp-files': mcp,
  'mcp-memory': mcp,
  'nats-server': {
    image: () => ({ name: 'nats', packages: ['nats-server'], programs: ['/usr/sbin/nats-server'] }),
    use: async (app) => {
      const port = await app.published(4222);
      const say = (token: string) =>
        talk(port, `CONNECT ${JSON.stringify({ auth_token: token })}\r\nPING\r\n`);
      expect(await say(app.values.get('TOKEN') ?? '')).toMatch(
        /"auth_required":true[\s\S]*"jetstream":true[\s\S]*PONG/,
      );
      expect(await say('wrong')).toContain('Authorization Violation');
    },
  },
  postgresql: {
    image: () => postgresImage(),
    use: async (app) => {
      const [database, password] = ['POSTGRES_DB', 'POSTGRES_PASSWORD'].map(
        (key) => app.values.get(key) ?? '',
      );
      const at = { host: '127.0.0.1', port: await app.published(5432), user: 'postgres', database };
      const client = new pg.Client({ ...at, password });
      await client.connect();
      expect((await client.query('SELECT current_database() AS name')).rows).toEqual([{ name: database }]);
      await client.end();
      await expect(new pg.Client({ ...at, password: 'wrong' }).connect()).rejects.toThrow(/password/);
    },
  },
  redis: {
    image: () => ({
      name: 'redis',
      packages:
        'redis-server redis-tools libhiredis0.14 libjemalloc2 liblua5.1-0 liblzf1 lua-bitop lua-cjson'.split(
          ' ',
        ),
      programs: ['/usr/bin/redis-server'],
      changes: ['WORKDIR /data'],
    }),
    use: async (app) => {
      const port = await app.published(6379);
      const said = await talk(
        port,
        `AUTH ${app.values.get('PASSWORD')}\r\nCONFIG GET appendonly\r\nQUIT\r\n`,
      );
      expect(said).toMatch(/^\+OK\r\n[\s\S]*appendonly\r\n\$3\r\nyes\r\n/);
      expect(await talk(port, 'PING\r\nQUIT\r\n')).toContain('-NOAUTH');
    },
  },
};

const ONLY_UPSTREAM = 'only its authors publish it, and neither npm nor Debian has it';
/** Templates that this host would run, but whose images can't be built here. */
const NO_IMAGE: Readonly<Record<string, string>> = {
  caddy: ONLY_UPSTREAM,
  mariadb: 'its image’s entrypoint creates the database and the users, which a substitute wouldn’t test',
  'n8n-workflows': 'its npm package is hundreds of megabytes with its dependencies',
  'open-webui': ONLY_UPSTREAM,
  pgvector:
    'the machine’s PostgreSQL comes without the extension; apart from it, the template is that of PostgreSQL',
  privatebin: ONLY_UPSTREAM,
  qdrant: ONLY_UPSTREAM,
  'static-site': 'its image’s entrypoint and paths are nginx’s own',
  rabbitmq: 'it needs thirty packages of Erlang, which take longer than all the others together',
  'uptime-kuma': ONLY_UPSTREAM,
  valkey: 'Debian 12 doesn’t have it; apart from the program’s name, the template is that of Redis',
  vaultwarden: ONLY_UPSTREAM,
  whoami: ONLY_UPSTREAM,
};
/** Templates that need a host with a TEE, and the built-in host's refusals. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'guest-info': /requires a hardware TEE/,
  'mcp-attestation': /requires a hardware TEE/,
  vault: /added capabilities/,
};

let docker: DockerHost;

beforeAll(async () => {
  docker = await startDockerHost();
}, 180_000);
afterAll(() => docker?.close(), 120_000);

test('every template is run or listed with a reason', () => {
  const listed = [RUNNABLE, NO_IMAGE, REFUSED].flatMap((list) => Object.keys(list));
  expect(listed.toSorted()).toEqual(
    templates
      .all()
      .map(({ id }) => id)
      .toSorted(),
  );
});

const known = (id: string): Template => {
  const template = templates.find(id);
  if (!template) throw new Error(`no template ${id}`);
  return template;
};
/** The deploy form's initial values. */
const generated = ({ inputs }: Template): ReadonlyMap<string, string> =>
  new Map(
    inputs.map(({ key, default: value, generate }) => [
      key,
      generate === null ? (value ?? '') : randomBytes(generate).toString('hex').slice(0, generate),
    ]),
  );

const plan = (template: Template) =>
  planCompose(template.compose_file, generated(template), {
    cpus: template.resources.vcpu,
    pids: 1024,
    memory_bytes: template.resources.memory_mb * 2 ** 20,
  });

test.each(Object.keys(NO_IMAGE))('%s is accepted by the built-in host', (id) => {
  expect(plan(known(id)).services).not.toEqual([]);
});
test.each(Object.entries(REFUSED))('%s is refused by the built-in host, with the reason', (id, reason) => {
  expect(() => plan(known(id))).toThrow(reason);
});

describe('an app from the template', () => {
  test.concurrent.each(Object.entries(RUNNABLE))(
    '%s becomes healthy and answers',
    async (id, { image, use }) => {
      const template = known(id);
      const values = generated(template);
      const made = await ensureProgramImage(docker.host, image());
      // The digest names the published image. Everything else runs as in the template.
      const compose = template.images.reduce((file, one) => file.replace(one, made), template.compose_file);
      const app_id = randomBytes(20).toString('hex');
      const pairs = [...values].map(([key, value]) => ({ key, value }));
      const vm = await docker.client.create(
        compose,
        {
          app_id,
          encrypted_env: await docker.client.seal(app_id, pairs),
          memory: template.resources.memory_mb,
        },
        { allowed_envs: [...values.keys()] },
      );
      const { boot_error, instance_id } = await docker.client.booted(vm);
      expect(boot_error).toBe('');
      const [container] = await docker.api.containers([`teehouse.vm=${vm}`]);
      const app: Running = {
        values,
        get: (port, at, init) => docker.get(String(instance_id), port, at, init),
        published: async (port) => {
          const { NetworkSettings } = await docker.api.inspect(container?.Id ?? '');
          return Number(NetworkSettings.Ports?.[`${port}/tcp`]?.[0]?.HostPort);
        },
      };
      const { health } = template;
      await until(`${id} to be healthy`, async () => {
        if (health) return (await app.get(health.port, health.path)).status === 200 ? true : undefined;
        const state = await healthOf(container?.Id ?? '');
        if (state !== 'none') return state === 'healthy' ? true : undefined;
        const ports = await Promise.all(
          template.ports.map(async ({ port }) => answers(await app.published(port))),
        );
        return ports.every(Boolean) ? true : undefined;
      });
      await use(app, template);
      await docker.client.remove(vm);
    },
  );
});

/** Returns the state of the container's own health check, or `none`. */
async function healthOf(container: string): Promise<string> {
  const format = '{{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}}';
  return (
    await promisify(execFile)('docker', ['-H', docker.host, 'inspect', '-f', format, container])
  ).stdout.trim();
}

/** Returns whether something accepts and keeps connections; the engine's proxy accepts them even without a program. */
async function answers(port: number): Promise<boolean> {
  return (await talk(port, 'PING\r\n')) !== '';
}

/** Sends a text and returns the response until the peer closes or goes silent. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.on('error', () => socket.destroy());
  socket.setTimeout(1_000, () => socket.destroy());
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

/** This machine's PostgreSQL with an entrypoint that reads the official image's variables. */
function postgresImage(): ProgramImage {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed');
  const version = path.basename(path.dirname(bin));
  const programs = ['postgres', 'initdb', 'pg_isready'].map((name) => path.join(bin, name));
  const library = `/usr/lib/postgresql/${version}/lib`;
  const modules = ['plpgsql.so', 'dict_snowball.so'].map((name) => path.join(library, name));
  const share = `/usr/share/postgresql/${version}`;
  return {
    name: 'postgres',
    copies: Object.fromEntries([...programs, ...modules, share].map((file) => [file, file])),
    programs,
    users: { postgres: 999 },
    changes: [`ENV PATH=${bin}:/bin PGDATA=/var/lib/postgresql/data`],
    entrypoint: `set -e
mkdir -p /run/postgresql /var/run
[ -e /var/run/postgresql ] || ln -s /run/postgresql /var/run/postgresql
chown postgres /run/postgresql "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres /tmp/password
  su postgres -c 'initdb -U postgres --pwfile=/tmp/password -A scram-sha-256 --locale=C --no-sync'
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \\"$POSTGRES_DB\\";" | su postgres -c 'postgres --single postgres'
fi
exec su postgres -c "exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql"
`,
  };
}
