// @phala/dcap-qvl as a second opinion: for untampered input it must agree with this verifier.

import { QuoteVerifier, type Collateral as TheirCollateral } from '@phala/dcap-qvl';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../bytes';
import { parseEvidence } from './evidenceBundle';
import { parsePemChain } from './x509/pem';
import { INTEL_SGX_ROOT_CA } from './x509/roots';
import { type EvidenceEdits, mockEvidence, mockPolicy } from './testing/mockEvidence';
import { createMockPki } from './testing/mockPki';
import { TCB_STATUSES, type Evidence, type Report } from './types';
import { DEFAULT_POLICY, verifyEvidence } from './verify';

const NOW = 1_800_000_000;

function secondOpinion(evidence: Evidence, now: number, root: Uint8Array) {
  const quote = Buffer.from(hexToBytes(evidence.quote ?? '') ?? []);
  const verifier = QuoteVerifier.newWithRootCa(Buffer.from(root));
  return verifier.verify(quote, evidence.collateral as unknown as TheirCollateral, now);
}

describe('evidence of the mock PKI', () => {
  const setStatus = (status: string): EvidenceEdits['collateral'] => ({
    tcbInfo: (draft) => {
      (draft.tcbLevels as { tcbStatus: string; advisoryIDs?: string[] }[])[0]!.tcbStatus = status;
      (draft.tcbLevels as { advisoryIDs?: string[] }[])[0]!.advisoryIDs = ['INTEL-SA-00615'];
    },
  });
  it.each<[string, EvidenceEdits]>([
    ['version 4', {}],
    ['version 5', { version: 5 }],
    ['an old platform', { collateral: { tcbInfo: (draft) => void (draft.tcbLevels as unknown[]).shift() } }],
    ...TCB_STATUSES.filter((status) => status !== 'Revoked').map((status): [string, EvidenceEdits] => [
      status,
      { collateral: setStatus(status) },
    ]),
  ])('%s', async (_, edits) => {
    const pki = await createMockPki(NOW);
    const evidence = await mockEvidence(pki, edits);
    const ours = await verifyEvidence(evidence, {
      now: NOW,
      policy: { ...mockPolicy(evidence), accepted_tcb: TCB_STATUSES },
      roots: [pki.rootPem],
    });
    const theirs = secondOpinion(evidence, NOW, pki.certificates.root);
    expect(ours.state).toMatch(/^verified/);
    expect(ours.facts.tcb_status).toBe(theirs.status);
    expect(ours.facts.advisory_ids).toEqual(theirs.advisory_ids);
  });
});

/**
 * Public evidence from real hardware: `tdx_quote` and `tdx_quote_collateral.json` from `sample/` in
 * Phala-Network/dcap-qvl, `quote-report.json` and `tdx-lite-getquote.json` from the verifier fixtures of
 * Dstack-TEE/dstack. Kept outside this repository, in `shared/fixtures/attestation` beside it; ATTESTATION_SAMPLES
 * names another folder.
 */
const beside = fileURLToPath(new URL('../../../../shared/fixtures/attestation', import.meta.url));
const samples = process.env.ATTESTATION_SAMPLES ?? beside;
const there = existsSync(path.join(samples, 'tdx_quote'));
describe.skipIf(!there)(`real hardware (${there ? 'samples' : `no samples: nothing at ${samples}`})`, () => {
  const read = (name: string): Promise<Buffer> => readFile(path.join(samples, name));
  const state = (report: Report, id: string) => report.checks.find((one) => one.id === id)?.state;
  const intel = parsePemChain(INTEL_SGX_ROOT_CA)[0]!.der;
  /** Within the validity of the sample's collateral. */
  const THEN = Date.UTC(2025, 5, 20) / 1000;

  it('verifies a quote with its collateral at its own time only', async () => {
    const evidence: Evidence = {
      quote: (await read('tdx_quote')).toString('hex'),
      collateral: JSON.parse(
        (await read('tdx_quote_collateral.json')).toString('utf8'),
      ) as Evidence['collateral'],
    };
    const policy = { ...DEFAULT_POLICY, scope: 'quote' as const };
    const ours = await verifyEvidence(evidence, { now: THEN, policy });
    const theirs = secondOpinion(evidence, THEN, intel);
    expect(ours.state).toBe('verified');
    expect([ours.facts.tcb_status, ours.facts.advisory_ids]).toEqual([theirs.status, theirs.advisory_ids]);
    expect(ours.facts.fmspc).toBe('b0c06f000000');
    for (const year of [2010, 2024, 2026, 2040]) {
      const later = await verifyEvidence(evidence, { now: Date.UTC(year, 5, 20) / 1000, policy });
      expect(later.state, String(year)).toBe('not verified');
    }
  });

  it('dstack 0.5: the log replays and the chain is valid, but evidence without collateral is unknown', async () => {
    const evidence = parseEvidence((await read('quote-report.json')).toString('utf8'));
    const report = await verifyEvidence(evidence, { now: NOW, policy: DEFAULT_POLICY });
    expect(report.state).toBe('unknown');
    for (const id of ['pck.chain', 'qe.signature', 'quote.signature', 'rtmr.boot', 'rtmr3', 'events.order'])
      expect(state(report, id), id).toBe('passed');
    expect(state(report, 'gpu')).toBe('warning');
    expect(report.facts).toMatchObject({
      gpu_named_by: ['the VM configuration says num_gpus 1'],
      app_events: ['LIUM_MINER_HOTKEY'],
      device_id: 'ea0ba482106a22ecb76b59b95fed32b5cc3a81534b27ee01a25a10a87cca7d03',
      rtmr3:
        '0f787c3877f3e95095d5a4d13dd0fe0233803b30120d8469866719dc28f519ce021fe1e53459121e7a5a4443147185a8',
    });
  });

  it('dstack 0.6: the log has no digests and the OS image matches the registers', async () => {
    const evidence = parseEvidence((await read('tdx-lite-getquote.json')).toString('utf8'));
    const report = await verifyEvidence(evidence, { now: NOW, policy: DEFAULT_POLICY });
    for (const id of ['rtmr3', 'os.image', 'mr_config_id', 'events.digests'])
      expect(state(report, id), id).toBe('passed');
    const changed = { ...evidence, event_log: evidence.event_log?.replace('86b0e55f2fa8', '86b0e55f2fa9') };
    expect((await verifyEvidence(changed, { now: NOW, policy: DEFAULT_POLICY })).state).toBe('not verified');
  });
});
