import { createPrivateKey, X509Certificate } from 'node:crypto';
import { adminAuditDestinations, lockAuditDestination } from '../../../db/audit/auditDestinations';
import type { AuditDestinationRow } from '../../../db/audit/auditDestinationsTable';
import { adminOne } from '../../../db/core/adminList';
import type { Db, Tx } from '../../../db/core/client';
import { addressFault, sealClientKey, sealDestinationSecret } from '../../../domain/audit/destination';
import { adminAuditDestinationOut } from '../../../domain/audit/destinationResponse';
import { MASK } from '../../../domain/core/sealedValue';
import { OutboundError } from '../../../drivers/net';
import { etagOf, nextVersion } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { auditDestinations } from '../../core/admin/resourcesSystem';
import type { Context } from '../../types';

export const DESTINATION_NAMES = {
  audit_destinations_name_key: {
    field: 'name',
    message: 'An audit destination with this name already exists.',
  },
};

type Kind = AuditDestinationRow['kind'];

/**
 * Returns the address normalized for storage. A name that can't be resolved now is accepted. @throws
 * VALIDATION_FAILED for an address that doesn't fit the kind, or that deliveries would be refused
 */
export async function checkedAddress(
  { auditOutlets }: Pick<Context, 'auditOutlets'>,
  kind: Kind,
  given: string,
): Promise<string> {
  const address = given.trim();
  const fault = addressFault(kind, address);
  if (fault !== null) throw invalid('address', fault);
  if (kind !== 'webhook') return address;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '')
    throw invalid('address', 'Enter the URL without a user name or password.');
  try {
    await auditOutlets.net.check(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.kind === 'refused') throw invalid('address', error.message);
  }
  return url.href;
}

/** @throws VALIDATION_FAILED if the kind has no secret */
export function sealedSecret(ctx: Pick<Context, 'seal'>, kind: Kind, secret: string): string {
  if (kind !== 'webhook') throw invalid('secret', 'Syslog has no signing secret.');
  return sealDestinationSecret(ctx.seal, secret);
}

const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
const MAX_CERTIFICATES = 100;

/** Returns the CA certificates as stored; null for none. @throws VALIDATION_FAILED if malformed */
export function checkedCertificate(kind: Kind, given: string | null): string | null {
  if (kind !== 'syslog_tls' && (given?.trim() ?? '') !== '')
    throw invalid('ca_certificate', 'A custom CA is only supported for syslog over TLS.');
  return certificatesIn('ca_certificate', given);
}

/**
 * Returns a client certificate and its sealed key as stored; nulls for none. @throws VALIDATION_FAILED if the kind
 * takes none, one is without the other, or the key doesn't match
 */
export function checkedClient(
  ctx: Pick<Context, 'seal'>,
  kind: Kind,
  certificate: string | null,
  key: string | undefined,
): Pick<AuditDestinationRow, 'client_certificate' | 'sealed_client_key'> {
  const cert = certificatesIn('client_certificate', certificate);
  if (cert === null) {
    if (key !== undefined) throw invalid('client_certificate', 'Enter the certificate for this key.');
    return { client_certificate: null, sealed_client_key: null };
  }
  if (kind !== 'syslog_tls')
    throw invalid('client_certificate', 'Client certificates are only supported for syslog over TLS.');
  if (key === undefined) throw invalid('client_key', 'Enter the private key of the client certificate.');
  let isItsKey: boolean;
  try {
    isItsKey = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw invalid('client_key', 'Enter a private key in PEM, without a passphrase.');
  }
  if (!isItsKey) throw invalid('client_key', 'This key belongs to a different certificate.');
  return { client_certificate: cert, sealed_client_key: sealClientKey(ctx.seal, key) };
}

/** @throws VALIDATION_FAILED for anything other than PEM certificates */
function certificatesIn(field: 'ca_certificate' | 'client_certificate', given: string | null): string | null {
  const text = given?.trim() ?? '';
  if (text === '') return null;
  const blocks = [...text.matchAll(PEM_BLOCK)];
  // A private key pasted by mistake would be shown to every administrator.
  if (blocks.some(([, label]) => label !== 'CERTIFICATE'))
    throw invalid(field, 'Enter certificates only, without keys.');
  if (
    blocks.length === 0 ||
    blocks.length > MAX_CERTIFICATES ||
    !blocks.every(([block]) => isCertificate(block))
  )
    throw invalid(field, 'Enter certificates in PEM, beginning with -----BEGIN CERTIFICATE-----.');
  return `${blocks.map(([block]) => block).join('\n')}\n`;
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

/** Returns the values to audit. A URL's query may hold the receiver's token. */
export function audited<R extends Partial<AuditDestinationRow>>(row: R): R {
  const url = row.kind === 'webhook' && row.address !== undefined ? new URL(row.address) : null;
  if (url && url.search !== '') url.search = '?…';
  return {
    ...row,
    ...(url ? { address: url.href } : {}),
    ...(row.sealed_secret ? { sealed_secret: MASK } : {}),
    ...(row.sealed_client_key ? { sealed_client_key: MASK } : {}),
  };
}

/** Returns the reply with the destination's current state. @throws NOT_FOUND */
export async function destinationReply(db: Db | Tx, id: number) {
  const row = await adminOne(db, adminAuditDestinations, id);
  if (!row) throw missing(auditDestinations, id);
  return {
    status: 200,
    headers: { ETag: etagOf(auditDestinations.name, id, row.updated_at) },
    body: adminAuditDestinationOut(row),
  } as const;
}

/** Pauses delivery, or resumes it where it was. @throws NOT_FOUND */
export const setDestinationState = (ctx: Context, id: number, state: AuditDestinationRow['state']) =>
  ctx.write(async ({ trx, audit, unchanged }) => {
    const before = await held(trx, id);
    if (before.state === state) return unchanged(await destinationReply(trx, id));
    await trx
      .updateTable('audit_destinations')
      // Attempts before the pause say nothing about the current state.
      .set({ state, next_attempt_at: null, updated_at: nextVersion(before) })
      .where('id', '=', id)
      .execute();
    await audit({
      action: `audit_destination.${state === 'paused' ? 'pause' : 'resume'}`,
      target_kind: 'audit_destination',
      target_id: String(id),
      before: { state: before.state },
      after: { state, name: before.name },
    });
    return destinationReply(trx, id);
  });

async function held(trx: Tx, id: number): Promise<AuditDestinationRow> {
  const row = await lockAuditDestination(trx, id);
  if (!row) throw missing(auditDestinations, id);
  return row;
}
