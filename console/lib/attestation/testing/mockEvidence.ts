// Evidence for a fictitious CVM, valid under a mock PKI: collateral, quote, event log of a 0.6 guest with its
// "lite" OS image, app-compose. Every signed part can be edited before signing.

import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8 } from '../../bytes';
import { buildAppCompose } from '../../compose/composeHash';
import { digestOf, RUNTIME_EVENT } from '../events/eventLog';
import { bootDigests } from '../os/osLite';
import { P256_SPKI } from '../x509/spki';
import type { Collateral, Evidence, EventLogEntry, Policy } from '../types';
import { DEFAULT_POLICY } from '../verify';
import { writeCbor } from './cborWriter';
import { chainOf, makeCrl, type MockPki, NAMES, PLATFORM, sign, toPem } from './mockPki';

const DAY = 86_400;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);

/** JSON in which tests change a value before it is signed. */
export type Draft = Record<string, unknown>;
const level = (status: string, tcb: Draft, date = '2024-03-13'): Draft => ({
  tcb,
  tcbDate: `${date}T00:00:00Z`,
  tcbStatus: status,
});
const components = (svns: readonly number[]): Draft[] =>
  Array.from({ length: 16 }, (_, i) => ({ svn: svns[i] ?? 0 }));

const QE_SIGNER = filled(32, 0xdc);
const NO_SIGNER = '00'.repeat(48);
const moduleOf = (more: Draft = {}): Draft => ({
  mrsigner: NO_SIGNER,
  attributes: '0000000000000000',
  attributesMask: 'FFFFFFFFFFFFFFFF',
  ...more,
});

export function tcbInfoDraft(now: number): Draft {
  const tcb = (pcesvn: number): Draft => ({
    sgxtcbcomponents: components([2, 2, 2, 2, 3, 1, 0, 5]),
    pcesvn,
    tdxtcbcomponents: components([5, 0, 2]),
  });
  return {
    id: 'TDX',
    version: 3,
    issueDate: iso(now - DAY),
    nextUpdate: iso(now + 29 * DAY),
    fmspc: bytesToHex(PLATFORM.fmspc).toUpperCase(),
    pceId: '0000',
    tcbType: 0,
    tcbEvaluationDataNumber: 17,
    tdxModule: moduleOf(),
    tdxModuleIdentities: [moduleOf({ id: 'TDX_01', tcbLevels: [level('UpToDate', { isvsvn: 4 })] })],
    tcbLevels: [
      level('UpToDate', tcb(11)),
      { ...level('OutOfDate', tcb(5), '2022-01-01'), advisoryIDs: ['INTEL-SA-00837'] },
    ],
  };
}

export const qeIdentityDraft = (now: number): Draft => ({
  id: 'TD_QE',
  version: 2,
  issueDate: iso(now - DAY),
  nextUpdate: iso(now + 29 * DAY),
  tcbEvaluationDataNumber: 17,
  miscselect: '00000000',
  miscselectMask: 'FFFFFFFF',
  attributes: '11000000000000000000000000000000',
  attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
  mrsigner: bytesToHex(QE_SIGNER).toUpperCase(),
  isvprodid: 2,
  tcbLevels: [level('UpToDate', { isvsvn: 4 })],
});

export interface CollateralEdits {
  tcbInfo?: (draft: Draft) => void;
  qeIdentity?: (draft: Draft) => void;
  revokedByRoot?: readonly number[];
  revokedByCa?: readonly number[];
}

export async function mockCollateral(pki: MockPki, edits: CollateralEdits = {}): Promise<Collateral> {
  const { now, keys, certificates } = pki;
  const dates = { thisUpdate: now - DAY, nextUpdate: now + 29 * DAY };
  const tcbInfo = tcbInfoDraft(now);
  edits.tcbInfo?.(tcbInfo);
  const qeIdentity = qeIdentityDraft(now);
  edits.qeIdentity?.(qeIdentity);
  const [tcb_info, qe_identity] = [JSON.stringify(tcbInfo), JSON.stringify(qeIdentity)];
  const signers = toPem(certificates.tcb, certificates.root);
  const crl = async (by: 'root' | 'platformCa', revoked?: readonly number[]): Promise<string> =>
    bytesToHex(await makeCrl({ issuer: NAMES[by], keys: keys[by], revoked, ...dates }));
  return {
    pck_crl_issuer_chain: toPem(certificates.platformCa, certificates.root),
    root_ca_crl: await crl('root', edits.revokedByRoot),
    pck_crl: await crl('platformCa', edits.revokedByCa),
    tcb_info_issuer_chain: signers,
    tcb_info,
    tcb_info_signature: await pki.signText(tcb_info),
    qe_identity_issuer_chain: signers,
    qe_identity,
    qe_identity_signature: await pki.signText(qe_identity),
  };
}

