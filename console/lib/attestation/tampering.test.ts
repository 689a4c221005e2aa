import { describe, expect, it } from 'vitest';
import { flip } from './testing/attacks';
import { mockEvidence } from './testing/mockEvidence';
import { chainOf } from './testing/mockPki';
import { honest, pki, rejected, tampered, verify, withCollateral } from './testing/tampering';
import { TAMPERINGS } from './testing/tamperings';

it('verifies untouched evidence', async () => {
  expect((await verify(honest)).state).toBe('verified');
});

describe.each(TAMPERINGS)('rejects %s', (_group, rows) => {
  it.each(rows)('$what', async (row) => {
    await rejected(await tampered(row), row.id);
  });
});

describe('detects a changed quote', () => {
  it('when a byte is changed after its end', async () => {
    const end = (honest.quote ?? '').length / 2 - 1;
    await rejected({ ...honest, quote: flip(honest.quote, end) }, 'quote.format');
  });

  it('when truncated', async () => {
    for (const length of [0, 1, 40, 300, 640, 1300])
      await rejected({ ...honest, quote: honest.quote?.slice(0, 2 * length) }, 'quote.format');
  });
});

it('uses the pinned root if the chain omits it', async () => {
  const chain = chainOf(pki.certificates.pck, pki.certificates.platformCa);
  expect((await verify(await mockEvidence(pki, { chain }))).state).toBe('verified');
});

it('rejects revocation lists with any byte changed', async () => {
  const { pck_crl = '', root_ca_crl = '' } = honest.collateral ?? {};
  for (let at = 0; at < pck_crl.length / 2; at += 13)
    await rejected(withCollateral({ pck_crl: flip(pck_crl, at) }), 'crl.pck');
  for (let at = 0; at < root_ca_crl.length / 2; at += 13)
    await rejected(withCollateral({ root_ca_crl: flip(root_ca_crl, at) }), 'crl.root');
});
