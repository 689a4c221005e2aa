/** Real containers on a real engine: `ensureDocker` uses a running one or starts one. */
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDocker, ensureTestImages } from '../tools/docker';
import { DockerApi } from './engine/dockerApi';
import { appCompose, BUSYBOX, Client, startInProcess, temporaryDirectory, until } from './testing/client';
import { filesWith } from './testing/files';
import type { Teepod } from './server';

let api: DockerApi;
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  await ensureTestImages(found.socket);
  api = new DockerApi(found.socket);
  dir = await temporaryDirectory();
  process.env['TEEPOD_CANARY'] = 'of the server';
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'docker', TEEPOD_RESTART_INTERVAL_MS: '400' });
  client = new Client(teepod.listen);
}, 180_000);

afterAll(async () => {
  if (!teepod) return;
  for (const vm of teepod.manager.list()) await client.rpc('RemoveVm', { id: vm.id });
  for (const vm of teepod.manager.list()) await client.gone(vm.id);
  await teepod.close();
  await dir.remove();
}, 120_000);

const shell = (script: string, more = '') =>
  `services:\n  app:\n    image: ${BUSYBOX}\n    command: ["sh", "-c", ${JSON.stringify(script.replaceAll('$', () => '$$'))}]\n${more}`;
const containersOf = async (id: string) => api.containers([`teehouse.vm=${id}`]);
async function output(id: string, query = 'text&bare'): Promise<string> {
  return (await client.text(`/agent/${id}/logs/app?${query}`)).body;
}

const NASTY: Record<string, string> = {
  DOLLARS: 'a$b $$ ${HOME} $(id) `id` $',
  QUOTES: `"double" 'single' \\"escaped\\"`,
  BACKSLASHES: 'C:\\new\\table \\\\ \\u0041 \\',
  NEWLINES: 'line one\nline two\r\n\ttabbed\n\n',
  UNICODE: 'héllo wörld 🔐 漢字 \u0085\u2028\u007f\ufeff',
  YAML: '- x: {y: [1, 2]} # no comment\n---\n&a *a !!binary | > % @ `',
  SPACES: '   ',
  EMPTY: '',
  TRUTHY: 'yes',
  NUMBER: '0123.0',
  LARGE: randomBytes(48 * 1024).toString('base64'),
};

describe('environment', () => {
  test("passes every value byte for byte and none of the server's variables", async () => {
    const names = Object.keys(NASTY);
    const script = `${names.map((name) => `printf %s "$${name}" | sha256sum`).join('; ')}; env | cut -c1-200; echo end; sleep 1000`;
    const compose = shell(
      script,
      `    environment:\n${names.map((name) => `      ${name}: \${${name}}`).join('\n')}\n      BARE:\n      MIXED: "[\${QUOTES}]"\n`,
    );
    const appId = '12'.repeat(20);
    const pairs = Object.entries({ ...NASTY, BARE: 'taken from the environment' }).map(([key, value]) => ({
      key,
      value,
    }));
    const encrypted = await client.seal(appId, pairs);
    const id = await client.create(
      compose,
      { app_id: appId, encrypted_env: encrypted },
      { allowed_envs: [...names, 'BARE'] },
    );
    expect((await client.booted(id)).boot_error).toBe('');
    const text = await until('output', async () =>
      (await output(id)).includes('\nend\n') ? output(id) : undefined,
    );
    const sums = text
      .split('\n')
      .slice(0, names.length)
      .map((line) => line.split(' ')[0]);
    expect(sums).toEqual(
      names.map((name) =>
        createHash('sha256')
          .update(NASTY[name] ?? '')
          .digest('hex'),
      ),
    );
    expect(text).toContain('BARE=taken from the environment\n');
    expect(text).toContain(`MIXED=[${NASTY['QUOTES']}]\n`);

    const [container] = await containersOf(id);
    const { Config } = await api.inspect(container?.Id ?? '');
    const inside = (Config.Env ?? []).map((entry) => entry.split('=')[0] ?? '');
    expect(inside.filter((name) => ![...names, 'BARE', 'MIXED', 'PATH'].includes(name))).toEqual([]);
    expect(JSON.stringify(Config.Env)).not.toContain('of the server');

    // Neither the teepod's state nor its logs contain a decrypted value.
    expect(await filesWith(dir.path, 'taken from the environment')).toEqual([]);
  });
});

