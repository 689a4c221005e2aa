import { areaPages } from '../../admin/resources';
import { groupsInOrder, words } from '../../admin/schema/labels';
import { adminResourcesOf, type ApiDocument } from './emitOperations';

/** As admin/paths.ts has them, which learns its resources from what is generated here. A test holds both menus together. */
const FOLDERS: Readonly<Record<string, string>> = { infrastructure: 'infra/', system: 'system/' };

/** Where a list of the admin area is published. */
export const hrefOf = (name: string, group: string | undefined) =>
  `/admin/${FOLDERS[group ?? ''] ?? ''}${name}`;

/**
 * `api/adminMenu.gen.ts`: the menu of the admin area as data. The console shows it around the pages of a CVM, and may
 * not import the admin area to ask.
 */
export function emitAdminMenu(document: ApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const inGroups = Object.entries(adminResourcesOf(document)).map(([name, { schema, permissions }]) => {
    const hints = schemas[schema]?.['x-admin'] as { group?: string } | undefined;
    return {
      group: hints?.group ?? 'other',
      label: words(name),
      href: hrefOf(name, hints?.group),
      permission: permissions.list ?? '',
    };
  });
  const resources = groupsInOrder(inGroups.map(({ group }) => group)).flatMap((group) =>
    inGroups.filter((entry) => entry.group === group).map((entry) => ({ ...entry, group: words(group) })),
  );
  const pages = areaPages.map(({ group, label, path, permission }) => ({
    group: words(group),
    label,
    href: `/admin/${path}`,
    permission,
  }));
  return `// This file is written by \`npm run codegen\` from openapi/product.yaml and admin/resources. Do not edit.

export interface AdminMenuEntry {
  readonly group: string;
  readonly label: string;
  readonly href: string;
  /** Who lacks it does not see the entry. */
  readonly permission: string;
}

/** Lists, by part of the menu, in the order of the document. */
export const adminMenuResources: readonly AdminMenuEntry[] = ${JSON.stringify(resources, null, 2)};

/** Pages of their own: above the lists of their group. */
export const adminMenuPages: readonly AdminMenuEntry[] = ${JSON.stringify(pages, null, 2)};
`;
}
