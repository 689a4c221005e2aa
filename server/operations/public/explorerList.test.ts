import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PublicAppPage } from '../../../generated/api/types.gen';
import type { CvmChange } from '../../db/cvms/cvmsTable';
import { explorerChoices, listPublicApps } from '../../db/public/explorerApps';
import {
  insertApp,
  insertCvm,
  insertHost,
  insertRevision,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';

/** The explorer's list: its order, filters and pages, without a host. */
let server: TestServer;
let team_id: number;
let host: TestHost;
let onBase: TestHost;
let onTdx: TestHost;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { db } = server.services;
  ({ id: team_id } = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow());
  host = await insertHost(db, {});
  onBase = await insertHost(db, { chain_id: 8453 });
  onTdx = await insertHost(db, { kind: 'dstack_vmm' });
});
afterAll(() => server?.stop());
afterEach(async () => {
  const { db } = server.services;
  await db.updateTable('cvms').set({ listed: false }).where('listed', '=', true).execute();
});

/** Times within the last hour, a second apart, so that no two changes share a millisecond. */
let published = Date.now() - 3_600_000;
async function publish(name: string, change: CvmChange = {}, on: TestHost = host) {
  const { db } = server.services;
  const made = await insertApp(db, { team_id, host: on, name });
  const cvm = await insertCvm(db, { ...made, host: on, change: { listed: true, ...change } });
  const changed_at = new Date((published += 1000));
  await db.updateTable('explorer_apps').set({ changed_at }).where('app_id', '=', made.app.id).execute();
  return { ...made, cvm };
}
const page = async (query: Record<string, unknown> = {}) =>
  (await server.anonymous.call('listPublicApps', { query })).body as PublicAppPage;
const names = async (query: Record<string, unknown> = {}) => (await page(query)).data.map(({ name }) => name);

async function update({ app, cvm }: TestApp & { cvm: { id: number } }, number: number): Promise<void> {
  const { db } = server.services;
  const revision = await insertRevision(db, {
    app,
    number,
    name: app.name,
    compose: `services: {} # ${number}\n`,
  });
  await db.updateTable('cvms').set({ revision_id: revision.id }).where('id', '=', cvm.id).execute();
}

describe('the order', () => {
  it('follows changes that visitors can see', async () => {
    const [first] = [await publish('first'), await publish('second')];
    expect(await names()).toEqual(['second', 'first']);
    await update(first, 2);
    expect(await names()).toEqual(['first', 'second']);
  });

  it('ignores private changes: versions of an unpublished CVM', async () => {
    const first = await publish('first');
    const replica = await insertCvm(server.services.db, { ...first, host });
    await publish('second');
    const before = await page();
    await update({ ...first, cvm: replica }, 2);
    expect(await page()).toEqual(before);
  });

  it('follows a new OS image, which needs no new version', async () => {
    const first = await publish('first');
    await publish('second');
    await server.services.db
      .updateTable('cvms')
      .set({ os_image: 'dstack-0.6.1' })
      .where('id', '=', first.cvm.id)
      .execute();
    expect(await names()).toEqual(['first', 'second']);
  });
});

