import { kmsGroupOf } from '../../db/kms/kmsContracts';
import { kmsNodeOut } from '../../domain/kms/kmsContractResponse';
import type { Handler } from '../types';
import { kmsOfPath } from './getKms';

export const listKmsNodes: Handler<'listKmsNodes'> = async ({ path, ctx }) => {
  const { replicas } = await kmsGroupOf(ctx.db, (await kmsOfPath(ctx, path.kms)).id);
  return { status: 200, body: { items: replicas.map(kmsNodeOut), total: replicas.length } };
};
