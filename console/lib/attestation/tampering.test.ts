import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../bytes';
import { BODY, type Draft, type EvidenceEdits, mockEvidence } from './testing/mockEvidence';
import { chainOf, createKeys, createMockPki, makeCrl, NAMES, SERIALS, toPem } from './testing/mockPki';
import { DAY, flip, honest, NOW, pki, rejected, verify, withCollateral } from './testing/tampering';
import type { CheckId, Collateral, Evidence } from './types';

it('verifies untouched evidence', async () => {
  expect((await verify(honest)).state).toBe('verified');
});

describe('detects a changed quote byte', () => {
  it.each<[string, number, CheckId]>([
    // Read as version 5, its parts no longer fit.
    ['version', 0, 'quote.format'],
    ['version', 1, 'quote.header'],
    ['attestation key type', 2, 'quote.header'],
    ['TEE type', 4, 'quote.header'],
    ['QE security version', 8, 'quote.signature'],
    ['PCE security version', 10, 'quote.signature'],
    ['QE vendor', 12, 'quote.header'],
    ['user data', 28, 'quote.signature'],
    ['tee_tcb_svn', 50, 'quote.signature'],
    ['mrseam', 64, 'quote.signature'],
    ['mrsignerseam', 112, 'td.module_signer'],
    ['seam_attributes', 160, 'td.module_signer'],
    ['td_attributes', 168, 'td.attributes'],
    ['xfam', 176, 'quote.signature'],
    ['mrtd', 184, 'quote.signature'],
    ['mrconfigid', 232, 'quote.signature'],
    ['mrowner', 280, 'quote.signature'],
    ['mrownerconfig', 328, 'quote.signature'],
    ['rtmr0', 376, 'quote.signature'],
    ['rtmr1', 424, 'quote.signature'],
    ['rtmr2', 472, 'quote.signature'],
    ['rtmr3', 520, 'quote.signature'],
    ['report_data', 568, 'quote.signature'],
    ['signature length', 632, 'quote.format'],
    ['signature', 636, 'quote.signature'],
    ['attestation key', 700, 'quote.attestation_key'],
    ['certification type', 764, 'quote.format'],
    ['certification length', 766, 'quote.format'],
    ['QE report: CPU version', 770, 'qe.signature'],
    ['QE report: attributes', 818, 'qe.signature'],
    ['QE report: mrenclave', 834, 'qe.signature'],
    ['QE report: mrsigner', 898, 'qe.signature'],
    ['QE report: product', 1026, 'qe.signature'],
    ['QE report: security version', 1028, 'qe.signature'],
    ['QE report: report_data', 1090, 'quote.attestation_key'],
    ['QE report signature', 1154, 'qe.signature'],
    ['QE authentication length', 1218, 'quote.format'],
    ['QE authentication data', 1220, 'quote.attestation_key'],
    ['inner certification type', 1252, 'pck.chain'],
    ['inner certification length', 1254, 'quote.format'],
    ['PCK certificate', 1400, 'pck.chain'],
  ])('%s', async (_, at, id) => {
    await rejected({ ...honest, quote: flip(honest.quote, at) }, id);
  });

  it('when a byte is changed after its end', async () => {
    const end = (honest.quote ?? '').length / 2 - 1;
    await rejected({ ...honest, quote: flip(honest.quote, end) }, 'quote.format');
  });

  it('when truncated', async () => {
    for (const length of [0, 1, 40, 300, 640, 1300])
      await rejected({ ...honest, quote: honest.quote?.slice(0, 2 * length) }, 'quote.format');
  });
});

