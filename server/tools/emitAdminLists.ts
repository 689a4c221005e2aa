import { listUrl, PER_PAGE } from '../../admin/listUrl';
import { describeResource } from '../../admin/schema/describe';
import { hrefOf } from './emitAdminMenu';
import { adminResourcesOf, type ApiDocument } from './emitOperations';

/**
 * `api/adminLists.gen.ts`: what each list of the admin area asks for first. The server tells the browser with the page, so
 * that rows and code come at the same time.
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
  /** Who lacks it is not shown the list. */
  readonly permission: string;
  /** Path and query: the rows that the page shows first. */
  readonly request: string;
}

/** By the address of the page. */
export const adminLists: Readonly<Record<string, AdminList>> = ${JSON.stringify(Object.fromEntries(lists), null, 2)};
`;
}
