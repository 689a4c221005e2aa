import { gzipSync } from 'node:zlib';
import { bytesToHex, concatBytes, hexToBytes, utf8 } from '../../console/lib/bytes';
import { certificateReportData } from '../../console/lib/attestation/raTls';
import { octets, oid, sequence } from '../../console/lib/attestation/testing/derWriter';
import {
  type EvidenceEdits,
  INSTANCE_ID,
  mockEvidence,
  mockVmConfig,
  runtimeEvent,
} from '../../console/lib/attestation/testing/mockEvidence';
import {
  createKeys,
  makeCertificate,
  type MockPki,
  toPem,
} from '../../console/lib/attestation/testing/mockPki';
import type { Evidence, EventLogEntry } from '../../console/lib/attestation/types';

/** A guest on simulated hardware: its agent's response, with a certificate whose quote is valid under `pki`. */
export interface RaTlsGuest {
  evidence: Evidence;
  /** SPKI of the KMS root key, hex. */
  ca_pubkey: string;
  app_id: string;
  instance_id: string;
  compose_hash: string;
  app_compose: string;
  os_image_hash: string;
  /** The agent's Info response. */
  info: Record<string, unknown>;
}

export interface GuestEdits extends EvidenceEdits {
  /** Certificate format: the current V1, the earlier V0, the two extensions of 0.5, or V1 of an AMD host. */
  form?: 'msgpack' | 'scale' | 'classic' | 'sev-snp';
  /** Omits boot events from the certificate. */
  stripped?: boolean;
  /** Disables public_tcbinfo. */
  silent?: boolean;
  /** Changes already signed evidence before the host serves it. */
  tamper?: (honest: Evidence) => Evidence;
  /** Changes the agent's response. */
  info?: (info: Record<string, unknown>) => void;
}

/** Runtime events, and the boot events for ACPI tables, which depend on the host. */
const isCarried = ({ imr, event_type }: EventLogEntry): boolean =>
  imr === 3 || (imr === 0 && event_type === 10);

const ARC = '1.3.6.1.4.1.62397.1';
const SPKI = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
const extension = (name: string, value: Uint8Array): Uint8Array =>
  sequence(oid(`${ARC}.${name}`), octets(octets(value)));
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array(0);

export async function raTlsGuest(pki: MockPki, edits: GuestEdits = {}): Promise<RaTlsGuest> {
  const { form = 'msgpack', stripped = form !== 'classic' } = edits;
  const [root, authority, leaf] = await Promise.all([createKeys(), createKeys(), createKeys()]);
  const ca_pubkey = SPKI + bytesToHex(root.publicKey);
  const provider = JSON.stringify({ name: 'kms', id: ca_pubkey });
  const honest = await mockEvidence(pki, {
    ...edits,
    events: (events) => {
      const own = events.map((event) =>
        event.event === 'key-provider' ? runtimeEvent('key-provider', bytesToHex(utf8(provider))) : event,
      );
      return edits.events ? edits.events(own) : own;
    },
    measured: (measured) => {
      measured.reportData = bytesOf(certificateReportData(SPKI + bytesToHex(leaf.publicKey)));
      edits.measured?.(measured);
    },
  });
  const evidence = edits.tamper ? edits.tamper(honest) : honest;
  const events = JSON.parse(evidence.event_log ?? '[]') as EventLogEntry[];
  const carried = stripped ? events.filter(isCarried) : events;
  const dates = { notBefore: pki.now - 86_400, notAfter: pki.now + 365 * 86_400 };
  const { app_id = '', compose_hash = '' } = honest.claims ?? {};
  const certificates = await Promise.all([
    makeCertificate({
      subject: 'mock app',
      issuer: 'Dstack App CA',
      issuerKeys: authority,
      keys: leaf,
      serial: 3,
      ...dates,
      extensions: [
        extension('3', bytesOf(app_id)),
        extension('4', utf8('app:custom')),
        ...proof(form, evidence, carried),
      ],
    }),
    makeCertificate({
      subject: 'Dstack App CA',
      issuer: 'Dstack KMS CA',
      issuerKeys: root,
      keys: authority,
      ca: true,
      serial: 2,
      ...dates,
    }),
    makeCertificate({
      subject: 'Dstack KMS CA',
      issuer: 'Dstack KMS CA',
      issuerKeys: root,
      keys: root,
      ca: true,
      serial: 1,
      ...dates,
    }),
  ]);
  const info: Record<string, unknown> = {
    version: '0.6.0',
    app_id: evidence.claims?.app_id ?? app_id,
    instance_id: INSTANCE_ID,
    app_cert: toPem(...certificates),
    tcb_info: edits.silent
      ? ''
      : JSON.stringify({
          ...evidence.claims,
          rtmr0: '',
          event_log: events,
          app_compose: evidence.app_compose,
        }),
    // Current guests report the hash of an empty value as their device.
    device_id:
      evidence.claims?.device_id ?? 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  };
  edits.info?.(info);
  return {
    evidence,
    ca_pubkey,
    app_id,
    instance_id: INSTANCE_ID,
    compose_hash,
    app_compose: honest.app_compose ?? '',
    os_image_hash: mockVmConfig().osImageHash,
    info,
  };
}

