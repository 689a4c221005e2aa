import { countOperatorTemplates, MAX_OPERATOR_TEMPLATES } from '../../../db/catalog/operatorTemplates';
import { adminTemplateOut } from '../../../domain/catalog/adminTemplateResponse';
import { Problem } from '../../../domain/core/problem';
import { etagOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import type { Handler } from '../../types';
import { checkedTemplate, readFromUrl } from './adminTemplate';

const NAMES = {
  operator_templates_pkey: { field: 'id', message: 'A template with this ID was already added.' },
};

function entered(field: string, text: string | undefined): string {
  if (text === undefined)
    throw invalid(field, 'Enter both files, or the address of a folder that contains both.');
  return text;
}

export const createAdminTemplate: Handler<'createAdminTemplate'> = async ({ body, ctx }) => {
  const { id, metadata, compose_file, source_url } = body;
  if (source_url !== undefined && (metadata !== undefined || compose_file !== undefined))
    throw invalid('source_url', 'Send either an address or the two files.');
  const texts =
    source_url === undefined
      ? {
          metadata: entered('metadata', metadata),
          compose_file: entered('compose_file', compose_file),
          source_url: null,
        }
      : await readFromUrl(ctx, source_url);
  const fields = checkedTemplate(id, texts, texts.source_url);
  return namingConflict(NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      if ((await countOperatorTemplates(trx)) >= MAX_OPERATOR_TEMPLATES)
        throw new Problem('TEMPLATE_LIMIT', {
          message: `This server has reached the limit of ${MAX_OPERATOR_TEMPLATES} templates added in the admin area.`,
        });
      const row = await trx
        .insertInto('operator_templates')
        .values({ id, ...fields, source_url: texts.source_url })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'template.create',
        target_kind: 'template',
        target_id: id,
        after: { name: row.name, version: row.version, source_url: row.source_url },
      });
      return {
        status: 201,
        headers: { ETag: etagOf('templates', row.id, row.updated_at) },
        body: adminTemplateOut(row),
      } as const;
    }),
  );
};
