import { listKmsRows } from '../../db/kms/kms';
import { kmsOut } from '../../domain/catalog/catalogResponse';
import { offsetOf, pageOut } from '../core/paging';
import type { Handler } from '../types';

export const listKms: Handler<'listKms'> = async ({ query, ctx }) => {
  const only = query.is_onchain === undefined ? {} : { is_onchain: query.is_onchain };
  const { rows, total } = await listKmsRows(ctx.db, { ...only, ...offsetOf(query) });
  return { status: 200, body: pageOut(rows.map(kmsOut), total, query) };
};
