import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../bytes';
import { KmsRootError, readKmsRoot } from './kmsRoot';
import { P256_SPKI } from './x509/spki';
import { KMS_ROOT, mockEvidence, mockPolicy } from './testing/mockEvidence';
import { createKeys, type Keys, makeCertificate, toPem } from './testing/mockPki';
import { honest, NOW, pki } from './testing/tampering';
import type { Evidence, Policy } from './types';
import { verifyEvidence } from './verify';

let root: Keys;
let chain: string;
let spki: string;

beforeAll(async () => {
  root = await createKeys();
  const leaf = await createKeys();
  const dates = { issuer: 'KMS', issuerKeys: root, notBefore: NOW - 10, notAfter: NOW + 10 };
  chain = toPem(
    await makeCertificate({ subject: 'app', keys: leaf, ...dates }),
    await makeCertificate({ subject: 'KMS', keys: root, ca: true, ...dates }),
  );
  spki = P256_SPKI + bytesToHex(root.publicKey);
});

const check = async (evidence: Evidence, policy: Partial<Policy>) => {
  const report = await verifyEvidence(evidence, {
    now: NOW,
    policy: { ...mockPolicy(evidence), ...policy },
    roots: [pki.rootPem],
  });
  const root_check = report.checks.find(({ id }) => id === 'kms.root');
  return { state: report.state, check: root_check?.state, detail: root_check?.detail };
};

describe('a pinned KMS root', () => {
  it('passes only for the pinned key provider', async () => {
    expect(await check(honest, { kms_roots: [spki, KMS_ROOT] })).toMatchObject({
      state: 'verified',
      check: 'passed',
    });
    const other = await check(honest, { kms_roots: [spki], key_provider_ids: undefined });
    expect(other).toMatchObject({ state: 'not verified', check: 'failed' });
    expect(other.detail).toContain(KMS_ROOT);
    expect(await check(honest, { kms_roots: [] })).toMatchObject({ check: 'failed' });
    expect(await check(honest, { kms_roots: undefined })).toMatchObject({
      state: 'verified',
      check: 'skipped',
    });
  });

  it('leaves evidence without an event log unknown', async () => {
    expect((await check({ ...honest, event_log: undefined }, {})).state).toBe('unknown');
  });

  it("is also compared with the certificate chain's root", async () => {
    const evidence = { ...(await mockEvidence(pki)), certificate_chain: chain };
    expect(await check(evidence, { kms_roots: [KMS_ROOT, spki] })).toMatchObject({ check: 'passed' });
    const other = await check(evidence, { kms_roots: [KMS_ROOT] });
    expect(other).toMatchObject({ state: 'not verified', check: 'failed' });
    expect(other.detail).toContain('certificate chain');
    expect(await check({ ...evidence, certificate_chain: 'junk' }, {})).toMatchObject({ check: 'failed' });
  });
});

describe('a KMS root key as text', () => {
  it('is read from SPKI, point, PEM key and certificate', () => {
    const pem = `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...(spki.match(/../g) ?? []).map((x) => Number.parseInt(x, 16))))}\n-----END PUBLIC KEY-----\n`;
    for (const text of [
      spki,
      `0x${spki.toUpperCase()}`,
      bytesToHex(root.publicKey),
      pem,
      chain,
      `\n${chain}\n\n`,
    ])
      expect(readKmsRoot(text)).toBe(spki);
  });

  it.each([
    '',
    'zz',
    '00'.repeat(91),
    `${P256_SPKI}04${'5a'.repeat(64)}`,
    '-----BEGIN PUBLIC KEY-----\n!!\n-----END PUBLIC KEY-----',
    'x'.repeat(1_000_000),
  ])('is rejected if invalid: %.40s', (text) => {
    expect(() => readKmsRoot(text)).toThrow(KmsRootError);
  });
});
