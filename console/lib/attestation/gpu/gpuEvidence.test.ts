import { sha256 } from '@noble/hashes/sha2.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes, utf8 } from '../../bytes';
import { parseEvidence } from '../evidenceBundle';
import { gapsOf } from '../gaps';
import { flip } from '../testing/attacks';
import { mockEvidence, mockPolicy, runtimeEvent } from '../testing/mockEvidence';
import { createMockGpus, type GpuEdits, type MockGpus, NONCE } from '../testing/mockGpu';
import { createKeys } from '../testing/mockPki';
import { HOPPER_CHAIN, HOPPER_REPORT } from '../testing/nvidiaSample';
import { honest, NOW, pki } from '../testing/tampering';
import type { CheckId, Evidence, GpuCheckId, Policy, Report } from '../types';
import { verifyEvidence } from '../verify';
import { P384, verifyEcdsa } from '../x509/ecdsa';
import { parsePemChain } from '../x509/pem';
import { GPU_NEVER_CHECKED } from './gpuUnchecked';
import { GpuEvidenceError, parseReport } from './spdm';

const sampleNonce = HOPPER_REPORT.slice(8, 72);
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array(0);
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

const payloadOf = (nonce: string, ...evidence_list: object[]): string =>
  JSON.stringify({ nonce, evidence_list, arch: 'HOPPER' });
const sample = (report = HOPPER_REPORT, chain = HOPPER_CHAIN, nonce = sampleNonce): string =>
  payloadOf(nonce, { certificate: btoa(chain), evidence: base64(bytesOf(report)), arch: 'HOPPER' });

interface Options {
  policy?: Partial<Policy>;
  gpu_roots?: string[];
  evidence?: Evidence;
}
const verify = (
  nvidia_payload: string,
  { policy, gpu_roots, evidence = honest }: Options = {},
): Promise<Report> =>
  verifyEvidence(
    { ...evidence, nvidia_payload },
    { now: NOW, policy: { ...mockPolicy(honest), ...policy }, roots: [pki.rootPem], gpu_roots },
  );

const check = ({ checks }: Report, id: CheckId) => checks.find((one) => one.id === id);
const states = (report: Report): Record<string, string> =>
  Object.fromEntries(
    report.checks.filter(({ id }) => id.startsWith('gpu')).map(({ id, state }) => [id, state]),
  );
function expectFailure(report: Report, id: GpuCheckId, reason: string | RegExp): void {
  expect(report.state).toBe('not verified');
  expect(check(report, id)?.state, id).toBe('failed');
  expect(check(report, id)?.detail).toMatch(reason);
}