describe('limits and isolation', () => {
  test('sets CPU, memory, process, loopback and sandbox options on the container', async () => {
    const id = await client.create(shell('sleep 1000', '    ports: ["8080:80"]\n    mem_limit: 32m\n'), {
      memory: 64,
      vcpu: 1,
    });
    expect((await client.booted(id)).boot_error).toBe('');
    const [one] = await containersOf(id);
    const { HostConfig, NetworkSettings } = await api.inspect(one?.Id ?? '');
    expect([HostConfig.Memory, HostConfig.NanoCpus, HostConfig.PidsLimit]).toEqual([32 * 2 ** 20, 1e9, 768]);
    expect(HostConfig.Binds ?? []).toEqual([]);
    expect(HostConfig).toMatchObject({
      Privileged: false,
      SecurityOpt: ['no-new-privileges:true'],
    });
    expect(NetworkSettings.Ports?.['80/tcp']?.map((port) => port.HostIp)).toEqual(['127.0.0.1']);
    if (process.getuid?.() === 0 && (await api.info()).CgroupDriver === 'cgroupfs') {
      expect(HostConfig.CgroupParent).toMatch(/^\/teehouse-/);
    }
    const sys = await client.rpc<{ total_memory: number; used_memory: number; measured: string }>(
      '/guest/SysInfo',
      { id },
    );
    expect(sys.total_memory).toBe(64 * 2 ** 20);
    expect(sys.used_memory).toBeGreaterThan(0);
    expect(sys.measured).toBe('containers');
    const net = await client.rpc<{ interfaces: { name: string }[] }>('/guest/NetworkInfo', { id });
    expect(net.interfaces[0]?.name).toBe('app:eth0');
    await client.remove(id);
  });

  test("kills a container that exceeds the CVM's memory", async () => {
    const id = await client.create(
      shell('head -c 200m /dev/zero | tail >/dev/null; echo survived $?; sleep 1000', '    restart: "no"\n'),
      { memory: 32 },
    );
    await client.booted(id);
    const text = await until('the end', async () =>
      (await output(id)).includes('survived') ? output(id) : undefined,
    );
    expect(text).toMatch(/survived (137|1)|Killed/);
    await client.remove(id);
  });

  test('rejects an image from a disallowed registry before connecting', async () => {
    const id = await client.create('services: {app: {image: "localhost:1/nobody/nothing:1"}}');
    expect((await client.booted(id)).boot_error).toMatch(
      /failed to start containers: image localhost:1\/nobody\/nothing:1 can't be pulled: its registry is not allowed/,
    );
    await client.remove(id);
  });

  test('omits a misplaced secret from the error', async () => {
    const appId = '34'.repeat(20);
    const encrypted_env = await client.seal(appId, [{ key: 'P', value: '/home/secret-value' }]);
    const id = await client.create(
      shell('true', '    volumes: ["${P}:/x"]\n'),
      { app_id: appId, encrypted_env },
      { allowed_envs: ['P'] },
    );
    const { boot_error } = await client.booted(id);
    expect(boot_error).toContain('services.app.volumes[0]');
    expect(boot_error).not.toContain('secret-value');
    await client.remove(id);
  });
});

