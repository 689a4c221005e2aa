import { listActiveInstanceTypes } from '../../db/catalog/catalog';
import { Problem } from '../../domain/core/problem';
import { instanceTypeOut } from '../../domain/catalog/catalogResponse';
import type { Handler } from '../types';

export const FAMILIES = ['cpu', 'gpu'] as const;

export const getInstanceTypeFamily: Handler<'getInstanceTypeFamily'> = async ({ path, ctx }) => {
  const family = FAMILIES.find((name) => name === path.family.toLowerCase());
  if (!family)
    throw new Problem('NOT_FOUND', {
      message: `There is no instance type family “${path.family}”.`,
      suggestions: [`Use ${FAMILIES.join(' or ')}.`],
    });
  const items = (await listActiveInstanceTypes(ctx.db, family)).map(instanceTypeOut);
  return { status: 200, body: { items, total: items.length, family } };
};