describe('rejects a validly signed quote of a TD', () => {
  const at =
    (offset: number, ...bytes: number[]) =>
    (body: Uint8Array): void =>
      body.set(bytes, offset);
  it.each<[string, EvidenceEdits, CheckId]>([
    ['debuggable', { body: at(BODY.tdAttributes, 1) }, 'td.attributes'],
    ['without SEPT_VE_DISABLE', { body: at(BODY.tdAttributes, 0, 0, 0, 0) }, 'td.attributes'],
    ['with an unknown attribute', { body: at(BODY.tdAttributes + 1, 1) }, 'td.attributes'],
    ['bound to a service TD', { version: 5, body: at(600, 1) }, 'td.attributes'],
    ['under another vendor’s TDX module', { body: at(BODY.mrSignerSeam, 1) }, 'td.module_signer'],
    ['under a debug TDX module', { body: at(BODY.seamAttributes, 1) }, 'tcb.module'],
    ['under an unlisted TDX module', { body: at(BODY.teeTcbSvn, 6, 9, 3) }, 'tcb.module'],
    ['under an outdated TDX module', { body: at(BODY.teeTcbSvn, 1, 1, 3) }, 'tcb.module'],
    ['on an outdated platform', { body: at(BODY.teeTcbSvn, 6, 1, 0) }, 'tcb.match'],
    ['answering another challenge', { body: at(BODY.reportData, 1) }, 'report_data'],
    ['launched for another app', { body: at(BODY.mrConfigId + 1, 1, 2, 3) }, 'mr_config_id'],
    ['with an unknown form of configuration', { body: at(BODY.mrConfigId, 9) }, 'mr_config_id'],
    ['with other firmware', { body: at(BODY.mrtd, 1) }, 'os.image'],
    ['with other boot measurements', { body: at(BODY.rtmr0, 1) }, 'rtmr.boot'],
    ['with other runtime measurements', { body: at(BODY.rtmr0 + 3 * 48, 1) }, 'rtmr3'],
    ['by a debuggable quoting enclave', { qeReport: at(48, 0x13) }, 'qe.identity'],
    ['by another vendor’s quoting enclave', { qeReport: at(128, 1) }, 'qe.identity'],
    ['by another enclave of the same signer', { qeReport: at(256, 1) }, 'qe.identity'],
    ['by an outdated quoting enclave', { qeReport: at(258, 3) }, 'qe.identity'],
    ['by an enclave with other attributes', { qeReport: at(48, 0x31) }, 'qe.identity'],
    [
      'with extra data beside the key in the QE report',
      { qeReport: at(320 + 40, 1) },
      'quote.attestation_key',
    ],
  ])('%s', async (_, edits, id) => {
    await rejected(await mockEvidence(pki, edits), id);
  });
});

describe('rejects certificates', () => {
  const withChain = async (...certificates: Uint8Array[]): Promise<Evidence> =>
    mockEvidence(pki, { chain: chainOf(...certificates) });
  const { pck: name, platformCa: caName } = NAMES;

  it('from another PKI', async () => {
    const other = await createMockPki(NOW);
    await rejected(
      await withChain(other.certificates.pck, other.certificates.platformCa, other.certificates.root),
      'pck.chain',
    );
  });
  it('whose intermediate is missing', async () => {
    await rejected(await withChain(pki.certificates.pck, pki.certificates.root), 'pck.chain');
  });
  it('except that a missing root is replaced by the pinned one', async () => {
    const evidence = await withChain(pki.certificates.pck, pki.certificates.platformCa);
    expect((await verify(evidence)).state).toBe('verified');
  });
  it('issued by a non-CA certificate', async () => {
    const keys = await createKeys();
    const rogue = await pki.issue('root', { subject: caName, keys });
    const leaf = await pki.issue('platformCa', { subject: name, keys: pki.keys.pck, issuerKeys: keys });
    await rejected(await withChain(leaf, rogue, pki.certificates.root), 'pck.chain');
  });
  it('that exceed the path length', async () => {
    const keys = await createKeys();
    const below = await pki.issue('platformCa', { subject: caName, keys, ca: true });
    const leaf = await pki.issue('platformCa', { subject: name, keys: pki.keys.pck, issuerKeys: keys });
    await rejected(
      await withChain(leaf, below, pki.certificates.platformCa, pki.certificates.root),
      'pck.chain',
    );
  });
  it('that expired yesterday', async () => {
    const leaf = await pki.issue('platformCa', { subject: name, keys: pki.keys.pck, notAfter: NOW - DAY });
    await rejected(await withChain(leaf, pki.certificates.platformCa, pki.certificates.root), 'pck.chain');
  });
  it('without the SGX extension', async () => {
    const leaf = await pki.issue('platformCa', { subject: name, keys: pki.keys.pck });
    await rejected(
      await withChain(leaf, pki.certificates.platformCa, pki.certificates.root),
      'pck.extensions',
    );
  });
  it('meant for TCB info, used for a chip', async () => {
    await rejected(await withChain(pki.certificates.tcb, pki.certificates.root), 'pck.chain');
  });
  it('meant for a chip, used to sign TCB info', async () => {
    const chip = toPem(pki.certificates.pck, pki.certificates.platformCa, pki.certificates.root);
    await rejected(withCollateral({ tcb_info_issuer_chain: chip }), 'tcb.signature');
  });
});