describe('lifecycle', () => {
  test('stops, starts, updates and removes a CVM, keeping its disks until removal', async () => {
    const volume = 'volumes: {data: {}}\n';
    const id = await client.create(
      shell('echo boot >> /data/log; wc -l < /data/log; sleep 1000', '    volumes: ["data:/data"]\n') +
        volume,
    );
    expect((await client.booted(id)).boot_error).toBe('');
    const [first] = await containersOf(id);
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    expect((await containersOf(id)).map((one) => one.State)).toEqual(['exited']);
    expect(await output(id)).toBe('1\n'); // logs of a stopped container
    await client.rpc('StartVm', { id });
    await client.booted(id);
    expect((await containersOf(id)).map((one) => one.Id)).toEqual([first?.Id]);
    await until('the second line', async () => ((await output(id)).includes('2\n') ? true : undefined));

    await client.rpc('ShutdownVm', { id });
    await client.status(id, 'stopped');
    await client.rpc('UpdateVm', {
      id,
      compose_file: appCompose(shell('echo updated; sleep 1000', '    volumes: ["data:/data"]\n') + volume),
    });
    await client.rpc('StartVm', { id });
    await client.booted(id);
    await until('the update', async () => ((await output(id)) === 'updated\n' ? true : undefined));

    await client.remove(id);
    const label = [`teehouse.vm=${id}`];
    expect([await api.containers(label), await api.networks(label), await api.volumes(label)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('mounts the Compose file’s configs read-only, and replaces changed ones', async () => {
    const service = shell(
      'cat /motd /etc/app/long; echo > /motd; sleep 1000',
      '    configs: [motd, {source: long, target: /etc/app/long}]\n',
    );
    const file = (text: string) =>
      `${service}configs: ${JSON.stringify({ motd: { content: text }, long: { content: 'at its target\n' } })}\n`;
    const id = await client.create(file('one $$ each\n'));
    // Reading the log can be cut off while the container is replaced.
    const log = () => output(id).catch(() => '');
    const shows = (text: string) => until(text, async () => (await log()).includes(text) || undefined);
    await shows('one $ each\nat its target\n');
    await shows('Read-only file system');
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    await client.rpc('UpdateVm', { id, compose_file: appCompose(file('two\n')) });
    await client.rpc('StartVm', { id });
    await shows('two\nat its target\n');
    const old = () => filesWith(dir.path, 'one $ each');
    await until('the old config is gone', async () => (await old()).length === 0 || undefined);
  });

  test('resolves services by name and by container_name', async () => {
    const id = await client.create(`services:
  web: {image: "nginx:alpine", container_name: front}
  app:
    image: ${BUSYBOX}
    depends_on: [web]
    command: sh -c 'for h in web front; do for i in 1 2 3 4 5 6 7 8 9; do wget -q -O - http://$$h/ && break; sleep 0.2; done; done; sleep 1000'
`);
    expect((await client.booted(id)).boot_error).toBe('');
    await until('both answers', async () =>
      (await output(id)).match(/Hello from a container/g)?.length === 2 ? true : undefined,
    );
    const { containers } = await client.rpc<{ containers: { names: string[] }[] }>('/guest/ListContainers', {
      id,
    });
    expect(containers.map((one) => one.names[0])).toEqual(['/dstack-app-1', '/front']);
    await client.remove(id);
  });

  test('restarts a CVM whose containers crash, up to 5 times', async () => {
    const id = await client.create(shell('echo try; sleep 0.3; exit 3'));
    const events = async () => (await client.info(id)).events.map((one) => one.event);
    await until(
      'exhaustion',
      async () => ((await events()).includes('vmm.auto_restart.exhausted') ? true : undefined),
      90_000,
    );
    expect(await client.info(id)).toMatchObject({ status: 'exited' });
    // Counted in the boot log: a busy engine loses lines of containers that live for milliseconds.
    const log = (await client.text(`/logs?id=${id}`)).body;
    expect(log.match(/===== boot/g), log).toHaveLength(6);
    const restarts = (await client.info(id)).events.filter((one) => one.event === 'vmm.auto_restart');
    expect(restarts.at(-1)?.body).toBe('restart 5 of 5');
    expect(await output(id)).toMatch(/^try\n/);
    await client.rpc('StopVm', { id });
    expect((await client.info(id)).status).toBe('stopped');
    await client.remove(id);
  }, 120_000);

  test('keeps a CVM running after a job exits successfully', async () => {
    const id = await client.create(shell('echo done'));
    await client.booted(id);
    await until('the end', async () => ((await containersOf(id))[0]?.State === 'exited' ? true : undefined));
    const seen = new Set<string>();
    for (let index = 0; index < 10; index++) {
      await teepod.manager.engine.list();
      seen.add((await client.info(id)).status);
    }
    expect([...seen]).toEqual(['running']);
    await client.remove(id);
  });

  test('leaves nothing running when stopped during a boot', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => client.create(shell('sleep 1000'))));
    await until('containers starting', async () =>
      (await client.info(ids[0] ?? '')).boot_progress === 'starting containers' ? true : undefined,
    );
    for (const id of ids) await client.rpc('StopVm', { id });
    for (const id of ids) {
      await client.status(id, 'stopped');
      expect((await containersOf(id)).filter((one) => one.State === 'running')).toEqual([]);
      await client.remove(id);
    }
  });
});

describe('container logs', () => {
  test('support channels, base64, tail, since, timestamps, colors and follow', async () => {
    const script =
      'for i in 1 2 3; do echo out$i; done; echo err >&2; printf "\\033[31mred\\033[0m\\n"; while read x; do :; done < /dev/null; sleep 1; for i in a b c d; do echo late-$i; sleep 0.3; done; sleep 1000';
    const id = await client.create(shell(script));
    const { instance_id } = await client.booted(id);
    const path = `/agent/${instance_id}/logs/app`;

    const follow = await client.open(`${path}?follow&tail=1000`);
    let followed = '';
    follow.on('data', (chunk: Buffer) => (followed += chunk.toString()));
    const lines = () =>
      followed
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { channel: string; message: string });
    await until('the followed line', async () =>
      lines().some((one) => Buffer.from(one.message, 'base64').toString() === 'late-d\n') ? true : undefined,
    );
    follow.destroy();
    expect(lines().find((one) => one.channel === 'stderr')?.message).toBe(
      Buffer.from('err\n').toString('base64'),
    );

    expect((await client.text(`${path}?bare&text`)).body).toContain('\nred\n');
    expect((await client.text(`${path}?bare&text&ansi`)).body).toContain('\u001b[31mred');
    expect((await client.text(`${path}?bare&tail=2`)).body).toBe('late-c\nlate-d\n');
    const stamped = (await client.text(`${path}?bare&timestamps&tail=2`)).body.split('\n');
    const moment = stamped[1]?.split(' ')[0] ?? '';
    expect(moment).toMatch(/^\d{4}-\d{2}-\d{2}T/);
    expect(
      (
        await client.text(
          `${path}?bare&since=${encodeURIComponent(new Date(Date.parse(moment) + 1000).toISOString())}`,
        )
      ).body,
    ).toBe('');
    expect((await client.text(`${path}?bare&since=10m`)).body).toContain('out1');
    expect((await client.text(`${path}?bare&until=10m`)).body).toBe('');
    expect(JSON.parse((await client.text(`${path}?text&tail=1`)).body)).toEqual({
      channel: 'stdout',
      message: 'late-d\n',
    });
    await client.remove(id);
  });

  test('use no memory for a reader that stops reading', async () => {
    const id = await client.create(
      shell('yes 0123456789012345678901234567890123456789 | head -n 60000; yes x; sleep 1000'),
    );
    await client.booted(id);
    const before = process.memoryUsage().rss;
    const slow = await Promise.all(
      Array.from({ length: 5 }, () => client.open(`/agent/${id}/logs/app?follow&tail=all`)),
    );
    for (const one of slow) one.pause();
    await until('the container to have written a lot', async () =>
      (await output(id, 'bare&tail=1')) === 'x\n' ? true : undefined,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20);
    for (const one of slow) one.destroy();
    await client.remove(id);
  });
});

