import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminKms } from '../../../generated/api/types.gen';
import { startAdminTest, type AdminTest } from '../../operations/core/admin/testing/admin';
import { insertHost, type TestHost } from '../../testing/cvmFixtures';

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test?.server.stop());

it('keeps its webhook URL, even if another KMS takes its name', async () => {
  const { db } = test.server.services;
  const kept = await insertHost(db, { kind: 'dstack_vmm' });
  const other = await insertHost(db, { kind: 'dstack_vmm' });
  const created = await test.admin.call('createAdminKmsWebhook', { path: { id: kept.kms.id } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { webhook_url } = created.body as { webhook_url: string };

  const rename = async ({ kms }: TestHost, slug: string) => {
    const reply = await test.admin.call('updateAdminKms', { path: { id: kms.id }, body: { slug } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };
  await rename(kept, 'retiring-kms');
  await rename(other, kept.kms.slug);

  // A 404 would keep every CVM of this KMS from starting.
  const answered = await fetch(webhook_url);
  expect(answered.status, await answered.text()).toBe(200);
  const askedAt = async ({ kms }: TestHost) =>
    ((await test.admin.call('getAdminKms', { path: { id: kms.id } })).body as AdminKms).webhook_asked_at;
  expect(await askedAt(kept)).not.toBeNull();
  expect(await askedAt(other)).toBeNull();
});
