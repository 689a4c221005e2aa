import { describe, expect, it } from 'vitest';
import { KMS_ROOT } from './testing/mockEvidence';
import { DAY, honest, NOW, rejected, verify } from './testing/tampering';
import type { CheckId, Policy } from './types';

/** Complements tampering.test.ts: expectations, malformed logs, and time. */

it('rejects an event log that isn’t a list', async () => {
  await rejected({ ...honest, event_log: '{}' }, 'events.format');
});

describe('rejects evidence with', () => {
  it.each<[string, Partial<Policy>, CheckId]>([
    ['another compose hash expected', { compose_hash: 'ab'.repeat(32) }, 'compose.expected'],
    ['another app expected', { app_id: 'ab'.repeat(20) }, 'app.id'],
    ['another instance expected', { instance_id: 'ab'.repeat(20) }, 'instance.id'],
    ['another KMS pinned', { kms_roots: [KMS_ROOT.replace('6b17', '6b18')] }, 'kms.root'],
    ['another KMS trusted', { key_provider_ids: [KMS_ROOT.replace('6b17', '6b18')] }, 'key_provider'],
    ['another kind of key provider accepted', { key_provider_kinds: ['local-sgx'] }, 'key_provider'],
    ['another machine expected', { device_ids: ['ab'.repeat(32)] }, 'device.id'],
    ['another OS image known', { os_image_hashes: ['ab'.repeat(32)] }, 'os.known'],
    ['another challenge sent', { report_data: 'abcd' }, 'report_data'],
  ])('%s', async (_, more, id) => {
    await rejected(honest, id, NOW, more);
  });
});

describe('verification time', () => {
  it.each<[number, CheckId]>([
    [2010, 'pck.chain'],
    [2040, 'pck.chain'],
  ])('fails the certificate checks in %i', async (year, id) => {
    await rejected(honest, id, Date.UTC(year, 0, 1) / 1000);
  });
  it('fails on stale collateral after a month, with valid certificates', async () => {
    await rejected(honest, 'tcb.signature', NOW + 40 * DAY);
    await rejected(honest, 'crl.pck', NOW + 40 * DAY);
  });
  it('fails if it is not a number', async () => {
    expect((await verify(honest, Number.NaN)).state).toBe('not verified');
  });
});
