import { sql, type Generated, type Selectable } from 'kysely';
import type { AdminTemplate, AdminTemplateSummary } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';

/** One row per template that administrators added (migration 0257_operator_templates). */
export interface OperatorTemplatesTable {
  /** Same form as a folder's name. */
  id: string;
  metadata: string;
  compose_file: string;
  /** The folder that both were read from; null if they were typed in. */
  source_url: string | null;
  name: string;
  version: string;
  category: AdminTemplate['category'];
  state: Generated<'offered' | 'hidden'>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type OperatorTemplateRow = Selectable<OperatorTemplatesTable>;

/** Limit for administrators' templates, besides those in folders. */
export const MAX_OPERATOR_TEMPLATES = 200;

/** Without the files, which would make a page of 200 megabytes large. */
export const adminTemplates: AdminListSource<Omit<OperatorTemplateRow, 'metadata' | 'compose_file'>> = {
  fields: {
    id: 'text',
    name: 'text',
    version: 'text',
    category: 'text',
    state: 'text',
    origin: 'text',
    source_url: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminTemplateSummary, AdminFieldKind>,
  searched: ['id', 'name'],
  select: sql`select id, name, version, category, state, source_url, created_at, updated_at,
    case when source_url is null then 'entered' else 'address' end as origin from operator_templates`,
};

/** With the files. */
export const adminTemplateRecords: AdminListSource<OperatorTemplateRow> = {
  ...adminTemplates,
  select: sql`select * from operator_templates`,
};

export const findOperatorTemplate = (db: Db, id: string) =>
  db.selectFrom('operator_templates').selectAll().where('id', '=', id).executeTakeFirst();

export const lockOperatorTemplate = (trx: Tx, id: string) =>
  trx.selectFrom('operator_templates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Serializes additions, so that concurrent requests count each other's. */
export async function countOperatorTemplates(trx: Tx): Promise<number> {
  await sql`lock table operator_templates in share row exclusive mode`.execute(trx);
  const { n } = await trx
    .selectFrom('operator_templates')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Changes with every change of these templates; empty without any. */
export async function operatorTemplatesState(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ state: string | null }>`
    select md5(string_agg(id || ' ' || updated_at::text, ',' order by id)) as state from operator_templates`.execute(
    db,
  );
  return rows[0]?.state ?? '';
}

/** Changes with every change of the template. */
const version = sql<string>`updated_at::text`.as('version');

export const offeredOperatorTemplates = (db: Db | Tx): Promise<{ id: string; version: string }[]> =>
  db
    .selectFrom('operator_templates')
    .select(['id', version])
    .where('state', '=', 'offered')
    .orderBy('id')
    .limit(MAX_OPERATOR_TEMPLATES)
    .execute();

export const operatorTemplateFiles = (
  db: Db | Tx,
  ids: readonly string[],
): Promise<{ id: string; version: string; metadata: string; compose_file: string }[]> =>
  db
    .selectFrom('operator_templates')
    .select(['id', version, 'metadata', 'compose_file'])
    .where('id', 'in', ids)
    .execute();
