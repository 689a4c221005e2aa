import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminKms, KmsContract, Provision } from '../../../../generated/api/types.gen';
import { recoverEnvKeySigner, signEnvKey } from '../../../../console/lib/secrets/kmsKey';
import { expectedBoots, teamOfApp } from '../../../db/kms/kmsWebhooks';
import { checkKms } from '../../../jobs/kms/checkKms';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import type { TestClient } from '../../../testing/server';
import { problemOf, startAdminTest, unique, type AdminTest } from '../../core/admin/testing/admin';

/* Replacing a KMS's root key: for a time, the current and the next one are both pinned and valid. */

const SECRETS = { old: '11'.repeat(32), new: '22'.repeat(32), other: '33'.repeat(32) };
type Root = keyof typeof SECRETS;
const APP_ID = '0123456789abcdef0123456789abcdef01234567';
const PUBLIC_KEY = createHash('sha256').update('env').digest('hex');
const publicKeyOf = (secret: string) => {
  const key = { public_key: PUBLIC_KEY, app_id: APP_ID };
  return recoverEnvKeySigner({ ...key, signature: signEnvKey(key, secret) });
};
const KEYS: Record<Root, string> = {
  old: publicKeyOf(SECRETS.old),
  new: publicKeyOf(SECRETS.new),
  other: publicKeyOf(SECRETS.other),
};

let test: AdminTest;
let service: Server;
let admin: TestClient;
let kms: AdminKms;
/** The root key that the KMS has now; null while it is down. */
let root: Root | null = 'old';

beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ admin } = test);
  service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (root === null) return void response.writeHead(400).end('{"error":"down"}');
      if (request.url?.includes('GetMeta'))
        return void response.end(JSON.stringify({ ca_cert: '', k256_pubkey: KEYS[root], is_dev: false }));
      if (!request.url?.includes('GetAppEnvEncryptPubKey')) return void response.writeHead(404).end();
      const timestamp = Math.floor(Date.now() / 1000);
      const { app_id } = JSON.parse(text) as { app_id: string };
      const key = { public_key: PUBLIC_KEY, app_id };
      const signature = signEnvKey(key, SECRETS[root]);
      const signature_v1 = signEnvKey({ ...key, timestamp }, SECRETS[root]);
      response.end(JSON.stringify({ public_key: PUBLIC_KEY, signature, signature_v1, timestamp }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => service.once('listening', resolve));
});
afterAll(async () => {
  await test?.server.stop();
  service?.close();
});
beforeEach(async () => {
  root = 'old';
  // Otherwise those of earlier tests would count as replicas.
  await test.server.services.db
    .updateTable('kms')
    .set({ k256_pubkey: null, next_k256_pubkey: null })
    .execute();
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const { status, body } = await admin.call('createAdminKms', {
    body: { slug: unique('rotated'), url, k256_pubkey: KEYS.old },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  kms = body as AdminKms;
});

const patch = (body: object, by = admin) => by.call('updateAdminKms', { path: { id: kms.id }, body });
const retire = (by = admin) => by.call('retireAdminKmsKey', { path: { id: kms.id } });
const shown = async () => (await admin.call('getAdminKms', { path: { id: kms.id } })).body as AdminKms;
const envKey = () => test.member.call('getAppEnvPubkey', { path: { kms: kms.slug, app_id: APP_ID } });
const contract = async () =>
  (await test.member.call('getKms', { path: { kms: kms.slug } })).body as KmsContract;
const fieldOf = (reply: { body: unknown }) => problemOf(reply.body).detail.details[0]?.field;

it('is replaced without a moment in which keys signed by either root key are refused', async () => {
  expect(kms).toMatchObject({ health: 'ok', next_k256_pubkey: null, presents: 'current' });
  const both = await patch({ next_k256_pubkey: KEYS.new });
  expect(both.body).toMatchObject({
    health: 'ok',
    k256_pubkey: KEYS.old,
    next_k256_pubkey: KEYS.new,
    presents: 'current',
  });
  expect((both.body as AdminKms).notices.join(' ')).toContain('still presents its current');
  expect((await envKey()).status).toBe(200);

  root = 'new';
  // Before any check has noticed.
  expect((await envKey()).status).toBe(200);
  const changed = (await admin.call('checkAdminKms', { path: { id: kms.id } })).body as AdminKms;
  expect(changed).toMatchObject({ health: 'ok', presents: 'next', seen_k256_pubkey: KEYS.new });
  expect(changed.notices.join(' ')).toContain('retire the old one');

  const retired = await retire();
  expect(retired.status, JSON.stringify(retired.body)).toBe(200);
  expect(retired.body).toMatchObject({
    health: 'ok',
    k256_pubkey: KEYS.new,
    next_k256_pubkey: null,
    presents: 'current',
    notices: [],
  });
  expect((await envKey()).status).toBe(200);
  root = 'old';
  expect((await envKey()).status).toBe(502);

  const trail = await test.audits('kms', kms.id);
  expect(trail.map(({ action }) => action)).toEqual([
    'kms.create',
    'kms.update',
    'kms.check',
    'kms.retire_key',
  ]);
  expect(trail.at(-1)).toMatchObject({
    before: { k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new },
    after: { k256_pubkey: KEYS.new, next_k256_pubkey: null },
  });
});

it('hands clients the pinned root key that the KMS presents, and names both', async () => {
  expect(await contract()).toMatchObject({ k256_pubkey: KEYS.old, valid_k256_pubkeys: [KEYS.old] });
  await patch({ next_k256_pubkey: KEYS.new });
  const valid_k256_pubkeys = [KEYS.old, KEYS.new];
  expect(await contract()).toMatchObject({ k256_pubkey: KEYS.old, valid_k256_pubkeys });
  root = 'new';
  expect(await contract()).toMatchObject({ k256_pubkey: KEYS.new, valid_k256_pubkeys });
  // A service that doesn't respond is described as last seen.
  await envKey();
  root = null;
  expect(await contract()).toMatchObject({ k256_pubkey: KEYS.new, valid_k256_pubkeys });
  const listed = (await test.member.call('listKms', { query: { page_size: 100 } })).body
    .items as KmsContract[];
  expect(listed.find(({ slug }) => slug === kms.slug)).toMatchObject({ k256_pubkey: KEYS.new });
});

it('deploys with a key signed by either, and names its signer', async () => {
  const { db } = test.server.services;
  await patch({ next_k256_pubkey: KEYS.new });
  const { teepod } = await insertHost(db, { kind: 'dstack_vmm' });
  await db.updateTable('teepods').set({ kms_id: kms.id }).where('id', '=', teepod.id).execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod.id}, id from os_images`.execute(
    db,
  );
  const provision = async (name: string) => {
    const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
    const { status, body } = await test.member.call('provisionCvm', {
      body: { name, compose_file, teepod_id: teepod.id, kms_id: kms.slug },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as Provision;
  };
  const first = await provision('signed-by-old');
  expect(first.kms_info?.k256_pubkey).toBe(KEYS.old);
  root = 'new';
  const second = await provision('signed-by-new');
  expect(second.kms_info?.k256_pubkey).toBe(KEYS.new);
  // Secrets sealed before the change are accepted after it.
  for (const { app_id, compose_hash } of [first, second])
    expect((await test.member.call('createCvm', { body: { app_id, compose_hash } })).status).toBe(200);
});

it('raises the alarm for a key that is neither, and seals nothing to it', async () => {
  await patch({ next_k256_pubkey: KEYS.new });
  root = 'other';
  await checkKms(test.server.services, await shown());
  const alarmed = await shown();
  expect(alarmed).toMatchObject({ health: 'alarm', presents: 'other', seen_k256_pubkey: KEYS.other });
  expect(alarmed.notices[0]).toContain('differs from both pinned ones');
  expect((await envKey()).status).toBe(502);
  expect(await contract()).toMatchObject({
    k256_pubkey: KEYS.old,
    valid_k256_pubkeys: [KEYS.old, KEYS.new],
  });
  expect((await retire()).status).toBe(409);
  const differ = (await test.audits('kms', kms.id)).find(({ action }) => action === 'kms.keys_differ');
  expect(differ?.before).toMatchObject({ k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new });
  root = 'new';
  await checkKms(test.server.services, await shown());
  expect(await shown()).toMatchObject({ health: 'ok', presents: 'next' });
});

describe('a change of pins', () => {
  it('is refused if the same key would be pinned twice', async () => {
    for (const body of [
      { next_k256_pubkey: KEYS.old },
      { k256_pubkey: KEYS.new, next_k256_pubkey: KEYS.new },
    ]) {
      const reply = await patch(body);
      expect([reply.status, fieldOf(reply)]).toEqual([422, 'next_k256_pubkey']);
    }
    await patch({ next_k256_pubkey: KEYS.new });
    expect((await patch({ k256_pubkey: KEYS.new })).status).toBe(422);
    expect(await shown()).toMatchObject({ k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new });
  });

  it('is refused for a key that no signature could come from', async () => {
    for (const wrong of [`02${'ff'.repeat(32)}`, KEYS.new.slice(2), `04${KEYS.new.slice(2)}`])
      for (const field of ['k256_pubkey', 'next_k256_pubkey']) {
        const reply = await patch({ [field]: wrong });
        expect([wrong, reply.status]).toEqual([wrong, 422]);
      }
    expect((await envKey()).status).toBe(200);
  });

  it('is refused if it would remove the last pin, or leave only a next one', async () => {
    const last = await patch({ k256_pubkey: null });
    expect([last.status, fieldOf(last)]).toEqual([422, 'k256_pubkey']);
    expect((await patch({ k256_pubkey: null, next_k256_pubkey: KEYS.new })).status).toBe(422);
    await patch({ next_k256_pubkey: KEYS.new });
    expect(problemOf((await patch({ k256_pubkey: null })).body).detail.message).toContain(
      'Retire old root key',
    );
    expect(await shown()).toMatchObject({ k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new });
    const { db } = test.server.services;
    await db
      .updateTable('kms')
      .set({ k256_pubkey: null, next_k256_pubkey: null })
      .where('id', '=', kms.id)
      .execute();
    const first = await patch({ next_k256_pubkey: KEYS.new });
    expect([first.status, fieldOf(first)]).toEqual([422, 'next_k256_pubkey']);
  });

  it('can be abandoned, which keeps the current key', async () => {
    await patch({ next_k256_pubkey: KEYS.new });
    expect((await patch({ next_k256_pubkey: null })).body).toMatchObject({ next_k256_pubkey: null });
    root = 'new';
    expect((await envKey()).status).toBe(502);
  });

  it('retires the old key only while the KMS presents the next one', async () => {
    expect(problemOf((await retire()).body).detail.message).toContain('has no next root key');
    await patch({ next_k256_pubkey: KEYS.new });
    expect(problemOf((await retire()).body).detail.message).toContain("doesn't present its next root key");
    root = 'new';
    await admin.call('checkAdminKms', { path: { id: kms.id } });
    // It goes back, or stops, just before.
    root = 'old';
    expect((await retire()).status).toBe(409);
    root = 'new';
    await admin.call('checkAdminKms', { path: { id: kms.id } });
    root = null;
    expect(problemOf((await retire()).body).detail.message).toContain("didn't respond");
    expect(await shown()).toMatchObject({ k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new });
    expect((await retire(test.member)).status).toBe(403);
    expect((await admin.call('retireAdminKmsKey', { path: { id: 999_999 } })).status).toBe(404);
  });
});

it('keeps replicas together while their keys are replaced one after the other', async () => {
  const { db } = test.server.services;
  const [pins, half] = [
    { k256_pubkey: KEYS.old, next_k256_pubkey: KEYS.new },
    { k256_pubkey: KEYS.new, next_k256_pubkey: KEYS.other },
  ];
  // One after the other: the oldest names the contract.
  const insert = () => insertHost(db, { name: unique('replica'), kind: 'dstack_vmm' });
  const a = await insert();
  const b = await insert();
  const c = await insert();
  await db.updateTable('kms').set({ k256_pubkey: null }).where('id', '=', kms.id).execute();
  const set = ({ kms: { id } }: TestHost, change: object) =>
    db.updateTable('kms').set(change).where('id', '=', id).execute();
  const { team_id } = await identityOf(db, test.member.email ?? '');
  const app = await insertApp(db, { team_id, host: a, name: unique('replicated') });
  await insertCvm(db, { ...app, host: a });
  const found = async (host: TestHost) => {
    const { body } = await test.member.call('getKms', { path: { kms: host.kms.slug } });
    const boots = await expectedBoots(db, host.kms.id, app.app.app_id);
    return [
      (body as KmsContract).id,
      boots.boots.length,
      await teamOfApp(db, host.kms.id, app.app.app_id),
    ] as const;
  };
  const together = [a.kms.public_id.replace('kms_', 'kmsc_'), 1, team_id];
  await set(a, { k256_pubkey: KEYS.new });
  await set(b, pins);
  await set(c, { k256_pubkey: KEYS.old });
  for (const host of [a, b, c]) expect(await found(host)).toEqual(together);
  await set(b, half);
  expect(await found(b)).toEqual(together);
  expect((await found(c))[1]).toBe(0);
});