describe('a cursor', () => {
  it('pages through apps with the same time, each once', async () => {
    const { db } = server.services;
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => publish(name, { listed: false })));
    const ids = made.map(({ cvm }) => cvm.id);
    await db.updateTable('cvms').set({ listed: true }).where('id', 'in', ids).execute();
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, pagination } = await page({ limit: 2, ...(cursor && { cursor }) });
      found.push(...data.map(({ name }) => name));
      cursor = pagination.next_cursor;
      expect(found.length).toBeLessThanOrEqual(5);
    }
    expect(found.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('reveals nothing about the number of apps', async () => {
    await publish('first');
    await publish('second');
    const { next_cursor } = (await page({ limit: 1 })).pagination;
    const text = Buffer.from(next_cursor ?? '', 'base64url').toString('utf8');
    // The change's public time and a random number.
    expect(text).toMatch(/^e\d{13}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  it.each(['nonsense', Buffer.from('i12').toString('base64url'), Buffer.from('e1.x').toString('base64url')])(
    'that is invalid is refused: %s',
    async (cursor) => {
      const answer = await server.anonymous.call('listPublicApps', { query: { cursor } });
      expect(answer.status).toBe(422);
    },
  );
});

describe('filters', () => {
  beforeEach(async () => {
    await publish('plain');
    await publish('on-base', {}, onBase);
    await publish('with-gpu', { gpus: 1 }, onTdx);
    await publish('other-os', { os_image: 'dstack-0.5.9' });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ trust: 'hardware' }, ['with-gpu']],
    [{ trust: 'simulated' }, ['on-base', 'other-os', 'plain']],
    [{ os_image: 'dstack-0.5.9' }, ['other-os']],
    [{ os_image: 'dstack-0.5' }, []],
    [{ kms: 'base' }, ['on-base']],
    [{ kms: 'ethereum' }, []],
    [{ gpu: true }, ['with-gpu']],
    [{ gpu: false }, ['on-base', 'other-os', 'plain', 'with-gpu']],
    [{ gpu: true, trust: 'simulated' }, []],
    [{ q: 'PLA', os_image: 'dstack-0.6.0' }, ['plain']],
  ])('%j', async (query, expected) => {
    expect((await names(query)).sort()).toEqual(expected);
  });

  it.each([0, 5_000])('list the newest matching apps first, even if more than %i match', async (sorted) => {
    const { db } = server.services;
    const found = await listPublicApps(db, { trust: 'simulated', limit: 1 }, sorted);
    expect(found.map(({ name }) => name)).toEqual(['other-os', 'on-base']);
    const rest = await listPublicApps(db, { trust: 'simulated', after: found[1], limit: 10 }, sorted);
    expect(rest.map(({ name }) => name)).toEqual(['plain']);
  });

  it('offer values of published apps only, nothing private', async () => {
    await publish('private', { listed: false, os_image: 'dstack-secret' });
    const { os_images, kms_types } = await explorerChoices(server.services.db);
    expect(os_images).toEqual(['dstack-0.5.9', 'dstack-0.6.0']);
    expect(kms_types).toEqual(expect.arrayContaining(['base', 'phala']));
  });
});

describe('an app', () => {
  it('with several published CVMs is found by what each runs', async () => {
    const { db } = server.services;
    const first = await publish('both', { listed: false, os_image: 'dstack-a' });
    const second = await insertCvm(db, { ...first, host, change: { os_image: 'dstack-b' } });
    const list = (id: number) => sql`update cvms set listed = true where id = ${id}`;
    await db.connection().execute(async (one) => {
      await sql`begin`.execute(one);
      await list(first.cvm.id).execute(one);
      await db.connection().execute(async (other) => {
        await sql`begin`.execute(other);
        const waiting = list(second.id).execute(other);
        await sql`commit`.execute(one);
        await waiting;
        await sql`commit`.execute(other);
      });
    });
    for (const os_image of ['dstack-a', 'dstack-b'])
      expect([os_image, await names({ os_image })]).toEqual([os_image, ['both']]);
  });

  it('is found by its new name and the start of its ID, but not by its old name', async () => {
    const { app } = await publish('before');
    await server.services.db.updateTable('apps').set({ name: 'After' }).where('id', '=', app.id).execute();
    expect(await names({ q: 'after' })).toEqual(['After']);
    expect(await names({ q: 'before' })).toEqual([]);
    expect(await names({ q: `0x${app.app_id.slice(0, 12).toUpperCase()}` })).toEqual(['After']);
    expect(await names({ q: `app_${app.app_id}` })).toEqual(['After']);
    expect(await names({ q: app.app_id.slice(1, 12) })).toEqual([]);
  });

  it('disappears with its last published CVM, and returns with it', async () => {
    const { db } = server.services;
    const { cvm } = await publish('coming-and-going');
    const list = (listed: boolean) =>
      db.updateTable('cvms').set({ listed }).where('id', '=', cvm.id).execute();
    await list(false);
    expect(await names()).toEqual([]);
    expect(await db.selectFrom('explorer_apps').selectAll().execute()).toEqual([]);
    await list(true);
    expect(await names()).toEqual(['coming-and-going']);
    await db.updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
    expect(await names()).toEqual([]);
  });
});
