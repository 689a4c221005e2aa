import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes';
import { attestCommand, type EvidenceAnswer, evidenceOf, questionOf } from './answer';
import { evidenceBundle, parseEvidence } from './evidenceBundle';
import { USUAL_CHECKS } from './checks';
import { DEFAULT_CHOICES } from './expected';
import { certificateReportData } from './raTls';
import { KMS_ROOT, mockEvidence, mockPolicy } from './testing/mockEvidence';
import { createKeys, createMockPki, type MockPki, makeCertificate, toPem } from './testing/mockPki';
import type { Evidence, Policy, Report } from './types';
import { verifyEvidence } from './verify';
import { P256_SPKI } from './x509/spki';

const NOW = Math.floor(Date.now() / 1000);
const EXPIRED = NOW - 5;
let pki: MockPki;
/** Its quote is bound to the leaf of the chain; the event log names KMS_ROOT. */
let evidence: Evidence;
let policy: Policy;
let root: string;
let leaf: string;
let chain: string;
let expired: string;
/** Of the same KMS, but with another key. */
let swapped: string;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  const [ca, own, other] = await Promise.all([createKeys(), createKeys(), createKeys()]);
  root = P256_SPKI + bytesToHex(ca.publicKey);
  const dates = { issuer: 'KMS', issuerKeys: ca, notBefore: NOW - 1000 };
  const leafUntil = (notAfter: number) => makeCertificate({ subject: 'app', keys: own, ...dates, notAfter });
  const top = await makeCertificate({ subject: 'KMS', keys: ca, ca: true, ...dates, notAfter: NOW + 1000 });
  const current = await leafUntil(NOW + 1000);
  leaf = toPem(current);
  chain = toPem(current, top);
  expired = toPem(await leafUntil(EXPIRED), top);
  swapped = toPem(
    await makeCertificate({ subject: 'app', keys: other, ...dates, notAfter: NOW + 1000 }),
    top,
  );
  const report_data = certificateReportData(P256_SPKI + bytesToHex(own.publicKey));
  evidence = await mockEvidence(pki, {
    measured: (measured) => {
      measured.reportData = hexToBytes(report_data) ?? new Uint8Array(64);
    },
  });
  // Both are on record, so that only the chain's root differs below.
  policy = {
    ...mockPolicy(evidence),
    report_data,
    key_provider_ids: [KMS_ROOT, root],
    kms_roots: undefined,
  };
});

const verify = (more: Partial<Evidence>, changed: Partial<Policy> = {}): Promise<Report> =>
  verifyEvidence(
    { ...evidence, ...more },
    { now: NOW, policy: { ...policy, ...changed }, roots: [pki.rootPem] },
  );
const found = ({ state, checks }: Report) => [
  state,
  checks.find(({ id }) => id === 'certificates')?.state ?? null,
];
const broken = (pem: string) => pem.replace('MII', 'MIJ');

