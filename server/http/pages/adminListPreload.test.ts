import express from 'express';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminLists } from '../../../generated/api/adminLists.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { mountPages } from './static';

let server: TestServer;
let staff: TestClient;
let person: TestClient;
let pages: Server;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  staff = await server.register();
  person = await server.register();
  const app = express();
  mountPages(app, { html: async () => '<p>page</p>', scripts: () => [] }, server.services);
  pages = app.listen(0);
});
afterAll(async () => {
  pages.close();
  await server.stop();
});

/** Returns the requests that the page tells the browser to preload. */
async function told(path: string, cookie: string | null): Promise<string | null> {
  const reply = await fetch(`http://127.0.0.1:${(pages.address() as AddressInfo).port}${path}`, {
    headers: { accept: 'text/html', ...(cookie === null ? {} : { cookie }) },
  });
  expect([reply.status, await reply.text()]).toEqual([200, '<p>page</p>']);
  return reply.headers.get('link');
}

it('every admin list page preloads its first request for staff, and the request succeeds', async () => {
  for (const [path, { request }] of Object.entries(adminLists)) {
    expect(await told(path, staff.cookie)).toBe(`<${request}>; rel=preload; as=fetch; crossorigin=anonymous`);
    const rows = await fetch(server.url + request, { headers: { cookie: staff.cookie ?? '' } });
    expect([path, rows.status, Array.isArray(await rows.json())]).toEqual([path, 200, true]);
  }
});

it('preloads nothing that would be refused, and nothing on other pages', async () => {
  const list = '/admin/infra/nodes';
  expect(await told(list, null)).toBeNull();
  expect(await told(list, person.cookie)).toBeNull();
  expect(await told(list, `${staff.cookie}x`)).toBeNull();
  expect(await told(`${list}?page=2`, staff.cookie)).toBeNull();
  expect(await told(`${list}/7`, staff.cookie)).toBeNull();
  expect(await told('/admin', staff.cookie)).toBeNull();
  const finance = { platform_role: 'finance' as const };
  await server.services.db
    .updateTable('users')
    .set(finance)
    .where('email', '=', person.email ?? '')
    .execute();
  expect(await told(list, person.cookie)).toBeNull();
  expect(await told('/admin/users', person.cookie)).not.toBeNull();
});
