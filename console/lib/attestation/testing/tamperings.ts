import { bytesToHex } from '../../bytes';
import type { CheckId, Collateral } from '../types';
import { changed, type Attack, flip, replaced, signed, type Tampering, withCollateral } from './attacks';
import { BODY, type Draft } from './mockEvidence';
import { chainOf, createKeys, createMockPki, makeCrl, type MockPki, NAMES, SERIALS, toPem } from './mockPki';
import { APPS, LOGS } from './tamperingsApp';

/* The verifier's table: each way to tamper with evidence, and the check that must fail. Test hosts serve the same
   to the explorer. */

const DAY = 86_400;

const flipped = (what: string, at: number, id: CheckId): Tampering =>
  changed(`${what}, byte ${at}`, (honest) => ({ ...honest, quote: flip(honest.quote, at) }), id);

const QUOTE_BYTES = [
  // Parsed as version 5, its parts no longer fit.
  flipped('version', 0, 'quote.format'),
  flipped('version', 1, 'quote.header'),
  flipped('attestation key type', 2, 'quote.header'),
  flipped('TEE type', 4, 'quote.header'),
  flipped('QE security version', 8, 'quote.signature'),
  flipped('PCE security version', 10, 'quote.signature'),
  flipped('QE vendor', 12, 'quote.header'),
  flipped('user data', 28, 'quote.signature'),
  flipped('tee_tcb_svn', 50, 'quote.signature'),
  flipped('mrseam', 64, 'quote.signature'),
  flipped('mrsignerseam', 112, 'td.module_signer'),
  flipped('seam_attributes', 160, 'td.module_signer'),
  flipped('td_attributes', 168, 'td.attributes'),
  flipped('xfam', 176, 'quote.signature'),
  flipped('mrtd', 184, 'quote.signature'),
  flipped('mrconfigid', 232, 'quote.signature'),
  flipped('mrowner', 280, 'quote.signature'),
  flipped('mrownerconfig', 328, 'quote.signature'),
  flipped('rtmr0', 376, 'quote.signature'),
  flipped('rtmr1', 424, 'quote.signature'),
  flipped('rtmr2', 472, 'quote.signature'),
  flipped('rtmr3', 520, 'quote.signature'),
  flipped('report_data', 568, 'quote.signature'),
  flipped('signature length', 632, 'quote.format'),
  flipped('signature', 636, 'quote.signature'),
  flipped('attestation key', 700, 'quote.attestation_key'),
  flipped('certification type', 764, 'quote.format'),
  flipped('certification length', 766, 'quote.format'),
  flipped('QE report: CPU version', 770, 'qe.signature'),
  flipped('QE report: attributes', 818, 'qe.signature'),
  flipped('QE report: mrenclave', 834, 'qe.signature'),
  flipped('QE report: mrsigner', 898, 'qe.signature'),
  flipped('QE report: product', 1026, 'qe.signature'),
  flipped('QE report: security version', 1028, 'qe.signature'),
  flipped('QE report: report_data', 1090, 'quote.attestation_key'),
  flipped('QE report signature', 1154, 'qe.signature'),
  flipped('QE authentication length', 1218, 'quote.format'),
  flipped('QE authentication data', 1220, 'quote.attestation_key'),
  flipped('inner certification type', 1252, 'pck.chain'),
  flipped('inner certification length', 1254, 'quote.format'),
  flipped('PCK certificate', 1400, 'pck.chain'),
];

/** Eight bytes that a hash doesn't start with. */
const NO_HASH = [1, 2, 3, 4, 5, 6, 7, 8];

const at =
  (offset: number, ...bytes: number[]) =>
  (body: Uint8Array): void =>
    body.set(bytes, offset);

