import type { AuditDestinationRow } from '../../db/audit/auditDestinationsTable';
import { batchBody, batchId, firstThatFit } from '../../domain/audit/auditBatch';
import { hostAndPort, openClientKey, openDestinationSecret } from '../../domain/audit/destination';
import type { ExportedEntry } from '../../domain/audit/exportedEntry';
import { syslogFrame, syslogMessage } from '../../domain/audit/syslogMessage';
import { literalHost } from '../../domain/core/outbound';
import type { Seal } from '../../domain/core/seal';
import { webhookHeaders } from '../../domain/webhooks/webhook';
import { OutboundError, type Outbound } from '../../drivers/net';
import type { SyslogDriver } from '../../drivers/syslog';

/** Longest wait for a destination, from connecting to its answer; less than half of a lease. */
export const ATTEMPT_MS = 20_000;

export interface AuditOutlets {
  seal: Seal;
  syslog: SyslogDriver;
  /** Also reaches private networks, because administrators enter the addresses. */
  net: Outbound;
  /** Public origin of the server. */
  publicUrl: string;
}

type Destination = Pick<
  AuditDestinationRow,
  'id' | 'kind' | 'address' | 'sealed_secret' | 'ca_certificate' | 'client_certificate' | 'sealed_client_key'
>;

interface Attempt {
  at: Date;
  test?: boolean;
  timeout_ms?: number;
  signal?: AbortSignal | undefined;
}

/** An error message for the administrator, or the number of entries the destination accepted. */
export type Outcome = { error: string } | { delivered: number };

/** Sends the first entries that fit in one delivery. Throws only when `signal` is aborted. */
export async function deliverEntries(
  outlets: AuditOutlets,
  destination: Destination,
  entries: readonly ExportedEntry[],
  attempt: Attempt,
): Promise<Outcome> {
  try {
    return destination.kind === 'webhook'
      ? await post(outlets, destination, entries, attempt)
      : await write(outlets, destination, entries, attempt);
  } catch (error) {
    if (attempt.signal?.aborted || !(error instanceof OutboundError)) throw error;
    return { error: error.message };
  }
}

async function write(
  { seal, syslog, publicUrl }: AuditOutlets,
  { kind, address, ca_certificate, client_certificate, sealed_client_key }: Destination,
  entries: readonly ExportedEntry[],
  { timeout_ms = ATTEMPT_MS, signal }: Attempt,
): Promise<Outcome> {
  const server = hostAndPort(address);
  if (!server) return { error: `${address} has no host and port.` };
  const host = literalHost(new URL(publicUrl));
  const frames = firstThatFit(
    entries.map((entry) => syslogFrame(syslogMessage(entry, host))),
    ({ length }) => length,
  );
  let client: { cert: string; key: string } | null = null;
  if (client_certificate !== null) {
    try {
      client = { cert: client_certificate, key: openClientKey(seal, sealed_client_key ?? '') };
    } catch {
      return { error: 'Its client key can no longer be decrypted: enter it again.' };
    }
  }
  const tls = kind === 'syslog_tls' ? { ca: ca_certificate, client } : null;
  await syslog.send({ ...server, tls }, Buffer.concat(frames), { timeout_ms, signal });
  return { delivered: frames.length };
}

async function post(
  { seal, net, publicUrl }: AuditOutlets,
  { id, address, sealed_secret }: Destination,
  entries: readonly ExportedEntry[],
  { at, test = false, timeout_ms = ATTEMPT_MS, signal }: Attempt,
): Promise<Outcome> {
  let secret: string;
  try {
    secret = openDestinationSecret(seal, sealed_secret ?? '');
  } catch {
    // The cipher's error message helps nobody.
    return { error: 'Its secret can no longer be decrypted: enter it again.' };
  }
  const texts = firstThatFit(
    entries.map((entry) => JSON.stringify(entry)),
    (text) => Buffer.byteLength(text),
  );
  const event_id = batchId(id, entries.slice(0, texts.length));
  const body = batchBody({ event_id, at, installation: publicUrl, test, entries: texts });
  const event = test ? 'audit.test' : 'audit.entries';
  const status = await net.status(new URL(address), {
    method: 'POST',
    headers: webhookHeaders({ event_id, event, body, secret, previous: null, at }),
    body,
    timeout_ms,
    signal,
  });
  if (status >= 200 && status < 300) return { delivered: texts.length };
  const what = status < 400 ? 'redirects are not followed' : 'the entries stay queued';
  return { error: `${new URL(address).host} returned status ${status}: ${what}.` };
}