describe('gateway', () => {
  test('routes requests and upgrades to the published port and explains other addresses', async () => {
    const id = await client.create('services: {web: {image: "nginx:alpine", ports: ["8088:80"]}}');
    const { instance_id, app_id } = await client.booted(id);
    const gateway = new Client(`http://127.0.0.1:${teepod.gateway_port}`);
    const get = (host: string) =>
      gateway.text('/', { headers: { host: `${host}.cvm.localhost:${teepod.gateway_port}` } });
    await until('httpd', async () => ((await get(`${instance_id}-8088`)).status === 200 ? true : undefined));
    expect((await get(`${app_id}-8088`)).body).toContain('Hello from a container');
    expect(await get(`${instance_id}-9999`)).toMatchObject({
      status: 502,
      body: expect.stringContaining('published: 8088'),
    });

    // busybox httpd doesn't support WebSockets: its plain response through the tunnel shows that the upgrade
    // path is raw.
    const socket = connect(teepod.gateway_port, '127.0.0.1');
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${instance_id}-8088.cvm.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    await until('an answer', async () => (answer.includes('Hello from a container') ? true : undefined));
    socket.destroy();

    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
    expect(await get(`${instance_id}-8088`)).toMatchObject({
      status: 502,
      body: expect.stringContaining('stopped'),
    });
    await client.remove(id);
  });
});