const TDS = [
  signed('debuggable', { body: at(BODY.tdAttributes, 1) }, 'td.attributes'),
  signed('without SEPT_VE_DISABLE', { body: at(BODY.tdAttributes, 0, 0, 0, 0) }, 'td.attributes'),
  signed('with an unknown attribute', { body: at(BODY.tdAttributes + 1, 1) }, 'td.attributes'),
  signed('bound to a service TD', { version: 5, body: at(600, 1) }, 'td.attributes'),
  signed('under another vendor’s TDX module', { body: at(BODY.mrSignerSeam, 1) }, 'td.module_signer'),
  signed('under a debug TDX module', { body: at(BODY.seamAttributes, 1) }, 'tcb.module'),
  signed('under an unlisted TDX module', { body: at(BODY.teeTcbSvn, 6, 9, 3) }, 'tcb.module'),
  signed('under an outdated TDX module', { body: at(BODY.teeTcbSvn, 1, 1, 3) }, 'tcb.module'),
  signed('on an outdated platform', { body: at(BODY.teeTcbSvn, 6, 1, 0) }, 'tcb.match'),
  signed('answering another challenge', { body: at(BODY.reportData, ...NO_HASH) }, 'report_data'),
  signed('launched for another app', { body: at(BODY.mrConfigId + 1, 1, 2, 3) }, 'mr_config_id'),
  signed('with an unknown form of configuration', { body: at(BODY.mrConfigId, 9) }, 'mr_config_id'),
  signed('with other firmware', { body: at(BODY.mrtd, ...NO_HASH) }, 'os.image'),
  signed('with other boot measurements', { body: at(BODY.rtmr0, ...NO_HASH) }, 'rtmr.boot'),
  signed('with other runtime measurements', { body: at(BODY.rtmr0 + 3 * 48, ...NO_HASH) }, 'rtmr3'),
  signed('by a debuggable quoting enclave', { qeReport: at(48, 0x13) }, 'qe.identity'),
  signed('by another vendor’s quoting enclave', { qeReport: at(128, 1) }, 'qe.identity'),
  signed('by another enclave of the same signer', { qeReport: at(256, 1) }, 'qe.identity'),
  signed('by an outdated quoting enclave', { qeReport: at(258, 3) }, 'qe.identity'),
  signed('by an enclave with other attributes', { qeReport: at(48, 0x31) }, 'qe.identity'),
  signed(
    'with extra data beside the key in the QE report',
    { qeReport: at(320 + 40, 1) },
    'quote.attestation_key',
  ),
];

const chained = (
  what: string,
  chain: (pki: MockPki) => Promise<Uint8Array[]>,
  id: CheckId = 'pck.chain',
): Tampering => ({
  what,
  id,
  attack: async (pki) => ({ edits: { chain: chainOf(...(await chain(pki))) } }),
});

const CERTIFICATES = [
  chained('from another PKI', async ({ now }) => {
    const { certificates } = await createMockPki(now);
    return [certificates.pck, certificates.platformCa, certificates.root];
  }),
  chained('whose intermediate is missing', async ({ certificates }) => [certificates.pck, certificates.root]),
  chained('issued by a non-CA certificate', async (pki) => {
    const keys = await createKeys();
    const rogue = await pki.issue('root', { subject: NAMES.platformCa, keys });
    const leaf = await pki.issue('platformCa', {
      subject: NAMES.pck,
      keys: pki.keys.pck,
      issuerKeys: keys,
    });
    return [leaf, rogue, pki.certificates.root];
  }),
  chained('that exceed the path length', async (pki) => {
    const keys = await createKeys();
    const below = await pki.issue('platformCa', { subject: NAMES.platformCa, keys, ca: true });
    const leaf = await pki.issue('platformCa', {
      subject: NAMES.pck,
      keys: pki.keys.pck,
      issuerKeys: keys,
    });
    return [leaf, below, pki.certificates.platformCa, pki.certificates.root];
  }),
  chained('that expired yesterday', async (pki) => {
    const notAfter = pki.now - DAY;
    const leaf = await pki.issue('platformCa', { subject: NAMES.pck, keys: pki.keys.pck, notAfter });
    return [leaf, pki.certificates.platformCa, pki.certificates.root];
  }),
  chained(
    'without the SGX extension',
    async (pki) => [
      await pki.issue('platformCa', { subject: NAMES.pck, keys: pki.keys.pck }),
      pki.certificates.platformCa,
      pki.certificates.root,
    ],
    'pck.extensions',
  ),
  chained('meant for TCB info, used for a chip', async ({ certificates }) => [
    certificates.tcb,
    certificates.root,
  ]),
  {
    what: 'meant for a chip, used to sign TCB info',
    id: 'tcb.signature',
    attack: ({ certificates: { pck, platformCa, root } }) => ({
      tamper: withCollateral(() => ({ tcb_info_issuer_chain: toPem(pck, platformCa, root) })),
    }),
  },
] satisfies Tampering[];

