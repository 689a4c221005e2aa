import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server';
import { notFound } from '../notFound';
import { errorHandler } from '../errors';
import { mountPages } from './static';

let server: TestServer;
let http: Server;
let origin: string;

beforeAll(async () => {
  server = await startTestServer({ env: { AGENT_FRAMEWORK: 'crew', CHAT_BOT_SERVICE: 'matrix' } });
  const app = express();
  mountPages(app, { html: async (name) => `<title>${name}</title>`, scripts: () => [] }, server.services);
  app.use(notFound, errorHandler(server.services.log));
  http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

const open = (path: string, accept = 'text/html,*/*;q=0.8') =>
  fetch(`${origin}${path}`, { headers: { accept } });

describe('page status', () => {
  it.each([
    ['/', 'console'],
    ['/login', 'console'],
    ['/login?next=/x.y', 'console'],
    ['/account/settings/', 'console'],
    ['/dashboard/cvms/some-id/crew-conf', 'console'],
    ['/no-such-team', 'console'],
    ['/no-such-team/apps/x/cvms/y/logs', 'console'],
    ['/invite/thk_inv_abc', 'console'],
    ['/admin', 'admin'],
    ['/admin/infra/teepods/5/hosted-cvms', 'admin'],
    ['/admin/infra/teepods/5/gpus/7/edit', 'admin'],
    ['/admin/workspaces/3/apps/a/cvms', 'admin'],
    ['/admin/system/matrix-integration', 'admin'],
    ['/admin/cvms/some-id/logs', 'console'],
  ])('is 200 for %s', async (path, app) => {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(app);
  });

  it.each([
    ['/no/such/page', 'console'],
    ['/login/nope', 'console'],
    ['/dashboard/cvms/x/eliza-conf', 'console'],
    ['/explorers/nope', 'console'],
    ['/Not_A_Team', 'console'],
    ['/a-team/nope', 'console'],
    ['/admin/nope', 'admin'],
    ['/admin/infra/nope', 'admin'],
    ['/admin/teepods', 'admin'],
    ['/admin/infra/teepods/5/nope', 'admin'],
    ['/admin/system/telegram-integration', 'admin'],
    ['/admin/cvms/some-id/nope', 'console'],
    ['/%E0%A4%A', null],
  ])('is 404 with the not-found page for %s', async (path, app) => {
    const answer = await open(path);
    expect(answer.status === 404 || app === null).toBe(true);
    if (app !== null) expect(await answer.text()).toContain(app);
    else expect(answer.status).toBeLessThan(500);
  });

  it.each(['/robots.txt', '/wp-login.php', '/assets/gone-1a2b3c.js', '/images/logo.png'])(
    'is 404 without a page for the file %s',
    async (path) => {
      const answer = await open(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it("is 404 in JSON for a client that doesn't accept HTML", async () => {
    const answer = await open('/no/such/page', 'application/json');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });
});
