import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';

export const getTemplate: Handler<'getTemplate'> = async ({ path, ctx }) => {
  const template = await ctx.templates.find(path.template_id);
  if (!template) throw new Problem('NOT_FOUND', { message: 'No template has this ID.' });
  return { status: 200, body: template };
};
