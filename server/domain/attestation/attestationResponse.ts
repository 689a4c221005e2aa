import type { X509Certificate } from 'node:crypto';
import type { Certificate, TcbEvent, TcbInfo } from '../../../generated/api/types.gen';
import { certificatesIn } from './guestEvidence';
import { raTls } from './raTls';
import { short } from '../core/references';
import { ownValue } from '../../../console/lib/ownValue';

/** Parses the guest's claims, without verifying them. Returns null without measurements. */
export function parseTcbInfo(text: string): TcbInfo | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof raw !== 'object' || raw === null) return null;
  const info = raw as Record<string, unknown>;
  const word = (name: string) => {
    const value = ownValue(info, name);
    return typeof value === 'string' ? short(value, 128) : '';
  };
  if (!word('mrtd')) return null;
  return {
    mrtd: word('mrtd'),
    rootfs_hash: word('rootfs_hash') || null,
    rtmr0: word('rtmr0'),
    rtmr1: word('rtmr1'),
    rtmr2: word('rtmr2'),
    rtmr3: word('rtmr3'),
    event_log: (Array.isArray(info.event_log) ? info.event_log : []).slice(0, 1000).flatMap(eventOf),
    app_compose: typeof info.app_compose === 'string' ? info.app_compose : '',
  };
}

function eventOf(raw: unknown): TcbEvent[] {
  const event = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const { imr, event_type } = event;
  if (typeof imr !== 'number' || typeof event_type !== 'number') return [];
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return [
    {
      imr,
      event_type,
      digest: text(event.digest),
      event: short(text(event.event), 200),
      event_payload: text(event.event_payload),
    },
  ];
}

/** Returns the certificates of a PEM chain, leaf first; null for none. Skips anything else. */
export function certificatesOf(pem: string): Certificate[] | null {
  const chain = certificatesIn(pem);
  return chain.length === 0 ? null : chain.map(certificateOf);
}

function certificateOf(certificate: X509Certificate, position: number): Certificate {
  const subject = nameOf(certificate.subject);
  const issuer = nameOf(certificate.issuer);
  const { quote, app_id, usage } = raTls(certificate.raw);
  return {
    subject: {
      common_name: subject('CN'),
      organization: subject('O'),
      country: subject('C'),
      state: subject('ST'),
      locality: subject('L'),
    },
    issuer: { common_name: issuer('CN'), organization: issuer('O'), country: issuer('C') },
    serial_number: certificate.serialNumber,
    not_before: new Date(certificate.validFrom).toISOString(),
    not_after: new Date(certificate.validTo).toISOString(),
    ...tbsFacts(certificate.raw),
    fingerprint: certificate.fingerprint256,
    sans:
      certificate.subjectAltName
        ?.split(', ')
        .slice(0, 100)
        .map((name) => short(name.replace(/^(DNS|IP Address|URI|email):/, ''), 500)) ?? null,
    is_ca: certificate.ca,
    position_in_chain: position,
    quote: quote !== null && quote.length <= MAX_QUOTE ? quote : null,
    app_id,
    cert_usage: usage,
  };
}

/** Limit of the API schema, in hex digits. */
const MAX_QUOTE = 100_000;

/** node:crypto formats a name as lines "CN=…\nO=…", with "\," for a comma. */
function nameOf(text: string | undefined): (key: string) => string | null {
  const parts = new Map<string, string>();
  for (const line of (text ?? '').split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0 && !parts.has(line.slice(0, equals)))
      parts.set(line.slice(0, equals), line.slice(equals + 1).replaceAll(/\\(.)/g, '$1'));
  }
  return (key) => short(parts.get(key) ?? null, 500);
}

/** Returns version and signature algorithm, which node:crypto does not expose (RFC 5280 §4.1). */
function tbsFacts(der: Buffer): { version: string; signature_algorithm: string } {
  try {
    const certificate = element(der, 0);
    const tbs = element(der, certificate.start);
    let at = element(der, tbs.start);
    let version = 1;
    if (at.tag === 0xa0) {
      version = (der[element(der, at.start).start] ?? 0) + 1;
      at = element(der, at.end);
    }
    const algorithm = element(der, element(der, at.end).start);
    const oid = der.subarray(algorithm.start, algorithm.end).toString('hex');
    return { version: `v${version}`, signature_algorithm: ownValue(SIGNATURES, oid) ?? `oid:${oid}` };
  } catch {
    return { version: 'unknown', signature_algorithm: 'unknown' };
  }
}

/** Returns the DER element at `offset`: its tag, and the start and end of its content. */
function element(der: Buffer, offset: number): { tag: number; start: number; end: number } {
  const tag = der.readUInt8(offset);
  const first = der.readUInt8(offset + 1);
  const bytes = first < 0x80 ? 0 : first & 0x7f;
  const length = bytes === 0 ? first : der.readUIntBE(offset + 2, bytes);
  const start = offset + 2 + bytes;
  return { tag, start, end: start + length };
}

/** Signature algorithms by the DER content of their object identifier, hex. */
const SIGNATURES: Readonly<Record<string, string>> = {
  '2a8648ce3d040302': 'ecdsa-with-SHA256',
  '2a8648ce3d040303': 'ecdsa-with-SHA384',
  '2a8648ce3d040304': 'ecdsa-with-SHA512',
  '2a864886f70d01010b': 'sha256WithRSAEncryption',
  '2a864886f70d01010c': 'sha384WithRSAEncryption',
  '2a864886f70d01010d': 'sha512WithRSAEncryption',
  '2b6570': 'ed25519',
};
