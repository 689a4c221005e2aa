import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../domain/teams/token';
import { signLogToken } from '../domain/logs/logUrls';
import { startFakeVmm, type FakeVmm } from '../drivers/vmm/fake';
import { identityOf, insertApp, insertCvm, insertHost, logReaderOf } from '../testing/cvmFixtures';
import { eventually, startTestServer, type TestServer } from '../testing/server';
import { operations } from '../../generated/api/operations.gen';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { createContext } from './context';
import { sendStream } from './streams';

/** Open responses while the process drains or their reader loses access. */
let server: TestServer;
let fake: FakeVmm;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', DRAIN_SECONDS: '30' } });
  fake = await startFakeVmm();
});
afterAll(async () => {
  await fake.close();
});

async function open(url: string, cookie: string | null, method = 'GET') {
  const answer = await fetch(url, { method, headers: cookie ? { cookie } : {} });
  expect(answer.status).toBe(200);
  let cut = false;
  const ended = (async () => {
    try {
      for await (const _ of answer.body ?? []);
    } catch {
      cut = true;
    }
    return Date.now();
  })();
  return { ended, wasCut: () => cut };
}

it('a HEAD request for a stream ends immediately', async () => {
  const person = await server.register();
  const url = `${server.url}/api/v1${operations.streamEvents.path}`;
  const { ended } = await open(url, person.cookie, 'HEAD');
  await ended;
});

it('a stream closes when its reader signs out', async () => {
  const person = await server.register();
  const app = express();
  app.get('/stream', async (req, res) => {
    const ctx = await createContext(server.services, 'streamEvents', req, res);
    async function* quiet() {
      yield 'hello\n';
      await new Promise<void>((resolve) =>
        ctx.signal.addEventListener('abort', () => resolve(), { once: true }),
      );
    }
    const { services } = server;
    await sendStream(
      { services, spec: operations.streamEvents, req, res, ctx, recheck_ms: 50 },
      'text/plain',
      quiet(),
    );
  });
  const http = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const stream = await open(`http://127.0.0.1:${(http.address() as AddressInfo).port}/stream`, person.cookie);
  let over = false;
  void stream.ended.then(() => (over = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(over).toBe(false);
  const token = person.cookie!.split('=')[1]!;
  await server.services.db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
  await eventually('the stream has ended', async () => over);
  http.close();
});

it('SIGTERM ends page streams and logs long before the drain limit of 30 seconds', async () => {
  const { db, seal } = server.services;
  const person = await server.register();
  const who = await identityOf(db, person.email!);
  const host = await insertHost(db, { name: 'draining', url: fake.url });
  const app = await insertApp(db, { ...who, host, name: 'draining' });
  const cvm = await insertCvm(db, { ...app, host, ...who });
  const host_vm_id = await server.services.vmm.get(host.teepod).createVm({
    name: 'draining',
    image: 'dstack-0.6.0',
    compose_file: app.revision.app_compose,
    vcpu: 1,
    memory: 2048,
    disk_size: 20,
    app_id: app.app.app_id,
  });
  await db.updateTable('cvms').set({ host_vm_id }).where('id', '=', cvm.id).execute();
  const reader = await logReaderOf(db, who.user_id);
  const token = signLogToken(seal, { cvm_id: cvm.id, team_id: who.team_id, scope: 'cvm', reader });
  const base = `${server.url}/api/v1`;
  const events = await open(`${base}${operations.streamEvents.path}`, person.cookie);
  const state = await open(`${base}/cvms/${cvm.public_id}/state?target=deleted`, person.cookie);
  const log = await open(`${base}/logs/cvms/${cvm.vm_uuid}?follow=true&token=${token}`, null);
  const began = Date.now();
  const stopped = server.stop();
  for (const { ended } of [events, state, log]) expect((await ended) - began).toBeLessThan(10_000);
  expect([events.wasCut(), state.wasCut(), log.wasCut()]).toEqual([false, false, true]);
  await stopped;
  expect(Date.now() - began).toBeLessThan(25_000);
});
