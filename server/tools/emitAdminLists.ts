import { listUrl, PER_PAGE } from '../../admin/lists/listUrl';
import { describeResource } from '../../admin/schema/describe';
import { hrefOf } from './emitAdminMenu';
import { adminResourcesOf } from './emitAdminResources';
import type { ApiDocument } from './emitOperations';

/**
 * `api/adminLists.gen.ts`: the first request of each list in the admin area. The server sends it with the page,
 * so that rows and code load in parallel.
 */
export function emitAdminLists(document: ApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const lists = Object.entries(adminResourcesOf(document)).flatMap(([name, entry]) => {
    const { sort, group, permissions } = describeResource(name, entry, schemas);
    if (permissions.list === undefined) return [];
    const request = listUrl(name, { page: 1, perPage: PER_PAGE, sort });
    return [[hrefOf(name, group), { permission: permissions.list, request }]];
  });
  return `// This file is written by \`npm run codegen\` from openapi/product.yaml and admin/listUrl. Do not edit.

export interface AdminList {
  /** Required to see the list. */
  readonly permission: string;
  /** Path and query of the rows that the page shows first. */
  readonly request: string;
}

/** By page address. */
export const adminLists: Readonly<Record<string, AdminList>> = ${JSON.stringify(Object.fromEntries(lists), null, 2)};
`;
}
