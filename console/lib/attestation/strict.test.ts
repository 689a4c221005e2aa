import { describe, expect, it } from 'vitest';
import { utf8 } from '../bytes';
import { DerError, readDer, timeOf } from './x509/der';
import { parsePemChain, PemError } from './x509/pem';
import { integer, oid, time } from './testing/derWriter';
import { BODY, mockEvidence, type QuoteEdits } from './testing/mockEvidence';
import {
  type CertificateOptions,
  chainOf,
  NAMES,
  SERIALS,
  sgxExtensionOf,
  PLATFORM,
  toPem,
} from './testing/mockPki';
import { honest, NOW, pki, rejected, verify, withCollateral } from './testing/tampering';
import type { CheckId, Evidence } from './types';

const detailOf = async (evidence: Evidence, id: CheckId): Promise<string | undefined> =>
  (await verify(evidence)).checks.find((check) => check.id === id)?.detail;

/** A TCB signing certificate from the root that differs from Intel's in one property. */
const signer = (more: Partial<CertificateOptions>): Promise<Uint8Array> =>
  pki.issue('root', { subject: NAMES.tcb, keys: pki.keys.tcb, serial: SERIALS.tcb, ...more });

describe('collateral signers', () => {
  it.each([
    ['tcb_info_issuer_chain', 'tcb.signature'],
    ['qe_identity_issuer_chain', 'qe.identity_signature'],
  ] as const)('rejects a CA certificate in %s', async (chain, id) => {
    const authority = toPem(await signer({ ca: true }), pki.certificates.root);
    const evidence = withCollateral({ [chain]: authority });
    await rejected(evidence, id);
    expect(await detailOf(evidence, id)).toContain('CA:TRUE');
  });

  it('rejects a chip certificate that is a CA', async () => {
    const leaf = await pki.issue('platformCa', {
      subject: NAMES.pck,
      keys: pki.keys.pck,
      serial: SERIALS.pck,
      ca: true,
      extensions: [sgxExtensionOf(PLATFORM)],
    });
    const chain = chainOf(leaf, pki.certificates.platformCa, pki.certificates.root);
    await rejected(await mockEvidence(pki, { chain }), 'pck.chain');
  });

  it('rejects a root listed in its own revocation list', async () => {
    const evidence = await mockEvidence(pki, { collateral: { revokedByRoot: [SERIALS.root] } });
    await rejected(evidence, 'revocation');
    expect(await detailOf(evidence, 'revocation')).toContain('is on its own revocation list');
  });
});

describe('certificates with extra elements', () => {
  it.each<[string, () => CertificateOptions['extra']]>([
    ['a third validity time', () => ({ validity: time(NOW + 1) })],
    ['a third public key element', () => ({ publicKey: integer(1) })],
    ['a third key algorithm element', () => ({ keyAlgorithm: oid('1.2.840') })],
  ])('rejects %s', async (_, extra) => {
    const chain = toPem(await signer({ extra: extra() }), pki.certificates.root);
    await rejected(withCollateral({ tcb_info_issuer_chain: chain }), 'tcb.signature');
  });

  it.each([
    ['UTCTime', 0x17, '250131235960Z'],
    ['UTCTime with minute 60', 0x17, '250131236000Z'],
    ['UTCTime within a day', 0x17, '250131103060Z'],
    ['GeneralizedTime', 0x18, '20250131103060Z'],
  ])('rejects second 60 in a %s', (_, tag, text) => {
    const node = readDer(Uint8Array.from([tag, text.length, ...utf8(text)]));
    expect(() => timeOf(node)).toThrow(DerError);
  });
});

describe('PEM', () => {
  it.each<[string, (pem: string) => string]>([
    ['blank lines between blocks', (pem) => pem.replace('-----\n-----BEGIN', '-----\n\n \t\n-----BEGIN')],
    ['blank lines before and after', (pem) => `\n\n${pem}\n \n`],
    [
      'CRLF line endings',
      (pem) => pem.replaceAll('\n', '\r\n').replace('-----\r\n-----B', '-----\r\n\r\n-----B'),
    ],
    [
      'spaces after a block',
      (pem) => pem.replace('CERTIFICATE-----\n-----BEGIN', 'CERTIFICATE-----  \n-----BEGIN'),
    ],
    ['no final newline', (pem) => pem.trimEnd()],
  ])('accepts %s', async (_, change) => {
    const chain = change(toPem(pki.certificates.tcb, pki.certificates.root));
    expect(parsePemChain(chain)).toHaveLength(2);
    expect((await verify(withCollateral({ tcb_info_issuer_chain: chain }))).state).toBe('verified');
  });

  it.each<[string, (pem: string) => string]>([
    ['text between blocks', (pem) => pem.replace('-----\n-----BEGIN', '-----\nSubject: x\n-----BEGIN')],
    ['a blank line inside a block', (pem) => pem.replace('\nMII', '\n\nMII')],
    ['two blocks on one line', (pem) => pem.replace('-----\n-----BEGIN', '----- -----BEGIN')],
    ['a trailing space, which one flipped bit makes of zero padding', (pem) => `${pem} `],
    ['only blank lines', () => '\n \n\n'],
    ['a form feed between blocks', (pem) => pem.replace('-----\n-----BEGIN', '-----\n\f\n-----BEGIN')],
  ])('rejects %s', (_, change) => {
    expect(() => parsePemChain(change(toPem(pki.certificates.tcb, pki.certificates.root)))).toThrow(PemError);
  });
});

describe('nesting', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([4_000, 100_000])('fails a named check for parts nested %i deep', async (depth) => {
    await rejected({ ...honest, event_log: nested(depth) }, 'events.format');
    await rejected({ ...honest, vm_config: `{"a":${nested(depth)}}` }, 'os.image');
    for (const part of ['tcb_info', 'qe_identity'] as const) {
      const text = `{"id":"TDX","x":${nested(depth)}}`;
      const signature = await pki.signText(text);
      const id = part === 'tcb_info' ? 'tcb.signature' : 'qe.identity_signature';
      await rejected(withCollateral({ [part]: text, [`${part}_signature`]: signature }), id);
    }
  });

  it.each([4_000, 20_000])('fails mr_config_id for a MrConfig document nested %i deep', async (depth) => {
    const { mrConfigV3 } = await import('./identity');
    const { compose_hash = '' } = honest.claims ?? {};
    const document = `{"version":3,"compose_hash":"${compose_hash}","init_script_hashes":${nested(depth)}}`;
    const register = mrConfigV3(document);
    const body: QuoteEdits['body'] = (bytes) =>
      bytes.set(
        Uint8Array.from(register.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
        BODY.mrConfigId,
      );
    const evidence = { ...(await mockEvidence(pki, { body })), mr_config: document };
    await rejected(evidence, 'mr_config_id');
    expect(await detailOf(evidence, 'mr_config_id')).toContain('levels deep');
    expect((await verify(evidence)).checks.find(({ id }) => id === 'hardware')?.state).toBe('passed');
  });
});
