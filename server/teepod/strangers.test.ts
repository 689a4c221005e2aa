import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Teepod } from './server';
import { Client, startInProcess, temporaryDirectory, until } from './testing/client';

/** Many people share one local teepod: what one of them, or a page in the operator's browser, can do to the others. */
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'simulate', TEEPOD_PARALLEL_BOOTS: '1' });
  client = new Client(teepod.listen);
});
afterAll(async () => {
  await teepod.close();
  await dir.remove();
});

const compose = (image: string) => `services:\n  web: {image: ${image}}\n`;

test('images that come slowly keep nobody else from booting, and can be given up', async () => {
  const { engine } = teepod.manager;
  const prepare = engine.prepare.bind(engine);
  engine.prepare = (request) =>
    request.plan.services[0]?.image === 'tarpit'
      ? new Promise((_resolve, reject) =>
          request.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
        )
      : prepare(request);
  const slow = await Promise.all([1, 2, 3].map(() => client.create(compose('tarpit'))));
  const quick = await client.create(compose('nginx'));
  expect(await client.booted(quick)).toMatchObject({ boot_progress: 'done' });
  for (const id of slow) {
    await client.rpc('StopVm', { id });
    await client.status(id, 'stopped');
  }
  engine.prepare = prepare;
});

test('pages in a browser cannot command it', async () => {
  const id = await client.create(compose('nginx'));
  const pages: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of pages) {
    const answer = await client.text(`/prpc/RemoveVm?id=${id}`, { headers });
    expect(answer.status).toBe(403);
  }
  await until('it is there', async () => ((await client.info(id)) ? true : undefined));
});
