import { findKms } from '../../db/kms/kms';
import type { KmsRow } from '../../db/kms/kmsTable';
import { Problem } from '../../domain/core/problem';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import type { Context, Handler } from '../types';

export const getKms: Handler<'getKms'> = async ({ path, ctx }) => ({
  status: 200,
  body: kmsOut(await kmsOfPath(ctx, path.kms)),
});

/** Finds a KMS by id, slug or type name. */
export async function kmsOfPath(ctx: Context, name: string): Promise<KmsRow> {
  const kms = await findKms(ctx.db, name);
  if (!kms) throw new Problem('NOT_FOUND', { message: `There is no key management service “${name}”.` });
  return kms;
}
