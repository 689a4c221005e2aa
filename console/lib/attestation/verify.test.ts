import { beforeAll, describe, expect, it } from 'vitest';
import { summary } from './summary';
import { BODY, mockEvidence, mockPolicy } from './testing/mockEvidence';
import { createMockPki, type MockPki } from './testing/mockPki';
import { CHECK_IDS, type Evidence, type Policy, type Report } from './types';
import { DEFAULT_POLICY, verifyEvidence } from './verify';

const NOW = 1_800_000_000;
let pki: MockPki;
let evidence: Evidence;
let policy: Policy;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  evidence = await mockEvidence(pki);
  policy = mockPolicy(evidence);
});

const verify = (given: Evidence, more: Partial<Policy> = {}, now = NOW): Promise<Report> =>
  verifyEvidence(given, { now, policy: { ...policy, ...more }, roots: [pki.rootPem] });
const check = (report: Report, id: string) => report.checks.find((one) => one.id === id);

describe('complete evidence', () => {
  it('is verified, with details for every check', async () => {
    const report = await verify(evidence);
    expect(report.checks.filter((one) => one.state !== 'passed').map((one) => one.id)).toEqual(['device.id']);
    expect(report.state).toBe('verified');
    expect(report.checks.map((one) => one.id)).toEqual(CHECK_IDS);
    for (const one of report.checks) expect(one.detail, one.id).toMatch(/^\S.*[.)]$/);
    expect(report.facts).toMatchObject({
      quote_version: 4,
      tcb_status: 'UpToDate',
      app_events: ['my-own-event'],
      fresh_until: new Date((NOW + 29 * 86_400) * 1000).toISOString(),
    });
    expect(check(report, 'tcb.signature')?.age).toBe(86_400);
    expect(check(report, 'pck.chain')?.trusted.join()).toContain('Intel SGX Root CA');
    expect(summary(report)).toMatchObject({ state: 'verified', failed: [], warnings: [], missing: [] });
  });

  it('is verified with a version 5 quote', async () => {
    const report = await verify(await mockEvidence(pki, { version: 5 }));
    expect(report.state).toBe('verified');
    expect(report.facts.quote_version).toBe(5);
  });

  it('is not verified under the real Intel root', async () => {
    const report = await verifyEvidence(evidence, { now: NOW, policy });
    expect(report.state).toBe('not verified');
    expect(check(report, 'pck.chain')).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('trusted root') as string,
    });
  });
});

describe('missing parts', () => {
  it.each([
    ['collateral', 'tcb.signature'],
    ['quote', 'hardware'],
    ['event_log', 'rtmr3'],
    ['app_compose', 'compose.hash'],
    ['vm_config', 'os.image'],
  ] as const)('make the report unknown, never verified: %s', async (part, id) => {
    const report = await verify({ ...evidence, [part]: undefined });
    expect(report.state).toBe('unknown');
    expect(check(report, id)).toMatchObject({ state: 'skipped', required: true });
    expect(summary(report).missing).toContain(id);
  });

  it('make the report unknown if there is no evidence at all', async () => {
    expect((await verify({})).state).toBe('unknown');
  });

  it('are ignored in the scope “quote”, except for quote and collateral', async () => {
    const { quote, collateral } = evidence;
    const report = await verifyEvidence(
      { quote, collateral },
      { now: NOW, policy: { ...DEFAULT_POLICY, scope: 'quote' }, roots: [pki.rootPem] },
    );
    expect(report.state).toBe('verified');
  });

  it('make the report unknown without a list of OS images, because any OS can log any compose hash', async () => {
    expect((await verify(evidence, { os_image_hashes: undefined })).state).toBe('unknown');
  });
});

