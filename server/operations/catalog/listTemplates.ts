import { templateSummary } from '../../domain/catalog/template';
import type { Handler } from '../types';

export const listTemplates: Handler<'listTemplates'> = async ({ ctx }) => ({
  status: 200,
  body: (await ctx.templates.all()).map(templateSummary),
});