type List = 'root_ca_crl' | 'pck_crl';
const LIST_CHECKS = { root_ca_crl: 'crl.root', pck_crl: 'crl.pck' } as const;
const LISTS = ['root_ca_crl', 'pck_crl'] as const;

const listOf = async (pki: MockPki, list: List, from: number, to: number): Promise<Partial<Collateral>> => {
  const by = list === 'root_ca_crl' ? 'root' : 'platformCa';
  const [thisUpdate, nextUpdate] = [pki.now + from * DAY, pki.now + to * DAY];
  const crl = await makeCrl({ issuer: NAMES[by], keys: pki.keys[by], thisUpdate, nextUpdate });
  return { [list]: bytesToHex(crl) };
};

const relisted = (
  what: string,
  lists: (pki: MockPki) => Promise<Partial<Collateral>>,
  id: CheckId,
): Tampering => ({
  what,
  id,
  attack: async (pki) => {
    const edit = await lists(pki);
    return { tamper: withCollateral(() => edit) };
  },
});

const REVOCATION_LISTS = [
  ...LISTS.flatMap((list) => [
    ...['', 'deadbeef', 'zz'].map((value) =>
      changed(
        `${list} “${value}”`,
        withCollateral(() => ({ [list]: value })),
        LIST_CHECKS[list],
      ),
    ),
    changed(
      `${list} with one byte changed`,
      withCollateral((all) => ({ [list]: flip(all[list], 65) })),
      LIST_CHECKS[list],
    ),
    relisted(`${list} that expired`, (pki) => listOf(pki, list, -60, -1), LIST_CHECKS[list]),
    relisted(`${list} dated in the future`, (pki) => listOf(pki, list, 1, 9), LIST_CHECKS[list]),
  ]),
  changed(
    'pck_crl is the other',
    withCollateral((all) => ({ pck_crl: all.root_ca_crl })),
    'crl.pck',
  ),
  changed(
    'root_ca_crl is the other',
    withCollateral((all) => ({ root_ca_crl: all.pck_crl })),
    'crl.root',
  ),
  relisted(
    'signed with another key under the right name',
    async ({ now }) => {
      const dates = { thisUpdate: now - DAY, nextUpdate: now + DAY };
      const forged = await makeCrl({ issuer: NAMES.platformCa, keys: await createKeys(), ...dates });
      return { pck_crl: bytesToHex(forged) };
    },
    'crl.pck',
  ),
  relisted(
    'from another chip CA',
    async (pki) => {
      const keys = await createKeys();
      const subject = 'Intel SGX PCK Processor CA';
      const authority = await pki.issue('root', { subject, keys, ca: true, pathLength: 0 });
      const dates = { thisUpdate: pki.now - DAY, nextUpdate: pki.now + DAY };
      const list = await makeCrl({ issuer: subject, keys, ...dates });
      return {
        pck_crl: bytesToHex(list),
        pck_crl_issuer_chain: toPem(authority, pki.certificates.root),
      };
    },
    'crl.pck',
  ),
  signed('that name the chip', { collateral: { revokedByCa: [99, SERIALS.pck] } }, 'revocation'),
  signed(
    'that name the chip authority',
    { collateral: { revokedByRoot: [SERIALS.platformCa] } },
    'revocation',
  ),
  signed('that name the signer of TCB info', { collateral: { revokedByRoot: [SERIALS.tcb] } }, 'revocation'),
];