/** Offsets of the TD report's fields (48 more in v4 quotes). */
export const BODY = {
  teeTcbSvn: 0,
  mrSignerSeam: 64,
  seamAttributes: 112,
  tdAttributes: 120,
  mrtd: 136,
  mrConfigId: 184,
  rtmr0: 328,
  reportData: 520,
} as const;
const BODY_LENGTH = { 4: 584, 5: 648 } as const;

export interface QuoteEdits {
  version?: 4 | 5;
  body?: (body: Uint8Array) => void;
  qeReport?: (report: Uint8Array) => void;
  /** Replaces the chain of PCK certificate, CA and root. */
  chain?: Uint8Array;
}

const le = (value: number, length: 2 | 4): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) & 0xff);
/** Prefixes the bytes with their length. */
const sized = (length: 2 | 4, bytes: Uint8Array): Uint8Array => concatBytes(le(bytes.length, length), bytes);

interface Measured {
  mrtd: Uint8Array;
  rtmrs: Uint8Array[];
  mrConfigId: Uint8Array;
  reportData: Uint8Array;
}

async function mockQuote(pki: MockPki, measured: Measured, edits: QuoteEdits = {}): Promise<Uint8Array> {
  const { version = 4 } = edits;
  const { keys, certificates } = pki;
  const header = concatBytes(
    le(version, 2),
    le(2, 2),
    le(0x81, 4),
    le(0, 4),
    Uint8Array.from([
      0x93, 0x9a, 0x72, 0x33, 0xf7, 0x9c, 0x4c, 0xa9, 0x94, 0x0a, 0x0d, 0xb3, 0x95, 0x7f, 0x06, 0x07,
    ]),
    concatBytes(filled(16, 0x77), new Uint8Array(4)),
  );
  const body = new Uint8Array(BODY_LENGTH[version]);
  body.set([6, 1, 3], BODY.teeTcbSvn);
  body.set([0, 0, 0, 0x10], BODY.tdAttributes);
  body.set(measured.mrtd, BODY.mrtd);
  body.set(measured.mrConfigId, BODY.mrConfigId);
  measured.rtmrs.forEach((rtmr, i) => body.set(rtmr, BODY.rtmr0 + 48 * i));
  body.set(measured.reportData, BODY.reportData);
  edits.body?.(body);
  const descriptor = version === 5 ? concatBytes(le(3, 2), le(body.length, 4)) : new Uint8Array(0);
  const signed = concatBytes(header, descriptor, body);

  const attestationKey = keys.attestation.publicKey.subarray(1);
  const qeAuthData = Uint8Array.from({ length: 32 }, (_, i) => i);
  const qeReport = new Uint8Array(384);
  qeReport.set([0x11], 48);
  qeReport.set(QE_SIGNER, 128);
  qeReport.set(le(2, 2), 256);
  qeReport.set(le(6, 2), 258);
  qeReport.set(sha256(concatBytes(attestationKey, qeAuthData)), 320);
  edits.qeReport?.(qeReport);
  const certification = concatBytes(
    qeReport,
    await sign(keys.pck, qeReport),
    sized(2, qeAuthData),
    le(5, 2),
    sized(4, edits.chain ?? chainOf(certificates.pck, certificates.platformCa, certificates.root)),
  );
  const signature = concatBytes(
    await sign(keys.attestation, signed),
    attestationKey,
    le(6, 2),
    sized(4, certification),
  );
  return concatBytes(signed, sized(4, signature), new Uint8Array(64));
}

const IMAGE = {
  kernel: filled(48, 0x11),
  initrd: filled(48, 0x22),
  cmdline: filled(48, 0x33),
  ovmf: 'pre202505',
  singlePass: filled(48, 0x44),
  twoPass: filled(48, 0x55),
  // base page 2048, hand-off block in page 9, four accepted ranges
  tdHob: Uint8Array.of(0x80, 0x10, 9, 4, 0, 6, 9, 2, 11, 2, 16, 16),
};
const MEMORY = 4 * 2 ** 30;
/** SPKI of the P-256 base point: a valid key on the curve. */
export const KMS_ROOT = `${P256_SPKI}046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5`;
export const INSTANCE_ID = 'c3'.repeat(20);
const REPORT_DATA = bytesToHex(utf8('a challenge'));

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Returns a 0.6 guest's vm_config as text, and the hash that identifies its image. */
export function mockVmConfig(): { vm_config: string; osImageHash: string } {
  const measurement = writeCbor({
    version: 3,
    image: { cmdline_sha384: IMAGE.cmdline, kernel_authenticode: IMAGE.kernel, initrd_sha384: IMAGE.initrd },
    tdvf: {
      ovmf: IMAGE.ovmf,
      mrtd: { single_pass: IMAGE.singlePass, two_pass: IMAGE.twoPass },
      td_hob: IMAGE.tdHob,
    },
  });
  const checksums = utf8(`${bytesToHex(sha256(measurement))}  measurement.tdx.cbor\n`);
  const osImageHash = bytesToHex(sha256(checksums));
  const vm_config = JSON.stringify({
    os_image_hash: osImageHash,
    cpu_count: 2,
    memory_size: MEMORY,
    qemu_version: '8.2.2',
    tdx_attestation_variant: 'lite',
    tdx_measurement: { checksum_file: base64(checksums), measurement: base64(measurement) },
  });
  return { vm_config, osImageHash };
}

