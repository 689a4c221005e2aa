import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, utf8 } from '../bytes';
import { parsePemChain, PemError } from './x509/pem';
import { mockEvidence, mockPolicy } from './testing/mockEvidence';
import { createMockPki, type MockPki, toPem } from './testing/mockPki';
import { Random } from './testing/random';
import { childrenOf, DerError, oidOf, readDer, smallNumberOf, timeOf, unsignedOf } from './x509/der';
import { CHECK_IDS, type Evidence, type Report } from './types';
import { verifyEvidence } from './verify';
import { parseCertificate, parseCrl } from './x509/x509';

const NOW = 1_800_000_000;
let pki: MockPki;
let honest: Evidence;

beforeAll(async () => {
  pki = await createMockPki(NOW);
  honest = await mockEvidence(pki);
});

const verify = (evidence: Evidence): Promise<Report> =>
  verifyEvidence(evidence, { now: NOW, policy: mockPolicy(honest), roots: [pki.rootPem] });

const NOT_GREEN = ['not verified', 'unknown'];
async function refused(evidence: Evidence): Promise<void> {
  const report = await verify(evidence);
  expect(NOT_GREEN).toContain(report.state);
  expect(report.checks).toHaveLength(CHECK_IDS.length);
  // The verifier itself did not fail.
  expect(report.checks[0]?.detail).not.toContain('itself failed');
}

type TextPart = 'quote' | 'event_log' | 'app_compose' | 'vm_config' | 'mr_config';
const PARTS: readonly TextPart[] = ['quote', 'event_log', 'vm_config'];

/** Deletes, duplicates or replaces a part of a text. */
function mutate(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + 1 + random.below(40));
  const middle = random.pick([
    '',
    text.slice(from, to).repeat(2),
    String.fromCharCode(random.below(0xffff)),
    'null',
    '[',
    '{"a":1}',
    '-1',
    '1e999',
    '\u0000',
  ]);
  return text.slice(0, from) + middle + text.slice(to);
}

