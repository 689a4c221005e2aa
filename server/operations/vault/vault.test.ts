import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertToken,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const hex = (byte: string, bytes: number) => byte.repeat(bytes);
const KEY = hex('de', 32);
const PASSPHRASE = {
  kind: 'passphrase',
  name: 'Passphrase',
  salt: hex('5a', 32),
  iterations: 600_000,
  wrapped_key: hex('7c', 60),
};
const PASSKEY = {
  kind: 'passkey',
  name: 'Laptop',
  salt: hex('5b', 32),
  credential_id: 'AQIDBA',
  wrapped_key: hex('7d', 60),
};
const setUp = (client: TestClient, public_key = KEY) =>
  client.call('createVault', { body: { public_key, lock: PASSPHRASE } });
const digestOf = (env: string) => createHash('sha256').update(Buffer.from(env, 'hex')).digest('hex');
const copy = (env: string, public_key = KEY) => ({
  ciphertext: `01${hex('ab', 61)}`,
  env_digest: digestOf(env),
  public_key,
});
const expireConfirmation = (client: TestClient) =>
  server.services.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('id')
        .where('email', '=', client.email ?? ''),
    )
    .execute();

async function insertUserApp(client: TestClient, name: string, encrypted_env: string | null) {
  const { db } = server.services;
  const { user_id, team_id } = await identityOf(db, client.email ?? '');
  const host = await insertHost(db);
  const app = await insertApp(db, { team_id, user_id, host, name });
  const cvm = await insertCvm(db, { ...app, host, change: { encrypted_env } });
  return { ...app, host, cvm, path: { app_id: app.app.app_id } };
}

describe('the vault', () => {
  it('is created once, read, and deleted with its contents', async () => {
    const anna = await server.register('anna@example.test');
    expect((await anna.call('getVault')).body).toEqual({ vault: null });
    expect((await anna.call('deleteVault')).status).toBe(404);
    const made = await setUp(anna);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      public_key: KEY,
      locks: [{ kind: 'passphrase', iterations: 600_000, credential_id: null, wrapped_key: hex('7c', 60) }],
    });
    expect((await anna.call('getVault')).body).toEqual({ vault: made.body });
    expect((await setUp(anna, hex('aa', 32))).status).toBe(409);
    expect((await anna.call('deleteVault')).status).toBe(204);
    expect((await anna.call('getVault')).body).toEqual({ vault: null });
  });

  it('requires a recent confirmation before its key changes', async () => {
    const bert = await server.register('bert@example.test');
    await expireConfirmation(bert);
    const refused = await setUp(bert);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'ERR-00-031' });
    expect((await bert.call('getVault')).body).toEqual({ vault: null });
  });

  it('is not accessible to other users or tokens', async () => {
    const cleo = await server.register('cleo@example.test');
    await setUp(cleo);
    const dora = await server.register('dora@example.test');
    expect((await dora.call('getVault')).body).toEqual({ vault: null });
    const token = await insertToken(
      server.services.db,
      await identityOf(server.services.db, cleo.email ?? ''),
    );
    expect((await server.anonymous.with({ 'x-api-key': token }).call('getVault')).status).toBe(403);
    expect((await server.anonymous.call('getVault')).status).toBe(401);
  });

  it('accepts additional locks and keeps the last one', async () => {
    const emil = await server.register('emil@example.test');
    expect((await emil.call('createVaultLock', { body: PASSKEY })).status).toBe(404);
    const made = await setUp(emil);
    const first = 'locks' in made.body ? (made.body.locks[0]?.id ?? '') : '';
    const added = await emil.call('createVaultLock', { body: PASSKEY });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      locks: [{ kind: 'passphrase' }, { kind: 'passkey', name: 'Laptop' }],
    });
    expect((await emil.call('createVaultLock', { body: PASSKEY })).status).toBe(409);
    const remove = (lock_id: string) => emil.call('deleteVaultLock', { path: { lock_id } });
    expect((await remove('lck_none')).status).toBe(404);
    const left = await remove(first);
    expect(left.body).toMatchObject({ locks: [{ kind: 'passkey' }] });
    const last = 'locks' in left.body ? (left.body.locks[0]?.id ?? '') : '';
    const refused = await remove(last);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ detail: { message: expect.stringMatching(/only way/) } });
  });

  it('rejects invalid locks', async () => {
    const fred = await server.register('fred@example.test');
    for (const [lock, field] of [
      [{ ...PASSPHRASE, iterations: undefined }, 'iterations'],
      [{ ...PASSPHRASE, credential_id: 'AQID' }, 'credential_id'],
      [{ ...PASSKEY, credential_id: undefined }, 'credential_id'],
      [{ ...PASSKEY, iterations: 600_000 }, 'iterations'],
      [{ ...PASSPHRASE, name: ' ‎ ' }, 'name'],
    ] as const) {
      const answer = await fred.call('createVault', { body: { public_key: KEY, lock } });
      expect(answer.status, field).toBe(422);
      expect(JSON.stringify(answer.body), field).toContain(field);
    }
    const weak = { ...PASSPHRASE, iterations: 1000 };
    expect((await fred.call('createVault', { body: { public_key: KEY, lock: weak } })).status).toBe(422);
  });
});

