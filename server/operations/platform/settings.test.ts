import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminSettings } from '../../../generated/api/types.gen';
import { startAdminTest, type AdminTest } from '../core/admin/testing/admin';

let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test.server.stop());

const read = () => test.admin.call('getAdminSettings');
const update = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  test.admin.call('updateAdminSettings', { body: body as never, headers });

describe('platform settings', () => {
  it('keep the recycle bin from being purged early until an administrator allows it', async () => {
    expect(await read()).toMatchObject({
      status: 200,
      body: { recycle_bin_gives_way: false, recycle_bin_min_age_hours: 12 },
    });
  });

  it('are changed with an audit entry, and only where different', async () => {
    const changed = await update({ recycle_bin_gives_way: true, recycle_bin_min_age_hours: 12 });
    expect(changed).toMatchObject({ status: 200, body: { recycle_bin_gives_way: true } });
    expect(((await read()).body as AdminSettings).recycle_bin_gives_way).toBe(true);
    expect((await update({ recycle_bin_gives_way: true })).status).toBe(200);
    const trail = await test.server.services.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'platform_settings.update')
      .execute();
    expect(trail).toEqual([
      { before: { recycle_bin_gives_way: false }, after: { recycle_bin_gives_way: true } },
    ]);
  });

  it('change how hosts are chosen, with an audit entry', async () => {
    expect(await read()).toMatchObject({ body: { placement: 'spread' } });
    expect(await update({ placement: 'pack' })).toMatchObject({ status: 200, body: { placement: 'pack' } });
    const trail = await test.audits('platform_settings', 'all');
    expect(trail.at(-1)).toMatchObject({ before: { placement: 'spread' }, after: { placement: 'pack' } });
    expect((await update({ placement: 'random' })).status).toBe(422);
    expect((await update({ placement: 'spread' })).status).toBe(200);
  });

  it('reject a change based on a stale version', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    expect((await update({ recycle_bin_min_age_hours: 6 }, { 'if-match': etag })).status).toBe(200);
    const stale = await update({ recycle_bin_min_age_hours: 7 }, { 'if-match': etag });
    expect(stale).toMatchObject({ status: 412, body: { code: 'ERR-00-020' } });
  });

  it('reject ages outside the 24 hours of the recycle bin, and unknown keys', async () => {
    for (const body of [{ recycle_bin_min_age_hours: 0 }, { recycle_bin_min_age_hours: 24 }, { no: 1 }])
      expect((await update(body)).status).toBe(422);
  });

  it('are accessible to platform staff only', async () => {
    expect((await test.member.call('getAdminSettings')).status).toBe(403);
    expect(
      (await test.member.call('updateAdminSettings', { body: { recycle_bin_gives_way: false } })).status,
    ).toBe(403);
  });
});
