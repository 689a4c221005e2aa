import type { AdminTemplate, AdminTemplateSummary } from '../../../generated/api/types.gen';

interface Summary extends Omit<AdminTemplateSummary, 'origin' | 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

export const adminTemplateSummaryOut = (row: Summary): AdminTemplateSummary => ({
  id: row.id,
  name: row.name,
  version: row.version,
  category: row.category,
  state: row.state,
  origin: row.source_url === null ? 'entered' : 'address',
  source_url: row.source_url,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const adminTemplateOut = (
  row: Summary & Pick<AdminTemplate, 'metadata' | 'compose_file'>,
): AdminTemplate => ({
  ...adminTemplateSummaryOut(row),
  metadata: row.metadata,
  compose_file: row.compose_file,
});