describe('rejects revocation lists', () => {
  it.each<[string, string, 'root_ca_crl' | 'pck_crl', CheckId]>([
    ['emptied', '', 'pck_crl', 'crl.pck'],
    ['emptied', '', 'root_ca_crl', 'crl.root'],
    ['garbage', 'deadbeef', 'pck_crl', 'crl.pck'],
    ['garbage', 'deadbeef', 'root_ca_crl', 'crl.root'],
    ['not hex', 'zz', 'pck_crl', 'crl.pck'],
  ])('%s (%s) %s', async (_, value, key, id) => {
    await rejected(withCollateral({ [key]: value }), id);
  });
  it('with one byte changed', async () => {
    const { pck_crl = '', root_ca_crl = '' } = honest.collateral ?? {};
    for (let at = 0; at < pck_crl.length / 2; at += 13)
      await rejected(withCollateral({ pck_crl: flip(pck_crl, at) }), 'crl.pck');
    for (let at = 0; at < root_ca_crl.length / 2; at += 13)
      await rejected(withCollateral({ root_ca_crl: flip(root_ca_crl, at) }), 'crl.root');
  });
  it('swapped with each other', async () => {
    const { pck_crl = '', root_ca_crl = '' } = honest.collateral ?? {};
    await rejected(withCollateral({ pck_crl: root_ca_crl }), 'crl.pck');
    await rejected(withCollateral({ root_ca_crl: pck_crl }), 'crl.root');
  });
  const crl = async (by: 'root' | 'platformCa', thisUpdate: number, nextUpdate: number): Promise<string> =>
    bytesToHex(await makeCrl({ issuer: NAMES[by], keys: pki.keys[by], thisUpdate, nextUpdate }));
  it('that expired', async () => {
    await rejected(
      withCollateral({ pck_crl: await crl('platformCa', NOW - 60 * DAY, NOW - DAY) }),
      'crl.pck',
    );
    await rejected(withCollateral({ root_ca_crl: await crl('root', NOW - 60 * DAY, NOW - DAY) }), 'crl.root');
  });
  it('dated in the future', async () => {
    await rejected(withCollateral({ pck_crl: await crl('platformCa', NOW + DAY, NOW + 9 * DAY) }), 'crl.pck');
  });
  it('signed with another key under the right name', async () => {
    const keys = await createKeys();
    const forged = await makeCrl({
      issuer: NAMES.platformCa,
      keys,
      thisUpdate: NOW - DAY,
      nextUpdate: NOW + DAY,
    });
    await rejected(withCollateral({ pck_crl: bytesToHex(forged) }), 'crl.pck');
  });
  it('from another chip CA', async () => {
    const keys = await createKeys();
    const subject = 'Intel SGX PCK Processor CA';
    const authority = await pki.issue('root', { subject, keys, ca: true, pathLength: 0 });
    const list = await makeCrl({ issuer: subject, keys, thisUpdate: NOW - DAY, nextUpdate: NOW + DAY });
    await rejected(
      withCollateral({
        pck_crl: bytesToHex(list),
        pck_crl_issuer_chain: toPem(authority, pki.certificates.root),
      }),
      'crl.pck',
    );
  });
  it.each<[string, EvidenceEdits['collateral']]>([
    ['the chip', { revokedByCa: [99, SERIALS.pck] }],
    ['the chip authority', { revokedByRoot: [SERIALS.platformCa] }],
    ['the signer of TCB info', { revokedByRoot: [SERIALS.tcb] }],
  ])('that name %s', async (_, collateral) => {
    await rejected(await mockEvidence(pki, { collateral }), 'revocation');
  });
});