describe('secret copies', () => {
  it('are stored, listed with the CVMs that use them, and deleted', async () => {
    const gina = await server.register('gina@example.test');
    await setUp(gina);
    const { cvm, path } = await insertUserApp(gina, 'gina-app', 'c0ffee');
    expect((await gina.call('listSecretCopies', { path })).body).toEqual({ items: [] });
    expect((await gina.call('deleteSecretCopies', { path })).status).toBe(404);
    const kept = await gina.call('putSecretCopy', { path, body: copy('c0ffee') });
    expect(kept.status).toBe(200);
    expect(kept.body).toMatchObject({ env_digest: digestOf('c0ffee'), cvms: [cvm.vm_uuid] });
    // During an update the CVM still runs with the other copy.
    await gina.call('putSecretCopy', { path, body: copy('beef') });
    expect((await gina.call('listSecretCopies', { path })).body).toMatchObject({
      items: [
        { env_digest: digestOf('beef'), cvms: [] },
        { env_digest: digestOf('c0ffee'), cvms: [cvm.vm_uuid] },
      ],
    });
    expect((await gina.call('deleteSecretCopies', { path })).status).toBe(204);
    expect((await gina.call('listSecretCopies', { path })).body).toEqual({ items: [] });
  });

  it('belong to a CVM as soon as its update is accepted, until the update fails', async () => {
    const { db } = server.services;
    const ines = await server.register('ines@example.test');
    await setUp(ines);
    const { path, cvm } = await insertUserApp(ines, 'ines-app', 'c0ffee');
    await ines.call('putSecretCopy', { path, body: copy('c0ffee') });
    const update = await insertOperation(db, cvm, { type: 'update' });
    await db
      .updateTable('operations')
      .set({ payload: JSON.stringify({ encrypted_env: 'beef' }) })
      .where('id', '=', update.id)
      .execute();
    await ines.call('putSecretCopy', { path, body: copy('beef') });
    const inUse = async () => {
      const { body } = await ines.call('listSecretCopies', { path });
      return body.items.filter(({ cvms }) => cvms.includes(cvm.vm_uuid)).map(({ env_digest }) => env_digest);
    };
    expect(await inUse()).toEqual([digestOf('beef')]);
    await db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date() })
      .where('id', '=', update.id)
      .execute();
    expect(await inUse()).toEqual([digestOf('c0ffee')]);
  });

  it('are limited, without dropping the one in use', async () => {
    const hugo = await server.register('hugo@example.test');
    await setUp(hugo);
    const { path, cvm } = await insertUserApp(hugo, 'hugo-app', 'c0ffee');
    await hugo.call('putSecretCopy', { path, body: copy('c0ffee') });
    for (let index = 10; index < 19; index++)
      await hugo.call('putSecretCopy', { path, body: copy(`be${index}`) });
    const answer = await hugo.call('listSecretCopies', { path });
    const items = 'items' in answer.body ? answer.body.items : [];
    expect(items).toHaveLength(5);
    expect(items[0]).toMatchObject({ env_digest: digestOf('be18') });
    expect(items.find((one) => one.cvms.includes(cvm.vm_uuid))).toMatchObject({
      env_digest: digestOf('c0ffee'),
    });
  });

  it('are kept for every CVM that runs with its own or is being updated to another', async () => {
    const { db } = server.services;
    const lena = await server.register('lena@example.test');
    await setUp(lena);
    const { path, cvm, ...app } = await insertUserApp(lena, 'lena-app', 'c0ffee');
    const update = await insertOperation(db, cvm, { type: 'update' });
    await db
      .updateTable('operations')
      .set({ payload: JSON.stringify({ encrypted_env: 'beef' }) })
      .where('id', '=', update.id)
      .execute();
    const used = ['c0ffee', 'beef'];
    for (let index = 10; index < 16; index++) used.push(`ca${index}`);
    for (const env of used) {
      if (env.startsWith('ca')) await insertCvm(db, { ...app, change: { encrypted_env: env } });
      await lena.call('putSecretCopy', { path, body: copy(env) });
    }
    await lena.call('putSecretCopy', { path, body: copy('0ddb') });
    await lena.call('putSecretCopy', { path, body: copy('0ddc') });
    const { body } = await lena.call('listSecretCopies', { path });
    expect(body.items.map(({ env_digest }) => env_digest)).toEqual(
      ['0ddc', ...used.toReversed()].map(digestOf),
    );
  });

  it('are private to the user and the team, and deleted when the user leaves', async () => {
    const { db } = server.services;
    const ida = await server.register('ida@example.test');
    await setUp(ida);
    const { path } = await insertUserApp(ida, 'ida-app', 'c0ffee');
    await ida.call('putSecretCopy', { path, body: copy('c0ffee') });
    const joan = await server.register('joan@example.test');
    expect((await joan.call('listSecretCopies', { path })).status).toBe(404);
    await setUp(joan);
    expect((await joan.call('putSecretCopy', { path, body: copy('c0ffee') })).status).toBe(404);
    const of = {
      ida: await identityOf(db, 'ida@example.test'),
      joan: await identityOf(db, 'joan@example.test'),
    };
    await db
      .insertInto('memberships')
      .values({ team_id: of.ida.team_id, user_id: of.joan.user_id, role: 'member' })
      .execute();
    const colleague = joan.with({ 'x-workspace': ida.slug ?? '' });
    expect((await colleague.call('listSecretCopies', { path })).body).toEqual({ items: [] });
    expect((await colleague.call('putSecretCopy', { path, body: copy('c0ffee') })).status).toBe(200);
    await db
      .deleteFrom('memberships')
      .where('team_id', '=', of.ida.team_id)
      .where('user_id', '=', of.joan.user_id)
      .execute();
    expect(
      await db.selectFrom('secret_copies').select('user_id').where('team_id', '=', of.ida.team_id).execute(),
    ).toEqual([{ user_id: of.ida.user_id }]);
  });

  it('are rejected when sealed to a previous vault', async () => {
    const kurt = await server.register('kurt@example.test');
    const { path } = await insertUserApp(kurt, 'kurt-app', null);
    expect((await kurt.call('putSecretCopy', { path, body: copy('c0ffee') })).status).toBe(404);
    await setUp(kurt);
    await kurt.call('deleteVault');
    await setUp(kurt, hex('aa', 32));
    const refused = await kurt.call('putSecretCopy', { path, body: copy('c0ffee', KEY) });
    expect(refused.status).toBe(409);
    const viewer = await identityOf(server.services.db, 'kurt@example.test');
    await server.services.db
      .updateTable('memberships')
      .set({ role: 'viewer' })
      .where('user_id', '=', viewer.user_id)
      .execute();
    expect((await kurt.call('listSecretCopies', { path })).status).toBe(403);
  });
});