describe('the guest’s certificates', () => {
  it('pass if they are valid and lead to the KMS root on record', async () => {
    expect(found(await verify({ certificate_chain: chain }))).toEqual(['verified', 'passed']);
  });

  it.each<[string, () => string]>([
    ['can’t be read', () => broken(chain)],
    ['are too many', () => chain + chain + chain],
    ['are no certificates', () => 'junk'],
    ['are expired', () => expired],
    ['are missing, although the quote came from one', () => ''],
  ])('fail if they %s, with any policy', async (_, pem) => {
    for (const changed of [{}, { report_data: undefined }, { kms_roots: [KMS_ROOT] }])
      expect(found(await verify({ certificate_chain: pem() }, changed))).toEqual(['not verified', 'failed']);
  });

  it('fail if they lead to another root', async () => {
    for (const changed of [{ key_provider_ids: [KMS_ROOT] }, { kms_roots: [KMS_ROOT] }])
      expect(found(await verify({ certificate_chain: chain }, changed))).toEqual(['not verified', 'failed']);
  });

  it.each<[string, Partial<Policy>]>([
    ['named by the policy', {}],
    ['not named, as without a policy', { report_data: undefined }],
  ])('fail if the quote is of another certificate, with report data %s', async (_, changed) => {
    const report = await verify({ certificate_chain: swapped }, changed);
    expect(found(report)).toEqual(['not verified', 'failed']);
    const own = await verify({ certificate_chain: chain }, changed);
    expect(found(own)).toEqual(['verified', 'passed']);
    expect(own.checks).toContainEqual(expect.objectContaining({ id: 'report_data', state: 'passed' }));
  });

  it('are among the checks that pages count', async () => {
    expect((await verify({ certificate_chain: chain })).checks).toHaveLength(USUAL_CHECKS);
  });

  it('don’t change the state of evidence that can’t show the root', async () => {
    expect(found(await verify({}))).toEqual(['verified', null]);
    expect(found(await verify({ certificate_chain: leaf }))).toEqual(['verified', 'skipped']);
    // No KMS is on record.
    const none = { key_provider_ids: undefined };
    expect(found(await verify({ certificate_chain: chain }, none))).toEqual([
      (await verify({}, none)).state,
      'passed',
    ]);
    // Only a sealing provider's measurement is.
    const sealing = { key_provider_ids: [KMS_ROOT.replace(P256_SPKI, 'ab')] };
    expect((await verify({ certificate_chain: chain }, sealing)).checks).toContainEqual(
      expect.objectContaining({ id: 'certificates', state: 'passed' }),
    );
  });

  it('aren’t judged without a quote or hardware', async () => {
    expect(found(await verify({ quote: undefined, certificate_chain: 'junk' }))).toEqual(['unknown', null]);
    expect(found(await verify({ simulated: true, certificate_chain: 'junk' }))).toEqual(['simulated', null]);
  });

  it('may be as long as the API allows, because they contain the app’s events', async () => {
    const blank = '\n'.repeat(100_000);
    expect(found(await verify({ certificate_chain: chain + blank }))).toEqual(['verified', 'passed']);
  });
});

describe('an answer of the API', () => {
  const answerOf = (
    certificate_chain: string | null,
    more: Partial<EvidenceAnswer> = {},
  ): EvidenceAnswer => ({
    trust: 'unknown',
    source: 'guest',
    collected_at: new Date(NOW * 1000).toISOString(),
    evidence,
    certificate_chain,
    expected: {
      app_id: policy.app_id ?? '',
      compose_hash: policy.compose_hash ?? '',
      instance_id: policy.instance_id ?? null,
      device_ids: policy.device_ids ?? [],
      os_images: (policy.os_image_hashes ?? []).map((os_image_hash) => ({ os_image_hash, is_dev: false })),
      key_provider_ids: [KMS_ROOT, root],
    },
    ...more,
  });

  it('has the same verdict on a page, in its download and in the answer saved as a file', async () => {
    const rows: [EvidenceAnswer, string][] = [
      [answerOf(chain), 'verified'],
      [answerOf(leaf), 'verified'],
      [answerOf(broken(chain)), 'not verified'],
      [answerOf(expired), 'not verified'],
      [answerOf(null), 'not verified'],
      // As of then, it was valid.
      [
        answerOf(expired, { source: 'kept', collected_at: new Date((EXPIRED - 5) * 1000).toISOString() }),
        'verified',
      ],
    ];
    for (const [answer, state] of rows) {
      const asked = await questionOf(answer, DEFAULT_CHOICES);
      const options = { now: asked.now, policy: asked.policy, roots: [pki.rootPem] };
      for (const given of [
        asked.evidence,
        parseEvidence(evidenceBundle(evidenceOf(answer))),
        parseEvidence(JSON.stringify(answer)),
      ])
        expect((await verifyEvidence(given, options)).state).toBe(state);
    }
  });

  it('is verified offline at the time it was collected', () => {
    const answer = { ...answerOf(chain), name: 'app' };
    expect(attestCommand(answer)).toMatch(/ attest app\.evidence\.json --policy app\.policy\.json$/);
    expect(attestCommand({ ...answer, source: 'kept' })).toMatch(
      new RegExp(`app\\.policy\\.json --at ${answer.collected_at}$`),
    );
  });

  it('without a quote needs no certificates', async () => {
    const { quote: _, ...without } = evidence;
    for (const answer of [answerOf(null, { evidence: without }), answerOf(null, { evidence: null })])
      expect((await questionOf(answer, DEFAULT_CHOICES)).evidence.certificate_chain).toBeUndefined();
  });
});
