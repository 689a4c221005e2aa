import type { KmsContract, KmsInfo } from '../../../generated/api/types.gen';
import { findKms } from '../../db/kms/kms';
import { kmsGroupOf } from '../../db/kms/kmsContracts';
import type { KmsRow } from '../../db/kms/kmsTable';
import { Problem } from '../../domain/core/problem';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { kmsContractOut } from '../../domain/kms/kmsContractResponse';
import type { Context, Handler } from '../types';

export const getKms: Handler<'getKms'> = async ({ path, ctx }) => {
  const kms = await kmsOfPath(ctx, path.kms);
  const group = await kmsGroupOf(ctx.db, kms.id);
  const body: KmsContract & { service: KmsInfo } = {
    ...kmsContractOut(group, group.label),
    // Older versions show the service itself.
    service: kmsOut(kms),
  };
  return { status: 200, body };
};

/** Finds a KMS by any identifier, or the oldest KMS of a named contract. */
export async function kmsOfPath(ctx: Context, name: string): Promise<KmsRow> {
  const kms = await findKms(ctx.db, name);
  if (!kms) throw new Problem('NOT_FOUND', { message: `There is no key management service “${name}”.` });
  return kms;
}
