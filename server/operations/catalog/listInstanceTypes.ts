import { listActiveInstanceTypes } from '../../db/catalog/catalog';
import { instanceTypeOut } from '../../domain/catalog/catalogResponse';
import type { Handler } from '../types';
import { FAMILIES } from './getInstanceTypeFamily';

/** Leaves out families without an active size: they offer nothing to choose. */
export const listInstanceTypes: Handler<'listInstanceTypes'> = async ({ ctx }) => {
  const types = await listActiveInstanceTypes(ctx.db);
  const result = FAMILIES.map((name) => {
    const items = types.filter((type) => type.family === name).map(instanceTypeOut);
    return { name, items, total: items.length };
  });
  return { status: 200, body: { result: result.filter(({ total }) => total > 0) } };
};
