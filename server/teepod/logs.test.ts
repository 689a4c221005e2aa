import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, startInProcess, temporaryDirectory, until } from './testing/client';
import type { Teepod } from './server';

const COMPOSE = 'services:\n  web: {image: nginx, ports: ["80"]}\n  db: {image: postgres}\n';

let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'simulate', TEEPOD_HEARTBEAT_MS: '100' });
  client = new Client(teepod.listen);
});
afterAll(async () => {
  await teepod.close();
  await dir.remove();
});

describe('logs', () => {
  test('serve the boot log by channel and line count, with heartbeats while idle', async () => {
    const id = await client.create(COMPOSE);
    await client.booted(id);
    const all = (await client.text(`/logs?id=${id}`)).body;
    expect(all).toMatch(/^===== boot @ .* =====\n/);
    expect(all).toContain('containers are simulated');
    expect((await client.text(`/logs?id=${id}&lines=1`)).body.trim().split('\n')).toEqual([
      expect.stringContaining('dstack: done'),
    ]);
    expect((await client.text(`/logs?id=${id}&ch=stderr`)).body).toBe('');
    expect((await client.text(`/logs?id=${id}&ch=other`)).status).toBe(400);
    expect((await client.text('/logs?id=nobody')).status).toBe(404);

    const stream = await client.open(`/logs?id=${id}&follow=true&lines=0`);
    let seen = '';
    stream.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await until('a heartbeat', async () => (seen.includes('[vmm heartbeat]\n') ? true : undefined));
    await client.rpc('StopVm', { id });
    await until('the news', async () => (seen.includes('powered off') ? true : undefined));
    await client.rpc('RemoveVm', { id });
    await new Promise((resolve) => stream.once('close', resolve)); // the CVM is gone, so is its log
  });

  test('label the output of simulated containers', async () => {
    const id = await client.create(COMPOSE);
    const { instance_id } = await client.booted(id);
    const path = `/agent/${instance_id}/logs/web`;
    const line = JSON.parse((await client.text(path)).body) as { channel: string; message: string };
    expect(line.channel).toBe('stdout');
    expect(Buffer.from(line.message, 'base64').toString()).toContain('containers are simulated');
    expect((await client.text(`/agent/${instance_id}/logs/dstack-db-1?text&bare`)).body).toMatch(
      /^db: containers are simulated/,
    );
    expect((await client.text(`/agent/${id}/logs/web?tail=0`)).body).toBe('');
    expect((await client.text(`/agent/${instance_id}/logs/nobody`)).status).toBe(404);
    expect((await client.text(`${path}?since=yesterday`)).status).toBe(400);
    expect((await client.text(`${path}?tail=x`)).status).toBe(400);
    await client.remove(id);
  });

  test('are served by the gateway only if public, with an explanation otherwise', async () => {
    const open = await client.create(COMPOSE);
    const closed = await client.create(COMPOSE, {}, { public_logs: false });
    const [a, b] = [await client.booted(open), await client.booted(closed)];
    const gateway = new Client(`http://127.0.0.1:${teepod.gateway_port}`);
    const get = (host: string, path = '/') =>
      gateway.text(path, { headers: { host: `${host}.cvm.localhost:1` } });
    expect(await get(`${a.instance_id}-80`)).toMatchObject({
      status: 502,
      body: expect.stringContaining('simulated'),
    });
    expect(await get('nobody')).toMatchObject({ status: 502 });
    expect((await get(`${a.instance_id}-8090`, '/logs/web?text')).body).toContain('simulated');
    expect((await get(`${b.instance_id}-8090`, '/logs/web')).status).toBe(403);
    expect(JSON.parse((await get(`${a.app_id}-8090`, '/prpc/Worker.Info?json')).body)).toMatchObject({
      app_name: 'test',
    });
    for (const id of [open, closed]) await client.remove(id);
  });
});