describe('rejects TCB info and QE identity', () => {
  it.each<[keyof Collateral, string, string, CheckId]>([
    ['tcb_info', '"pcesvn":11', '"pcesvn":10', 'tcb.signature'],
    ['tcb_info', '{"id"', '{ "id"', 'tcb.signature'],
    ['qe_identity', '"isvsvn":4', '"isvsvn":3', 'qe.identity_signature'],
    ['tcb_info_issuer_chain', 'MII', 'MIJ', 'tcb.signature'],
    ['qe_identity_issuer_chain', 'MII', 'MIJ', 'qe.identity_signature'],
    ['pck_crl_issuer_chain', 'MII', 'MIJ', 'crl.pck'],
  ])('%s with %s changed to %s', async (key, from, to, id) => {
    const text = honest.collateral?.[key] ?? '';
    expect(text).toContain(from);
    await rejected(withCollateral({ [key]: text.replace(from, to) }), id);
  });
  it('with a changed signature', async () => {
    const { tcb_info_signature, qe_identity_signature } = honest.collateral ?? {};
    await rejected(withCollateral({ tcb_info_signature: flip(tcb_info_signature, 9) }), 'tcb.signature');
    await rejected(
      withCollateral({ qe_identity_signature: flip(qe_identity_signature, 9) }),
      'qe.identity_signature',
    );
  });
  it('swapped with each other', async () => {
    const { qe_identity, qe_identity_signature } = honest.collateral as Collateral;
    await rejected(
      withCollateral({ tcb_info: qe_identity, tcb_info_signature: qe_identity_signature }),
      'tcb.signature',
    );
  });
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
  const old = (draft: Draft): void => void (draft.nextUpdate = iso(NOW - 1));
  it.each<[string, EvidenceEdits['collateral'], CheckId]>([
    ['expired TCB info', { tcbInfo: old }, 'tcb.signature'],
    ['expired QE identity', { qeIdentity: old }, 'qe.identity_signature'],
    [
      'TCB info dated in the future',
      { tcbInfo: (draft) => void (draft.issueDate = iso(NOW + DAY)) },
      'tcb.signature',
    ],
    [
      'TCB info for another chip family',
      { tcbInfo: (draft) => void (draft.fmspc = '00906ED50000') },
      'tcb.match',
    ],
    ['TCB info for SGX', { tcbInfo: (draft) => void (draft.id = 'SGX') }, 'tcb.signature'],
    ['TCB info without levels', { tcbInfo: (draft) => void (draft.tcbLevels = []) }, 'tcb.match'],
    ['QE identity without levels', { qeIdentity: (draft) => void (draft.tcbLevels = []) }, 'qe.identity'],
    [
      'an outdated platform',
      { tcbInfo: (draft) => void (draft.tcbLevels as unknown[]).shift() },
      'tcb.status',
    ],
  ])('%s, signed', async (_, collateral, id) => {
    await rejected(await mockEvidence(pki, { collateral }), id);
  });
});