describe('evidence from a real H100', () => {
  it('passes every check that works offline, and is still an exception', async () => {
    const report = await verify(sample());
    expect(states(report)).toEqual({
      gpu: 'warning',
      'gpu.evidence': 'passed',
      'gpu.chain': 'passed',
      'gpu.signature': 'passed',
      'gpu.firmware': 'passed',
      'gpu.nonce': 'passed',
      'gpu.binding': 'skipped',
      'gpu.measurements': 'skipped',
      'gpu.revocation': 'skipped',
      'gpu.mode': 'skipped',
    });
    expect(report.state).toBe('verified with exceptions');
    expect(report.facts.gpus).toEqual([
      {
        name: 'GH100 A01 GSP FMC LF',
        driver: '550.90.07',
        vbios: '96.00.9F.00.01',
        project: '1010',
        project_sku: '0200',
      },
    ]);
    expect(check(report, 'gpu.chain')?.trusted[0]).toContain('NVIDIA Device Identity CA');
  });

  it('lists what was not checked', async () => {
    const report = await verify(sample());
    for (const item of [
      ...GPU_NEVER_CHECKED,
      'whether the GPU is attached to this CVM',
      'age of the GPU’s report',
    ])
      expect(check(report, 'gpu')?.detail).toContain(item);
    expect(check(report, 'gpu')?.detail).not.toContain('GPU identity');
    const gaps = gapsOf({ evidence: honest }, report).map(({ what }) => what);
    expect(gaps).toContain('The GPU');
    expect(gaps).toContain('No GPU certificate is revoked');
  });

  it('passes without the root', async () => {
    const chain = `${HOPPER_CHAIN.split('-----END CERTIFICATE-----').slice(0, 4).join('-----END CERTIFICATE-----')}-----END CERTIFICATE-----\n`;
    expect(states(await verify(sample(HOPPER_REPORT, chain)))['gpu.chain']).toBe('passed');
  });

  // Every seventh byte, without the rest of the verifier; a later test runs that for some of them.
  it('is rejected if a byte of the report changes', async () => {
    const key = parsePemChain(HOPPER_CHAIN, P384, 5)[0]?.publicKey ?? new Uint8Array(0);
    const accepts = async (report: Uint8Array): Promise<boolean> => {
      try {
        const { signed, signature } = parseReport(report);
        return await verifyEcdsa(P384, key, signed, signature);
      } catch (error) {
        expect(error).toBeInstanceOf(GpuEvidenceError);
        return false;
      }
    };
    const report = bytesOf(HOPPER_REPORT);
    expect(await accepts(report)).toBe(true);
    for (let at = 0; at < report.length; at += 7) {
      const changed = Uint8Array.from(report);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await accepts(changed), `byte ${at}`).toBe(false);
    }
  }, 60_000);

  it.each([
    ['the request', 0, 'gpu.evidence'],
    ['the nonce', 10, 'gpu.nonce'],
    ['a measurement', 200, 'gpu.signature'],
    ['the length of the record', 43, 'gpu.evidence'],
    ['the driver version', 3670, 'gpu.signature'],
    ['the signature', 4100, 'gpu.signature'],
  ] as const)('is rejected if %s changes', async (_, at, id) => {
    const report = await verify(sample(flip(HOPPER_REPORT, at)));
    expect(report.state).toBe('not verified');
    expect(check(report, id)?.state).toBe('failed');
    expect(check(report, id)?.detail.length).toBeGreaterThan(20);
  });

  it('is rejected if a character of its certificates changes', async () => {
    for (let at = 0; at < HOPPER_CHAIN.length; at += 43) {
      const code = HOPPER_CHAIN.charCodeAt(at) ^ 1;
      const chain = HOPPER_CHAIN.slice(0, at) + String.fromCharCode(code) + HOPPER_CHAIN.slice(at + 1);
      const report = await verifyEvidence(
        { nvidia_payload: sample(HOPPER_REPORT, chain) },
        { now: NOW, policy: mockPolicy(honest) },
      );
      expect(report.state, `character ${at}`).toBe('not verified');
    }
  }, 60_000);

  it('is rejected with a different stated nonce', async () => {
    expectFailure(
      await verify(sample(HOPPER_REPORT, HOPPER_CHAIN, flip(sampleNonce, 3))),
      'gpu.nonce',
      /differs from the one in the evidence/,
    );
  });

  it('is rejected if it does not answer the challenge', async () => {
    const answered = await verify(sample(), { policy: { gpu_nonce: `0x${sampleNonce.toUpperCase()}` } });
    expect(check(answered, 'gpu.nonce')).toMatchObject({ state: 'passed', required: true });
    expect(check(answered, 'gpu')?.detail).not.toContain('age of');
    expectFailure(
      await verify(sample(), { policy: { gpu_nonce: NONCE } }),
      'gpu.nonce',
      /not the expected abab/,
    );
  });

  it('doesn’t report on GPUs twice in one list', async () => {
    const entry = { certificate: btoa(HOPPER_CHAIN), evidence: HOPPER_REPORT };
    expectFailure(
      await verify(payloadOf(sampleNonce, entry, entry)),
      'gpu.chain',
      /GPU 2: .*same key as another GPU/,
    );
  });

  it('is accepted as a list of entries with a nonce each', async () => {
    const entry = { nonce: sampleNonce, certificate: btoa(HOPPER_CHAIN), evidence: HOPPER_REPORT };
    expect(states(await verify(JSON.stringify([entry])))['gpu.signature']).toBe('passed');
    const other = { ...entry, nonce: NONCE };
    expectFailure(await verify(JSON.stringify([entry, other])), 'gpu.evidence', /different nonces/);
  });

  it('proves nothing without a quote', async () => {
    const report = await verifyEvidence(
      { nvidia_payload: sample() },
      { now: NOW, policy: mockPolicy(honest) },
    );
    expect(report.state).toBe('unknown');
    expect(check(report, 'gpu.signature')?.state).toBe('passed');
  });

  it('can be dropped with a quote or alone', () => {
    expect(parseEvidence(sample()).nvidia_payload).toBe(sample());
    const file = { intel_quote: 'ab', event_log: [], nvidia_payload: sample() };
    expect(parseEvidence(JSON.stringify(file))).toMatchObject({ quote: 'ab', nvidia_payload: sample() });
    const parsed = JSON.stringify({ ...file, nvidia_payload: JSON.parse(sample()) as unknown });
    expect(parseEvidence(parsed).nvidia_payload).toBe(sample());
  });
});

