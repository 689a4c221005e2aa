import { listOsImageRows } from '../../db/catalog/catalog';
import { osImageOut } from '../../domain/catalog/catalogResponse';
import { offsetOf, pageOut } from '../core/paging';
import type { Handler } from '../types';

export const listOsImages: Handler<'listOsImages'> = async ({ query, ctx }) => {
  const only = query.is_dev === undefined ? {} : { is_dev: query.is_dev };
  const { rows, total } = await listOsImageRows(ctx.db, { ...only, ...offsetOf(query) });
  return { status: 200, body: pageOut(rows.map(osImageOut), total, query) };
};