describe('hostile evidence', () => {
  it('fails a check, instead of throwing, for garbage in any part', async () => {
    const random = new Random(1);
    for (let i = 0; i < 75; i++) {
      const garbage = random.pick([
        bytesToHex(random.bytes(random.below(6000))),
        JSON.stringify({ imr: random.below(9) }),
        '['.repeat(random.below(3000)),
        String.fromCharCode(...random.bytes(random.below(500))),
        '',
      ]);
      await refused({ ...honest, [random.pick(PARTS)]: garbage });
      const { collateral } = honest;
      if (collateral) {
        const key = random.pick(Object.keys(collateral));
        await refused({ ...honest, collateral: { ...collateral, [key]: garbage } });
      }
    }
  });

  it('fails for mutations of every text', async () => {
    const random = new Random(2);
    const keys = Object.keys(honest.collateral ?? {}) as (keyof NonNullable<Evidence['collateral']>)[];
    for (let i = 0; i < 150; i++) {
      const key = random.pick(keys);
      const text = honest.collateral?.[key] ?? '';
      const changed = mutate(random, text);
      // Changing hex case or removing a PEM's last line ending doesn't change the meaning.
      if (changed.trimEnd().toLowerCase() === text.trimEnd().toLowerCase()) continue;
      await refused({ ...honest, collateral: { ...honest.collateral!, [key]: changed } });
    }
  });

  it('never passes a mutated event log or VM configuration with a different meaning', async () => {
    const random = new Random(3);
    const facts = (await verify(honest)).facts;
    for (let i = 0; i < 150; i++) {
      const part = random.pick(['event_log', 'vm_config'] as const);
      const report = await verify({ ...honest, [part]: mutate(random, honest[part] ?? '') });
      // Names and payloads of boot events are unbound, and nothing is read from them.
      if (report.state === 'verified') expect(report.facts).toEqual(facts);
      expect(report.checks[0]?.detail).not.toContain('itself failed');
    }
  });

  it('is not verified with values of unexpected types', async () => {
    for (const wrong of [5, {}, [], true, null]) {
      for (const key of ['quote', 'event_log', 'app_compose', 'vm_config', 'collateral', 'claims'] as const) {
        const report = await verify({ ...honest, [key]: wrong } as unknown as Evidence);
        // Nothing reported besides the quote means nothing to compare: that alone is fine.
        if (key !== 'claims') expect(report.state, `${key} ${String(wrong)}`).not.toBe('verified');
        expect(report.checks).toHaveLength(CHECK_IDS.length);
      }
    }
  });

  it('fails for huge parts without processing them', async () => {
    const huge = 'ab'.repeat(8_000_000);
    // Takes about one second; reading each huge part to its end takes minutes.
    const started = performance.now();
    for (const part of [...PARTS, 'app_compose']) await refused({ ...honest, [part]: huge });
    for (const key of Object.keys(honest.collateral ?? {})) {
      if (key === 'pck_certificate_chain') continue;
      await refused({ ...honest, collateral: { ...honest.collateral!, [key]: huge } });
    }
    expect(performance.now() - started).toBeLessThan(40_000);
  });

  it('takes linear time for a long log of real events', async () => {
    const events = Array.from({ length: 4096 }, (_, i) => ({
      imr: 3,
      event_type: 0x08000001,
      digest: '',
      event: `e${i}`,
      event_payload: '00'.repeat(100),
    }));
    // Takes 50 ms; a quadratic reading takes a minute.
    const started = performance.now();
    await refused({ ...honest, event_log: JSON.stringify(events) });
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('strict readers', () => {
  const der = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
  it.each<[string, () => unknown]>([
    ['nothing', () => readDer(der())],
    ['cut off', () => readDer(der(0x30, 5, 1))],
    ['something after it', () => readDer(der(5, 0, 0))],
    ['an indefinite length', () => readDer(der(0x30, 0x80, 0, 0))],
    ['a long length that is short', () => readDer(der(4, 0x81, 1, 0))],
    ['a length with a leading zero', () => readDer(der(4, 0x82, 0, 0x80))],
    ['a length of gigabytes', () => readDer(der(4, 0x84, 0xff, 0xff, 0xff, 0xff))],
    ['a long tag', () => readDer(der(0x1f, 0x81, 0))],
    ['a number with a leading zero', () => unsignedOf(readDer(der(2, 2, 0, 1)))],
    ['a negative number', () => unsignedOf(readDer(der(2, 1, 0x80)))],
    ['an empty number', () => unsignedOf(readDer(der(2, 0)))],
    ['a large number', () => smallNumberOf(readDer(der(2, 5, 1, 0, 0, 0, 0)))],
    ['an unfinished identifier', () => oidOf(readDer(der(6, 2, 0x2a, 0x86)))],
    ['the 31st of February', () => timeOf(readDer(Uint8Array.from([0x17, 13, ...utf8('250231000000Z')])))],
    ['a time with a zone', () => timeOf(readDer(Uint8Array.from([0x17, 17, ...utf8('250201000000+0100')])))],
    ['children of a number', () => childrenOf(readDer(der(2, 1, 1)))],
  ])('DER: %s', (_, read) => {
    expect(read).toThrow(DerError);
  });

  it('throw DerError or read another certificate after bytes change', async () => {
    const random = new Random(4);
    const samples = [
      [pki.certificates.pck, parseCertificate],
      [
        Uint8Array.from((honest.collateral?.pck_crl ?? '').match(/../g) ?? [], (x) => Number.parseInt(x, 16)),
        parseCrl,
      ],
    ] as const;
    for (const [bytes, parse] of samples)
      for (let i = 0; i < 2000; i++) {
        const changed = Uint8Array.from(bytes);
        changed[random.below(changed.length)] = random.below(256);
        try {
          parse(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(DerError);
        }
      }
  });

  it('PEM: only the canonical form is accepted', () => {
    const pem = toPem(pki.certificates.pck, pki.certificates.root);
    expect(parsePemChain(pem)).toHaveLength(2);
    expect(parsePemChain(pem.replaceAll('\n', '\r\n'))).toHaveLength(2);
    for (const changed of [
      '',
      ` ${pem}`,
      pem.replace('\n', '\n\n'),
      pem.replace('MII', 'MI I'),
      pem.replace('MII', ''),
      `${pem}x`,
      pem.replace('BEGIN', 'BEGINN'),
      pem.repeat(3),
      pem.replace(/.\n-----END/, '\n-----END'),
    ])
      expect(() => parsePemChain(changed), changed.slice(0, 60)).toThrow(PemError);
  });
});
