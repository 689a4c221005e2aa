import type { AdminTemplate } from '../../../generated/api/types.gen';

interface Fields extends Omit<AdminTemplate, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

export const adminTemplateOut = (row: Fields): AdminTemplate => ({
  id: row.id,
  name: row.name,
  version: row.version,
  category: row.category,
  state: row.state,
  source_url: row.source_url,
  metadata: row.metadata,
  compose_file: row.compose_file,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