describe('evidence in NVIDIA’s layout under a test root', () => {
  let gpus: MockGpus;
  beforeAll(async () => {
    gpus = await createMockGpus(NOW);
  });
  const run = async (edits: GpuEdits, options: Options = {}): Promise<Report> =>
    verify(payloadOf(edits.nonce ?? NONCE, await gpus.gpu(edits)), { gpu_roots: [gpus.rootPem], ...options });

  it('passes, and the report names the root’s source', async () => {
    const report = await run({});
    expect(report.state).toBe('verified with exceptions');
    expect(report.roots.source).toBe('caller');
    expect(report.roots.certificates.map(({ name }) => name)).toContain('Mock Device Identity CA');
    expect(report.facts.gpus?.[0]).toMatchObject({ driver: '595.91.07', vbios: '97.00.E4.00.1E' });
  });

  it('fails under NVIDIA’s root', async () => {
    const report = await verify(payloadOf(NONCE, await gpus.gpu()));
    expectFailure(report, 'gpu.chain', /instead of a trusted root/);
    expect(report.facts.gpus).toBeUndefined();
  });

  it.each<[string, GpuEdits, GpuCheckId, RegExp]>([
    [
      'a firmware ID that is not certified',
      { firmware: new Uint8Array(48) },
      'gpu.firmware',
      /firmware ID 0000/,
    ],
    ['the certificate of a switch', { name: 'LS10 A01 FMC LF' }, 'gpu.chain', /not the certificate of a GPU/],
    ['the certificate of an authority', { ca: true }, 'gpu.chain', /CA:TRUE/],
    [
      'a field stated twice',
      {
        fields: [
          [3, utf8('1')],
          [3, utf8('2')],
        ],
      },
      'gpu.evidence',
      /field 3 twice/,
    ],
  ])('fails with %s', async (_, edits, id, reason) => {
    expectFailure(await run(edits), id, reason);
  });

  it('fails if another key signed', async () => {
    expectFailure(await run({ signer: await createKeys('P-384') }), 'gpu.signature', /another key/);
  });

  it('names the failing GPU among several', async () => {
    const list = [await gpus.gpu(), await gpus.gpu({ nonce: 'cd'.repeat(32) })];
    const report = await verify(payloadOf(NONCE, ...list), { gpu_roots: [gpus.rootPem] });
    expectFailure(report, 'gpu.nonce', /^GPU 2: /);
  });

  it('skips the firmware ID if the report has none', async () => {
    const report = await run({ firmware: null });
    expect(check(report, 'gpu.firmware')?.state).toBe('skipped');
    expect(check(report, 'gpu')?.detail).toContain('whether the GPU’s key belongs to its firmware');
  });

  describe('is bound to the quote', () => {
    const withReportData = async (reportData: Uint8Array): Promise<Options> => ({
      evidence: await mockEvidence(pki, { measured: (measured) => void (measured.reportData = reportData) }),
      policy: { report_data: bytesToHex(reportData) },
    });

    it('by its nonce in report_data, which does not show that the GPU is attached', async () => {
      const reportData = new Uint8Array(64);
      reportData.set(bytesOf(NONCE), 32);
      const report = await run({}, await withReportData(reportData));
      expect(check(report, 'gpu.binding')).toMatchObject({ state: 'passed' });
      expect(check(report, 'gpu.binding')?.detail).toContain('bytes 32 to 63');
      expect(check(report, 'gpu')?.detail).toContain('whether the GPU is attached');
    });

    it('by its hash in RTMR3', async () => {
      const nvidia_payload = payloadOf(NONCE, await gpus.gpu());
      const claims = { version: 2, evidence_sha256: bytesToHex(sha256(utf8(nvidia_payload))) };
      const evidence = await mockEvidence(pki, {
        events: (events) => {
          const at = events.findIndex(({ event }) => event === 'instance-id');
          const event = runtimeEvent('gpu-attestation', bytesToHex(utf8(JSON.stringify(claims))));
          return [...events.slice(0, at), event, ...events.slice(at)];
        },
      });
      const options = { evidence, gpu_roots: [gpus.rootPem] };
      const report = await verify(nvidia_payload, options);
      expect(check(report, 'gpu.binding')?.state).toBe('passed');
      expect(check(report, 'gpu')?.detail).not.toContain('whether the GPU is attached');
      expect(report.state).toBe('verified with exceptions');
      const other = await verify(`${nvidia_payload} `, options);
      expect(check(other, 'gpu.binding')?.state).toBe('skipped');
      expect(check(other, 'gpu.binding')?.detail).toContain('hash of other evidence');
    });

    it('not by zeros', async () => {
      const report = await run({ nonce: '00'.repeat(32) }, await withReportData(new Uint8Array(64)));
      expect(check(report, 'gpu.binding')?.state).toBe('skipped');
    });
  });
});

