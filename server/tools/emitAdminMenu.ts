import { areaPages } from '../../admin/resources';
import { groupsInOrder, words } from '../../admin/schema/labels';
import type { AdminMenuEntry } from '../../console/lib/adminMenu';
import { adminResourcesOf, type ApiDocument } from './emitOperations';

/** As admin/paths.ts has them, which learns its resources from what is generated here. */
const FOLDERS: Readonly<Record<string, string>> = { infrastructure: 'infra/', system: 'system/' };

/** Where a list of the admin area is published. */
export const hrefOf = (name: string, group: string | undefined) =>
  `/admin/${FOLDERS[group ?? ''] ?? ''}${name}`;

/**
 * `api/adminMenu.gen.ts`: the menu of the admin area as data, for its own frame and for that of the console's pages of a
 * CVM, which may not import the admin area to ask.
 */
export function emitAdminMenu(document: ApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const pages = areaPages.map(({ group, label, path, permission }) => ({
    group,
    label,
    href: `/admin/${path}`,
    permission,
  }));
  const lists = Object.entries(adminResourcesOf(document)).map(([name, { schema, permissions }]) => {
    const { group = 'other' } = (schemas[schema]?.['x-admin'] ?? {}) as { group?: string };
    return {
      group,
      label: words(name),
      href: hrefOf(name, group),
      permission: permissions.list ?? '',
    };
  });
  // Pages of their own stand above the lists of their group, those in the order of the document.
  const all = [...pages, ...lists];
  const menu: AdminMenuEntry[] = groupsInOrder(all.map(({ group }) => group)).flatMap((group) =>
    all.filter((entry) => entry.group === group).map((entry) => ({ ...entry, group: words(group) })),
  );
  return `// This file is written by \`npm run codegen\` from openapi/product.yaml and admin/resources. Do not edit.

/** What its fields mean stands in console/lib/adminMenu.ts. */
export const adminMenu = ${JSON.stringify(menu, null, 2)} as const;
`;
}
