import { beforeAll, describe, expect, it } from 'vitest';
import { createMockPki, type MockPki } from '../../../console/lib/attestation/testing/mockPki';
import { runtimeEvent } from '../../../console/lib/attestation/testing/mockEvidence';
import type { Evidence } from '../../../console/lib/attestation/types';
import { raTlsGuest, type GuestEdits, type RaTlsGuest } from '../../testing/raTlsGuest';
import { guestEvidence, type GuestWords } from '../attestation/guestEvidence';
import { judgeRolloutEvidence, type EvidenceContext } from './rolloutEvidence';

const NOW = 1_795_000_000;
let pki: MockPki;
beforeAll(async () => {
  pki = await createMockPki(NOW);
});

const contextOf = (guest: RaTlsGuest, more: Partial<EvidenceContext> = {}): EvidenceContext => ({
  local: false,
  given_before: [],
  now: NOW,
  roots: [pki.rootPem],
  expected: {
    app_id: guest.app_id,
    compose_hash: guest.compose_hash,
    instance_id: guest.instance_id,
    device_ids: [],
    os_images: [{ os_image_hash: guest.os_image_hash, is_dev: false }],
    key_provider_ids: [guest.ca_pubkey],
  },
  ...more,
});

async function judge(
  edits: GuestEdits = {},
  more: Partial<EvidenceContext> = {},
  withCollateral = true,
  without?: 'event_log' | 'vm_config',
) {
  const guest = await raTlsGuest(pki, edits);
  const given = guestEvidence(guest.info as unknown as GuestWords, {
    app_compose: guest.app_compose,
    local: more.local ?? false,
    public_tcbinfo: !edits.silent,
  });
  const evidence: Evidence = {
    ...given.evidence,
    ...(withCollateral && guest.evidence.collateral ? { collateral: guest.evidence.collateral } : {}),
  };
  if (without) delete evidence[without];
  return judgeRolloutEvidence({ ...given, evidence }, contextOf(guest, more));
}

describe('evidence of an updated CVM', () => {
  it('is verified when the quote measures the new compose hash', async () => {
    expect(await judge()).toMatchObject({
      trust: 'verified',
      ok: true,
      detail: 'The quote measures the new compose hash.',
    });
  });

  it('stops the rollout when another compose hash was measured, no matter what the guest reports', async () => {
    const verdict = await judge({
      events: (all) =>
        all.map((event) =>
          event.event === 'compose-hash' ? runtimeEvent('compose-hash', 'ab'.repeat(32)) : event,
        ),
    });
    expect(verdict).toMatchObject({ trust: 'not_verified', ok: false, compose_hash: 'ab'.repeat(32) });
  });

  it('stops the rollout when the quote was not signed by genuine hardware', async () => {
    const other = await createMockPki(NOW);
    expect(await judge({}, { roots: [other.rootPem] })).toMatchObject({ trust: 'not_verified', ok: false });
  });

  it('is recorded as unknown without Intel’s collateral when every possible check passes', async () => {
    const verdict = await judge({}, {}, false);
    expect(verdict).toMatchObject({ trust: 'unknown', ok: true });
    expect(verdict.detail).toContain('The quote measures the new compose hash. Not fully verified:');
  });

  it('is recorded as unavailable when the guest has never provided a quote, and stops the rollout when it has', async () => {
    const edits: GuestEdits = { silent: true, info: (info) => Object.assign(info, { app_cert: '' }) };
    const verdict = await judge(edits);
    expect(verdict).toMatchObject({ trust: 'unknown', ok: true });
    expect(verdict.detail).toMatch(/^No quote to check\. .* The guest reports healthy\.$/);
    expect(await judge(edits, { given_before: ['quote'] })).toMatchObject({
      trust: 'not_verified',
      ok: false,
    });
  });

  it('stops the rollout when the event log or VM configuration it provided before is missing', async () => {
    for (const part of ['event_log', 'vm_config'] as const) {
      const verdict = await judge({}, { given_before: ['quote', 'event_log', 'vm_config'] }, true, part);
      expect(verdict).toMatchObject({ trust: 'not_verified', ok: false });
      expect(verdict.detail).toContain('provides none now');
    }
  });

  it('stops the rollout when the quote can’t be matched to the guest’s certificate', async () => {
    const padded = (times: number): GuestEdits => ({
      info: (info) => Object.assign(info, { app_cert: String(info.app_cert).repeat(times) }),
    });
    // More certificates than a chain has, and more text than is kept of one.
    for (const times of [3, 19])
      expect(await judge(padded(times))).toMatchObject({ trust: 'not_verified', ok: false });
  });

  it('may be simulated on the local teepod only', async () => {
    const edits: GuestEdits = {
      info: (info) =>
        Object.assign(info, {
          app_cert: '',
          tcb_info: JSON.stringify({ ...(JSON.parse(String(info.tcb_info)) as object), simulated: true }),
        }),
    };
    expect(await judge(edits, { local: true })).toMatchObject({ trust: 'simulated', ok: true });
    expect(await judge(edits)).toMatchObject({ trust: 'simulated', ok: false });
  });

  it('stops the rollout when a simulated event log has another compose hash', async () => {
    const edits: GuestEdits = {
      events: (all) =>
        all.map((event) =>
          event.event === 'compose-hash' ? runtimeEvent('compose-hash', 'ab'.repeat(32)) : event,
        ),
      info: (info) => Object.assign(info, { app_cert: '' }),
    };
    expect(await judge(edits, { local: true })).toMatchObject({ trust: 'simulated', ok: false });
  });
});
