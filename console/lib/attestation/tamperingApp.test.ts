import { describe, expect, it } from 'vitest';
import { utf8, bytesToHex } from '../bytes';
import { KMS_ROOT, mockEvidence, runtimeEvent, withDigest } from './testing/mockEvidence';
import { DAY, honest, NOW, pki, rejected, verify } from './testing/tampering';
import type { CheckId, Evidence, EventLogEntry, Policy } from './types';

describe('rejects an event log with', () => {
  const edited = (edit: (events: EventLogEntry[]) => EventLogEntry[]): Evidence => ({
    ...honest,
    event_log: JSON.stringify(edit(JSON.parse(honest.event_log ?? '') as EventLogEntry[])),
  });
  const change =
    (name: string, more: Partial<EventLogEntry>) =>
    (events: EventLogEntry[]): EventLogEntry[] =>
      events.map((event) => (event.event === name ? { ...event, ...more } : event));
  const other = 'ab'.repeat(32);

  it.each<[string, (events: EventLogEntry[]) => EventLogEntry[], CheckId]>([
    [
      'a changed payload and its old digest',
      change('compose-hash', { event_payload: other }),
      'events.digests',
    ],
    ['a changed payload without a digest', change('app-id', { event_payload: 'ab'.repeat(20) }), 'rtmr3'],
    [
      'a changed payload and digest',
      change('compose-hash', withDigest(runtimeEvent('compose-hash', other))),
      'rtmr3',
    ],
    ['the preimage of another value', change('compose-hash', { preimage: 'abcd' }), 'events.digests'],
    [
      'an event added after system-ready',
      (events) => [...events, runtimeEvent('compose-hash', other)],
      'events.order',
    ],
    ['an app event added after system-ready', (events) => [...events, runtimeEvent('hello', '00')], 'rtmr3'],
    [
      'a duplicate system event',
      (events) => events.flatMap((event) => (event.event === 'compose-hash' ? [event, event] : [event])),
      'events.order',
    ],
    ['an event removed', (events) => events.filter((event) => event.event !== 'storage-fs'), 'rtmr3'],
    [
      'the compose hash removed',
      (events) => events.filter((event) => event.event !== 'compose-hash'),
      'events.order',
    ],
    [
      'system-ready removed',
      (events) => events.filter((event) => event.event !== 'system-ready'),
      'events.order',
    ],
    [
      'two events swapped',
      (events) => [...events.slice(0, 20), ...events.slice(20, 22).reverse(), ...events.slice(22)],
      'rtmr3',
    ],
    [
      'an event moved to another register',
      change('storage-fs', { imr: 2, digest: 'ab'.repeat(48) }),
      'rtmr3',
    ],
    ['an event of another type', change('compose-hash', { event_type: 6 }), 'events.order'],
    [
      'a boot digest changed',
      (events) => events.map((event, i) => (i === 3 ? { ...event, digest: 'ab'.repeat(48) } : event)),
      'rtmr.boot',
    ],
    [
      'a short digest',
      (events) => events.map((event, i) => (i === 3 ? { ...event, digest: 'ab' } : event)),
      'events.format',
    ],
    ["a value that isn't a list", () => ({}) as EventLogEntry[], 'events.format'],
  ])('%s', async (_, edit, id) => {
    await rejected(edited(edit), id);
  });

  it('a measured app event that uses a system name', async () => {
    const evidence = await mockEvidence(pki, {
      events: (events) => [...events, runtimeEvent('compose-hash', other)],
    });
    await rejected(evidence, 'events.order');
  });
  it('a system value written only by the app', async () => {
    const evidence = await mockEvidence(pki, {
      events: (events) => [
        ...events.filter((event) => event.event !== 'compose-hash'),
        runtimeEvent('compose-hash', other),
      ],
    });
    await rejected(evidence, 'events.order');
  });
  it('a measured duplicate', async () => {
    const evidence = await mockEvidence(pki, {
      events: (events) => [
        ...events.slice(0, 21),
        runtimeEvent('app-id', '00'.repeat(20)),
        ...events.slice(21),
      ],
    });
    await rejected(evidence, 'events.order');
  });
});

describe('rejects app and OS evidence with', () => {
  it('a changed byte in the compose file', async () => {
    await rejected({ ...honest, app_compose: `${honest.app_compose} ` }, 'compose.hash');
    await rejected({ ...honest, app_compose: honest.app_compose?.replace('nginx', 'nginy') }, 'compose.hash');
    await rejected({ ...honest, app_compose: `${honest.app_compose}\ud800` }, 'compose.hash');
  });
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
  it.each([
    ['memory_size":4294967296', 'memory_size":8589934592'],
    ['qemu_version":"8.2.2', 'qemu_version":"9.2.2'],
    ['os_image_hash":"', 'os_image_hash":"00'],
    ['"measurement":"o2', '"measurement":"o3'],
    ['"checksum_file":"', '"checksum_file":"AAAA'],
  ])('VM configuration changed from %s to %s', async (from, to) => {
    expect(honest.vm_config).toContain(from);
    await rejected({ ...honest, vm_config: honest.vm_config?.replace(from, to) }, 'os.image');
  });
  it('a disk key without a provider', async () => {
    const payload = bytesToHex(utf8('{"name":"none","id":""}'));
    const evidence = await mockEvidence(pki, {
      events: (events) =>
        events.map((event) => (event.event === 'key-provider' ? runtimeEvent(event.event, payload) : event)),
    });
    await rejected(evidence, 'key_provider');
  });
  it('reported values that differ from the measured ones', async () => {
    for (const name of ['mrtd', 'app_id', 'compose_hash', 'mr_aggregated', 'rtmr3', 'device_id'] as const)
      await rejected({ ...honest, claims: { [name]: 'ab'.repeat(20) } }, 'claims');
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
