import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes, utf8 } from '../bytes';
import {
  ACI_VERSION,
  aciReceipt,
  aciReport,
  bodyHash,
  keysetDigest,
  reportData,
  signedText,
  type AciReceipt,
  type Keyset,
} from './aci';

export interface AciCheck {
  id: 'keyset' | 'fresh' | 'expiry' | 'tee' | 'signature' | 'document' | 'request' | 'response' | 'channel';
  title: string;
  state: 'passed' | 'failed' | 'skipped';
  detail: string;
}

export interface Exchange {
  /** The gateway's report from before the request, parsed from JSON. */
  report: unknown;
  /** The challenge sent for the report: 64 hex digits. */
  nonce: string;
  receipt: unknown;
  /** The bodies' bytes, as sent and received. */
  request: Uint8Array;
  response: Uint8Array;
}

/** Milliseconds. With a longer lifetime, a key says little about who still holds it. */
const MAX_LIFE = 400 * 24 * 3_600_000;

/**
 * Checks a receipt and the keys that signed it, as far as a browser can (aci/1, §9.1 and §9.3). Trusts nothing that
 * isn't bound by the signature and the keyset's digest.
 */
export function verifyExchange(exchange: Exchange, now = new Date()): AciCheck[] {
  const report = aciReport.safeParse(exchange.report);
  const receipt = aciReceipt.safeParse(exchange.receipt);
  if (!report.success)
    return [failed('keyset', 'Keys', 'The gateway’s attestation report is missing or malformed.')];
  if (!receipt.success) return [failed('document', 'Receipt', 'The receipt is missing or malformed.')];
  const { attestation, workload_keyset_digest } = report.data;
  const keys = attestation.workload_keyset;
  const digest = keysetDigest(keys);
  return [
    check(
      'keyset',
      'Gateway keys',
      digest === workload_keyset_digest && report.data.api_version === ACI_VERSION,
      'The report’s keys match the digest it names.',
      'The report’s keys don’t match the digest it names.',
    ),
    check(
      'fresh',
      'Fresh report',
      attestation.report_data === reportData(digest, exchange.nonce),
      'The report answers this browser’s challenge.',
      'The report doesn’t answer this browser’s challenge.',
    ),
    expiry(keys, now),
    tee(attestation.tee_type),
    signature(receipt.data, exchange.receipt as Record<string, unknown>, keys),
    check(
      'document',
      'Receipt',
      receipt.data.workload_keyset_digest === digest && receipt.data.api_version === ACI_VERSION,
      'The receipt names these keys.',
      'The receipt names other keys.',
    ),
    body('request', 'Request', receipt.data, 'request.received', exchange.request, 'sent'),
    body('response', 'Answer', receipt.data, 'response.returned', exchange.response, 'received'),
    {
      id: 'channel',
      title: 'Connection',
      state: 'skipped',
      detail:
        'A browser can’t see the TLS key of its connection. A verifying client compares it with the report.',
    },
  ];
}

/** The data a client has about a gateway. */
export type Known = Pick<Exchange, 'report' | 'nonce'>;

/**
 * Checks an answer's receipt. A gateway's keys change monthly and when its secret is replaced: if the receipt names
 * other keys than the report, the report is fetched again.
 */
export async function verifyAnswer(
  known: Known,
  proof: Omit<Exchange, keyof Known>,
  readReport: () => Promise<Known>,
): Promise<{ known: Known; checks: AciCheck[] }> {
  const named = aciReceipt.safeParse(proof.receipt).data?.workload_keyset_digest;
  const isOld =
    named !== undefined && named !== aciReport.safeParse(known.report).data?.workload_keyset_digest;
  const current = isOld ? await readReport() : known;
  return { known: current, checks: verifyExchange({ ...current, ...proof }) };
}

function tee(tee_type: string): AciCheck {
  const title = 'TEE';
  if (tee_type === 'none')
    return failed(
      'tee',
      title,
      'The gateway doesn’t run in a TEE, so its operator could read this and sign anything.',
    );
  return {
    id: 'tee',
    title,
    state: 'skipped',
    detail: `The gateway says that it runs in ${tee_type === 'tdx' ? 'Intel TDX' : tee_type}. This page doesn’t check its evidence.`,
  };
}

function expiry({ not_after }: Keyset, now: Date): AciCheck {
  const left = not_after * 1000 - now.getTime();
  const title = 'Key validity';
  if (left <= 0) return failed('expiry', title, 'The keys have expired.');
  if (left > MAX_LIFE) return failed('expiry', title, 'The keys are valid for an implausibly long time.');
  return { id: 'expiry', title, state: 'passed', detail: 'The keys are valid now.' };
}

function signature(
  { key_id, signature: given }: AciReceipt,
  receipt: Record<string, unknown>,
  keys: Keyset,
): AciCheck {
  const title = 'Signature';
  const key = keys.receipt_signing_keys.find((one) => one.key_id === key_id);
  if (!key)
    return failed('signature', title, 'The receipt names a key that the gateway’s report doesn’t list.');
  if (key.algo !== 'ed25519')
    return failed('signature', title, 'The receipt is signed with an unknown algorithm.');
  return check(
    'signature',
    title,
    isSigned(key.public_key, given, signedText(receipt)),
    'The gateway’s key signed this receipt.',
    'The signature doesn’t match the receipt: it was changed, or another key signed it.',
  );
}

function isSigned(public_key: string, signature: string, text: string): boolean {
  const [key, bytes] = [hexToBytes(public_key), hexToBytes(signature)];
  if (key?.length !== 32 || bytes?.length !== 64) return false;
  try {
    return ed25519.verify(bytes, utf8(text), key);
  } catch {
    // The point is not on the curve.
    return false;
  }
}

function body(
  id: 'request' | 'response',
  title: string,
  { event_log }: AciReceipt,
  event: string,
  bytes: Uint8Array,
  verb: string,
): AciCheck {
  const found = event_log.filter(({ type }) => type === event);
  const isFirst = event !== 'request.received' || event_log[0]?.type === event;
  return check(
    id,
    title,
    found.length === 1 && isFirst && found[0]?.body_hash === bodyHash(bytes),
    `The receipt’s hash matches the bytes that this browser ${verb}.`,
    `The receipt’s hash doesn’t match the bytes that this browser ${verb}.`,
  );
}

const failed = (id: AciCheck['id'], title: string, detail: string): AciCheck => ({
  id,
  title,
  state: 'failed',
  detail,
});

const check = (id: AciCheck['id'], title: string, ok: boolean, yes: string, no: string): AciCheck => ({
  id,
  title,
  state: ok ? 'passed' : 'failed',
  detail: ok ? yes : no,
});