function proof(
  form: NonNullable<GuestEdits['form']>,
  evidence: Evidence,
  events: EventLogEntry[],
): Uint8Array[] {
  const quote = bytesOf(evidence.quote ?? '');
  const config = evidence.vm_config ?? '';
  if (form === 'classic') {
    const log = gzipSync(Buffer.from(JSON.stringify(events)));
    return [extension('1', quote), extension('2', concatBytes(utf8('ELGZv1'), log))];
  }
  if (form === 'scale') return [extension('8', scale(quote, events, config))];
  const log = events.map((event) => ({
    ...event,
    // Uses each of the two byte encodings once.
    digest: bytesOf(event.digest),
    event_payload: [...bytesOf(event.event_payload)],
  }));
  const runtime = events
    .filter((event) => event.imr === 3)
    .map(({ event, event_payload }) => ({ event, payload: bytesOf(event_payload) }));
  const attestation = {
    version: 1,
    platform:
      form === 'sev-snp'
        ? { kind: 'sev-snp', data: { report: [...quote], cert_chain: [], mr_config: '' } }
        : { kind: 'tdx', data: { quote: [...quote], event_log: log } },
    stack: { kind: 'dstack', data: { report_data: new Uint8Array(64), runtime_events: runtime, config } },
  };
  return [extension('8', msgpack(attestation))];
}

// ---- the two encoders, written independently of the parsers

const be = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) & 0xff);
const tagged = (tag: number, ...parts: Uint8Array[]): Uint8Array => concatBytes(Uint8Array.of(tag), ...parts);

function msgpack(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return tagged(0xc5, be(value.length, 2), value);
  if (Array.isArray(value)) return tagged(0xdc, be(value.length, 2), ...value.map(msgpack));
  if (typeof value === 'string') return tagged(0xda, be(utf8(value).length, 2), utf8(value));
  if (typeof value === 'number') return value < 128 ? Uint8Array.of(value) : tagged(0xce, be(value, 4));
  const entries = Object.entries(value as Record<string, unknown>);
  return tagged(0x80 | entries.length, ...entries.flatMap((entry) => entry.map(msgpack)));
}

const le32 = (value: number): Uint8Array => be(value, 4).reverse();
/** Compact length in its two-byte form, then the bytes. */
const sized = (bytes: Uint8Array): Uint8Array => concatBytes(compact(bytes.length), bytes);
const compact = (length: number): Uint8Array =>
  length < 64 ? Uint8Array.of(length * 4) : be(length * 4 + 1, 2).reverse();

function scale(quote: Uint8Array, events: EventLogEntry[], config: string): Uint8Array {
  const log = events.map((event) =>
    concatBytes(
      le32(event.imr),
      le32(event.event_type),
      sized(bytesOf(event.digest)),
      sized(utf8(event.event)),
      sized(bytesOf(event.event_payload)),
    ),
  );
  return concatBytes(
    Uint8Array.of(0, 0),
    sized(quote),
    compact(log.length),
    ...log,
    compact(0),
    new Uint8Array(64),
    sized(utf8(config)),
  );
}
