import type { ProvisionCvm } from '../../../../generated/api/types.gen';
import type { TeepodCapacity } from '../../../db/hosts/reservations';
import { findKms, type FoundKms } from '../../../db/kms/kms';
import type { Db } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';

/** Maximum key services tried per deployment. */
const MAX_CHOICES = 10;

/**
 * Returns the key services for a deployment, best first: the named one, or those of the hosts it is limited to.
 * Among the latter, those without a contract come first, because a contract needs a wallet.
 * @param hosts null for all
 */
export async function kmsChoices(
  db: Db,
  body: ProvisionCvm,
  hosts: readonly TeepodCapacity[] | null,
): Promise<FoundKms[]> {
  const ids = [...new Set((hosts ?? []).flatMap(({ kms_id }) => (kms_id === null ? [] : [kms_id])))];
  if (ids.length <= 1 || KMS_FIELDS.some((field) => body[field] !== undefined))
    return [await kmsOf(db, body, ids[0] ?? null)];
  const found = await Promise.all(ids.slice(0, MAX_CHOICES).map((id) => findKms(db, String(id))));
  const active = found.filter((kms) => kms?.state === 'active') as FoundKms[];
  if (active.length === 0) return [await kmsOf(db, body, ids[0] ?? null)];
  return active.sort((a, b) => Number(a.chain_id !== null) - Number(b.chain_id !== null));
}

const KMS_FIELDS = ['kms_id', 'kms_contract_id', 'kms_contract', 'kms', 'kms_type'] as const;

/** @param of_host the requested host's KMS, if a host is requested */
async function kmsOf(db: Db, body: ProvisionCvm, of_host: number | null): Promise<FoundKms> {
  const named = KMS_FIELDS.find((field) => body[field] !== undefined);
  const field = named ?? 'kms';
  const name = String(body[field] ?? of_host ?? 'phala');
  const kms = await findKms(db, name);
  if (!kms) {
    throw new Problem('KMS_NOT_FOUND', {
      message: `No key management service “${name.toLowerCase()}” is connected to this server.`,
      details: [{ field, value: name }],
      suggestions: ['List them with GET /kms (phala kms list), or leave the field out.'],
    });
  }
  if (kms.state !== 'active')
    throw new Problem('KMS_NOT_FOUND', {
      message: `The key management service “${kms.slug}” is ${kms.state} and isn't accepting new apps.`,
      details: [{ field, value: name }],
    });
  return kms;
}
