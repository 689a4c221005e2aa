import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../bytes';
import { DEFAULT_CHOICES, type Expected, policyFrom } from './expected';
import { certificateReportData, checkCertificates } from './raTls';
import { createKeys, type Keys, makeCertificate, toPem } from './testing/mockPki';

const NOW = 1_800_000_000;
const SPKI = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
let keys: Record<'root' | 'app' | 'leaf', Keys>;
let certificates: Record<'root' | 'app' | 'leaf', Uint8Array>;
let root_key: string;

beforeAll(async () => {
  const [root, app, leaf] = await Promise.all([createKeys(), createKeys(), createKeys()]);
  keys = { root, app, leaf };
  root_key = SPKI + bytesToHex(root.publicKey);
  const dates = { notBefore: NOW - 10, notAfter: NOW + 10 };
  certificates = {
    root: await makeCertificate({
      subject: 'KMS',
      issuer: 'KMS',
      issuerKeys: root,
      keys: root,
      ca: true,
      ...dates,
    }),
    app: await makeCertificate({
      subject: 'App CA',
      issuer: 'KMS',
      issuerKeys: root,
      keys: app,
      ca: true,
      ...dates,
    }),
    leaf: await makeCertificate({ subject: 'app', issuer: 'App CA', issuerKeys: app, keys: leaf, ...dates }),
  };
});

const check = (pem: string, key_provider_ids: string[] = [root_key], now = NOW) =>
  checkCertificates(pem, { now, key_provider_ids });
const states = (report: Awaited<ReturnType<typeof check>>) => report.checks.map(({ state }) => state);

describe('guest certificates', () => {
  it('chain to the pinned KMS root and state what the quote must contain', async () => {
    const report = await check(toPem(certificates.leaf, certificates.app, certificates.root));
    expect(states(report)).toEqual(['passed', 'passed']);
    expect(report.root_key).toBe(root_key);
    expect(report.report_data).toBe(certificateReportData(SPKI + bytesToHex(keys.leaf.publicKey)));
    expect(report.report_data).toMatch(/^[0-9a-f]{128}$/);
  });

  it('are reported when they chain to another root or an unpinned one', async () => {
    const pem = toPem(certificates.leaf, certificates.app, certificates.root);
    expect(states(await check(pem, [`${SPKI}04${'00'.repeat(64)}`]))).toEqual(['passed', 'failed']);
    expect(states(await check(pem, []))).toEqual(['passed', 'warning']);
  });

  it('are invalid if out of order, expired or signed by another key', async () => {
    const stranger = await makeCertificate({
      subject: 'app',
      issuer: 'App CA',
      issuerKeys: keys.leaf,
      keys: keys.leaf,
      notBefore: NOW - 10,
      notAfter: NOW + 10,
    });
    const { root, app, leaf } = certificates;
    for (const pem of [toPem(app, leaf, root), toPem(stranger, app, root)])
      expect(states(await check(pem))).toEqual(['failed', 'skipped']);
    expect(states(await check(toPem(leaf, app, root), [root_key], NOW + 11))).toEqual(['failed', 'skipped']);
  });

  it('are never verified when incomplete or unreadable', async () => {
    expect(states(await check(toPem(certificates.leaf)))).toEqual(['skipped', 'skipped']);
    for (const pem of ['', 'x', toPem(certificates.leaf).replace('MII', 'MIJ')])
      expect(states(await check(pem))).toEqual(['failed', 'skipped']);
  });
});

describe('expected values', () => {
  const expected: Expected = {
    app_id: 'aa',
    compose_hash: 'bb',
    instance_id: null,
    device_ids: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    os_images: [
      { os_image_hash: '11', is_dev: false },
      { os_image_hash: '22', is_dev: true },
    ],
    key_provider_ids: [],
  };
  it('omit unknown values and the placeholder device', () => {
    const policy = policyFrom(expected, DEFAULT_CHOICES, undefined);
    expect(policy).toMatchObject({ scope: 'app', app_id: 'aa', compose_hash: 'bb' });
    expect([policy.instance_id, policy.device_ids, policy.key_provider_ids]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it('name no OS image while none is known, which leaves it unknown instead of wrong', () => {
    expect(policyFrom({ ...expected, os_images: [] }, DEFAULT_CHOICES, undefined).os_image_hashes).toBe(
      undefined,
    );
  });
  it('include development images only on request', () => {
    expect(policyFrom(expected, DEFAULT_CHOICES, undefined).os_image_hashes).toEqual(['11']);
    expect(policyFrom(expected, { ...DEFAULT_CHOICES, dev_images: true }, undefined).os_image_hashes).toEqual(
      ['11', '22'],
    );
  });
});