export const runtimeEvent = (event: string, payload: string, version?: 2): EventLogEntry => {
  const entry: EventLogEntry = {
    imr: 3,
    event_type: RUNTIME_EVENT,
    digest: '',
    event,
    event_payload: payload,
  };
  return version ? { ...entry, version } : entry;
};
export const withDigest = (entry: EventLogEntry): EventLogEntry => ({
  ...entry,
  digest: bytesToHex(digestOf(entry)),
});

/** Event types of the boot events by register, in order. */
const BOOT_TYPES = [
  [
    0x8000000b, 0x8000000a, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 4, 10, 10, 10,
    0x80000002, 0x80000002,
  ],
  [0x80000003, 0x80000007, 4, 0x80000007, 0x80000007],
  [6, 6],
] as const;

function bootEvents(): EventLogEntry[] {
  const acpi = ['loader', 'rsdp', 'tables'].map((name) => sha384(utf8(name)));
  return bootDigests(IMAGE, MEMORY, acpi).flatMap((digests, imr) =>
    digests.map((digest, i) => ({
      imr,
      event_type: BOOT_TYPES[imr]?.[i] ?? 0,
      digest: bytesToHex(digest),
      event: '',
      event_payload: '',
    })),
  );
}

export interface EvidenceEdits extends QuoteEdits {
  /** Changes the log before it is measured. */
  events?: (events: EventLogEntry[]) => EventLogEntry[];
  /** Changes the values that the quote will contain. */
  measured?: (measured: Measured) => void;
  collateral?: CollateralEdits;
}

function extendAll(events: readonly EventLogEntry[]): Uint8Array[] {
  const registers = Array.from({ length: 4 }, () => new Uint8Array(48));
  for (const event of events) {
    const runtime = event.imr === 3 && event.event_type === RUNTIME_EVENT;
    const given = Uint8Array.from(event.digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const before = registers[event.imr] ?? new Uint8Array(48);
    registers[event.imr] = new Uint8Array(sha384(concatBytes(before, runtime ? digestOf(event) : given)));
  }
  return registers;
}

/** Valid now, under `policyFor(pki)` and with `pki.rootPem` as the root. */
export async function mockEvidence(pki: MockPki, edits: EvidenceEdits = {}): Promise<Evidence> {
  const { bytes, compose_hash } = buildAppCompose({
    name: 'mock',
    docker_compose_file: 'services:\n  web:\n    image: nginx\n',
  });
  const provider = JSON.stringify({ name: 'kms', id: KMS_ROOT });
  const honest: EventLogEntry[] = [
    ...bootEvents(),
    runtimeEvent('system-preparing', ''),
    runtimeEvent('app-id', compose_hash.slice(0, 40)),
    withDigest(runtimeEvent('compose-hash', compose_hash)),
    runtimeEvent('instance-id', INSTANCE_ID, 2),
    runtimeEvent('boot-mr-done', ''),
    withDigest(runtimeEvent('key-provider', bytesToHex(utf8(provider)))),
    runtimeEvent('storage-fs', bytesToHex(utf8('zfs'))),
    runtimeEvent('system-ready', ''),
    runtimeEvent('my-own-event', bytesToHex(utf8('of the app'))),
  ];
  const events = edits.events ? edits.events(honest) : honest;
  const measured: Measured = {
    mrtd: IMAGE.twoPass,
    rtmrs: extendAll(events),
    mrConfigId: concatBytes(Uint8Array.of(1), sha256(utf8(bytes)), new Uint8Array(15)),
    reportData: utf8('a challenge'),
  };
  edits.measured?.(measured);
  return {
    quote: bytesToHex(await mockQuote(pki, measured, edits)),
    event_log: JSON.stringify(events),
    app_compose: bytes,
    vm_config: mockVmConfig().vm_config,
    collateral: await mockCollateral(pki, edits.collateral),
    claims: { mrtd: bytesToHex(measured.mrtd), app_id: compose_hash.slice(0, 40), compose_hash },
  };
}

/** Returns a policy that names every value in the mock evidence, so that nothing goes unchecked. */
export const mockPolicy = (evidence: Evidence): Policy => ({
  ...DEFAULT_POLICY,
  report_data: REPORT_DATA,
  app_id: evidence.claims?.app_id,
  compose_hash: evidence.claims?.compose_hash,
  instance_id: INSTANCE_ID,
  key_provider_ids: [KMS_ROOT],
  kms_roots: [KMS_ROOT],
  os_image_hashes: [mockVmConfig().osImageHash],
});