describe('hostile GPU evidence', () => {
  const entry = { certificate: btoa(HOPPER_CHAIN), evidence: HOPPER_REPORT };
  const long = 'ab'.repeat(600_000);
  it.each<[string, unknown, RegExp]>([
    ['no text', 5, /not text/],
    ['no JSON', '[', /not JSON/],
    ['deep nesting', '['.repeat(9000), /nested/],
    ['a number', '5', /neither an object nor a list/],
    ['an empty list', '[]', /names no GPU/],
    ['no GPU', payloadOf(NONCE), /names no GPU/],
    ['too many GPUs', payloadOf(NONCE, ...Array.from({ length: 17 }, () => ({}))), /more than 16/],
    ['a huge file', payloadOf(NONCE, { evidence: long, certificate: long }), /too long/],
    ['a huge report', payloadOf(NONCE, { ...entry, evidence: '11'.repeat(70_000) }), /too long/],
    ['a huge certificate', payloadOf(NONCE, { ...entry, certificate: 'A'.repeat(70_000) }), /too long/],
    [
      'six certificates',
      payloadOf(NONCE, { ...entry, certificate: btoa(`${HOPPER_CHAIN}\n${HOPPER_CHAIN}`) }),
      /5 certificates at most/,
    ],
    ['a short nonce', payloadOf('ab', entry), /32 bytes/],
    ['no nonce', JSON.stringify({ evidence_list: [entry] }), /nonce is missing/],
    ['an entry that is null', `{"nonce":"${NONCE}","evidence_list":[null]}`, /not an object/],
    ['a report of a number', payloadOf(NONCE, { ...entry, evidence: 5 }), /not a string/],
    ['an empty report', payloadOf(NONCE, { ...entry, evidence: '' }), /evidence is missing/],
    ['base64 that is not canonical', payloadOf(NONCE, { ...entry, evidence: 'EeD=' }), /base64/],
    [
      'a truncated report',
      payloadOf(NONCE, { ...entry, evidence: HOPPER_REPORT.slice(0, 900) }),
      /truncated/,
    ],
    [
      'bytes after the signature',
      payloadOf(NONCE, { ...entry, evidence: `${HOPPER_REPORT}00` }),
      /signature/,
    ],
  ])('fails with %s', async (_, nvidia_payload, reason) => {
    const report = await verify(nvidia_payload as string);
    expectFailure(report, 'gpu.evidence', reason);
    expect(check(report, 'gpu.signature')?.state).toBe('skipped');
    expect(report.checks[0]?.detail).not.toContain('itself failed');
  });

  it('leaves a challenge unanswered without evidence', async () => {
    const policy = { ...mockPolicy(honest), gpu_nonce: NONCE };
    const report = await verifyEvidence(honest, { now: NOW, policy, roots: [pki.rootPem] });
    expect(report.state).toBe('unknown');
    expect(check(report, 'gpu.nonce')).toMatchObject({ state: 'skipped', required: true });
  });
});