const reworded = (key: keyof Collateral, from: string, to: string, id: CheckId): Tampering =>
  changed(
    `${key} with ${from} changed to ${to}`,
    withCollateral((all) => ({ [key]: replaced(all[key], from, to) })),
    id,
  );

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const dated = (what: string, edit: (draft: Draft, now: number) => void, of: 'tcbInfo' | 'qeIdentity') => ({
  what,
  id: of === 'tcbInfo' ? ('tcb.signature' as const) : ('qe.identity_signature' as const),
  attack: ({ now }: MockPki): Attack => ({
    edits: { collateral: { [of]: (draft: Draft) => edit(draft, now) } },
  }),
});
const restated = (what: string, edit: (draft: Draft) => void, id: CheckId) =>
  signed(what, { collateral: { tcbInfo: edit } }, id);

const STATEMENTS = [
  reworded('tcb_info', '"pcesvn":11', '"pcesvn":10', 'tcb.signature'),
  reworded('tcb_info', '{"id"', '{ "id"', 'tcb.signature'),
  reworded('qe_identity', '"isvsvn":4', '"isvsvn":3', 'qe.identity_signature'),
  reworded('tcb_info_issuer_chain', 'MII', 'MIJ', 'tcb.signature'),
  reworded('qe_identity_issuer_chain', 'MII', 'MIJ', 'qe.identity_signature'),
  reworded('pck_crl_issuer_chain', 'MII', 'MIJ', 'crl.pck'),
  changed(
    'with a changed signature of TCB info',
    withCollateral((all) => ({ tcb_info_signature: flip(all.tcb_info_signature, 9) })),
    'tcb.signature',
  ),
  changed(
    'with a changed signature of QE identity',
    withCollateral((all) => ({ qe_identity_signature: flip(all.qe_identity_signature, 9) })),
    'qe.identity_signature',
  ),
  changed(
    'swapped with each other',
    withCollateral((all) => ({ tcb_info: all.qe_identity, tcb_info_signature: all.qe_identity_signature })),
    'tcb.signature',
  ),
  dated('expired TCB info', (draft, now) => void (draft.nextUpdate = iso(now - 1)), 'tcbInfo'),
  dated('expired QE identity', (draft, now) => void (draft.nextUpdate = iso(now - 1)), 'qeIdentity'),
  dated('TCB info dated in the future', (draft, now) => void (draft.issueDate = iso(now + DAY)), 'tcbInfo'),
  restated('TCB info for another chip family', (draft) => void (draft.fmspc = '00906ED50000'), 'tcb.match'),
  restated('TCB info for SGX', (draft) => void (draft.id = 'SGX'), 'tcb.signature'),
  restated('TCB info without levels', (draft) => void (draft.tcbLevels = []), 'tcb.match'),
  signed(
    'QE identity without levels',
    { collateral: { qeIdentity: (draft) => void (draft.tcbLevels = []) } },
    'qe.identity',
  ),
  restated('an outdated platform', (draft) => void (draft.tcbLevels as unknown[]).shift(), 'tcb.status'),
];

export const TAMPERINGS: readonly (readonly [group: string, rows: readonly Tampering[]])[] = [
  ['a changed byte of the quote', QUOTE_BYTES],
  ['a validly signed quote of a TD', TDS],
  ['certificates', CERTIFICATES],
  ['revocation lists', REVOCATION_LISTS],
  ['TCB info and QE identity', STATEMENTS],
  ['an event log with', LOGS],
  ['app and OS evidence with', APPS],
];