describe('exceptions', () => {
  it('cover an accepted TCB status; the same status fails otherwise', async () => {
    const outdated = await mockEvidence(pki, {
      collateral: {
        tcbInfo: (draft) => {
          (draft.tcbLevels as { tcbStatus: string }[])[0]!.tcbStatus = 'OutOfDate';
        },
      },
    });
    const accepted = await verify(outdated, { accepted_tcb: ['OutOfDate'] });
    expect(accepted.state).toBe('verified with exceptions');
    expect(summary(accepted)).toMatchObject({
      warnings: ['tcb.status'],
      line: expect.stringContaining('OutOfDate') as string,
    });
    expect((await verify(outdated)).state).toBe('not verified');
  });

  it('cover a key provider when none is trusted by ID', async () => {
    const report = await verify(evidence, { key_provider_ids: undefined });
    expect(report.state).toBe('verified with exceptions');
    expect(check(report, 'key_provider')?.state).toBe('warning');
  });

  it('never cover Revoked, whatever the policy says', async () => {
    const revoked = await mockEvidence(pki, {
      collateral: {
        tcbInfo: (draft) => {
          (draft.tcbLevels as { tcbStatus: string }[])[0]!.tcbStatus = 'Revoked';
        },
      },
    });
    const report = await verify(revoked, { accepted_tcb: ['Revoked'] });
    expect(report.state).toBe('not verified');
    expect(check(report, 'tcb.status')?.state).toBe('failed');
  });
});

describe('simulated hosts', () => {
  it('are simulated even if their evidence would pass', async () => {
    expect((await verify({ ...evidence, simulated: true })).state).toBe('simulated');
  });

  it('still have their event log and compose file checked', async () => {
    const { event_log, app_compose } = evidence;
    const report = await verify({ event_log, app_compose, simulated: true });
    expect(report.state).toBe('simulated');
    expect(check(report, 'compose.hash')?.state).toBe('passed');
    expect(check(report, 'hardware')?.detail).toContain('no TEE hardware');
    expect(summary(report).line).toContain('No TEE hardware');
  });

  it('are not merely simulated if their evidence contradicts itself', async () => {
    const { event_log, app_compose } = evidence;
    const changed = app_compose?.replace('nginx', 'busybox');
    expect(changed).not.toBe(app_compose);
    const report = await verify({ event_log, app_compose: changed, simulated: true });
    expect(report.state).toBe('not verified');
    expect(check(report, 'compose.hash')?.state).toBe('failed');
    expect(report.simulated).toBe(true);
    expect(summary(report).line).toMatch(/hash.*No TEE hardware/);
    // No other failure explains that the quote is missing.
    expect(check(report, 'quote.signature')?.detail).toContain('lacks the required data');
  });
});

describe('optional comparisons', () => {
  it('accept a listed machine by either of its IDs', async () => {
    const first = await verify(evidence);
    const { device_id = '', device_id_legacy = '' } = first.facts;
    expect(device_id).not.toBe(device_id_legacy);
    for (const id of [device_id, `0x${device_id_legacy.toUpperCase()}`])
      expect(check(await verify(evidence, { device_ids: [id] }), 'device.id')?.state).toBe('passed');
  });

  it('ignore the device ID of new guests, which is the hash of an empty value', async () => {
    const none = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const claimed = { ...evidence, claims: { ...evidence.claims, device_id: none } };
    expect((await verify(claimed)).state).toBe('verified');
    expect((await verify(evidence, { device_ids: [none] })).state).toBe('not verified');
  });

  it('verify an OS image older than 0.6 against a table of measurements', async () => {
    const first = await verify(evidence);
    const { mrtd = '', rtmr0 = '', rtmr1 = '', rtmr2 = '' } = first.facts;
    const row = { name: 'dstack-0.5.4, 2 vCPU', mrtd, rtmr0, rtmr1, rtmr2 };
    const legacy = { ...evidence, vm_config: '{"memory_size":4294967296}' };
    const known = await verify(legacy, { os_measurements: [row] });
    expect(known.state).toBe('verified');
    expect(check(known, 'os.known')?.detail).toContain('dstack-0.5.4');
    const other = await verify(legacy, { os_measurements: [{ ...row, rtmr0: 'ab'.repeat(48) }] });
    expect(other.state).toBe('not verified');
  });

  it('skip a MRCONFIGID of zero', async () => {
    const report = await verify(
      await mockEvidence(pki, { body: (body) => body.fill(0, BODY.mrConfigId, BODY.mrConfigId + 48) }),
    );
    expect(report.state).toBe('verified');
    expect(check(report, 'mr_config_id')?.state).toBe('skipped');
  });
});
