import { listActiveInstanceTypes } from '../../db/catalogue';
import { instanceTypeOut } from '../../domain/wire/catalogue';
import type { Handler } from '../types';
import { FAMILIES } from './getInstanceTypeFamily';

/** Families without an active size are left out: there is nothing to choose in them. */
export const listInstanceTypes: Handler<'listInstanceTypes'> = async ({ ctx }) => {
  const types = await listActiveInstanceTypes(ctx.db);
  const result = FAMILIES.map((name) => {
    const items = types.filter((type) => type.family === name).map(instanceTypeOut);
    return { name, items, total: items.length };
  });
  return { status: 200, body: { result: result.filter(({ total }) => total > 0) } };
};
