import { describeResource } from '../../admin/schema/describe';
import { adminResourcesOf } from './emitAdminResources';
import type { ApiDocument } from './emitOperations';

/** `api/adminRecords.gen.ts`: how records of each admin resource are named, and which fields refer to others. */
export function emitAdminRecords(document: ApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const records = Object.entries(adminResourcesOf(document)).map(([name, entry]) => {
    const { titleField, fields } = describeResource(name, entry, schemas);
    const references = fields.flatMap((field) =>
      field.type === 'reference' ? [[field.name, field.reference]] : [],
    );
    return [name, { title_field: titleField, references: Object.fromEntries(references) as object }];
  });
  return `// This file is written by \`npm run codegen\` from openapi/ (x-admin). Do not edit.

export interface AdminRecords {
  /** The field that names a record. */
  readonly title_field: string;
  /** The resource that each reference field refers to. */
  readonly references: Readonly<Record<string, string>>;
}

/** By resource. */
export const adminRecords: Readonly<Record<string, AdminRecords>> = ${JSON.stringify(Object.fromEntries(records), null, 2)};
`;
}
