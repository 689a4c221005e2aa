import { groupsInOrder, resourceLabel, words } from '../../admin/schema/labels';
import type { AdminMenuEntry } from '../../console/lib/adminMenu';
import { areaPagesOf } from './emitAdminPages';
import { adminResourcesOf } from './emitAdminResources';
import type { ApiDocument } from './emitOperations';

/** Matches admin/paths.ts, which can't be imported because it reads its resources from this output. */
const FOLDERS: Readonly<Record<string, string>> = { infrastructure: 'infra/', system: 'system/' };

/** Returns the path of a list in the admin area. */
export const hrefOf = (name: string, group: string | undefined) =>
  `/admin/${FOLDERS[group ?? ''] ?? ''}${name}`;

/**
 * `api/adminMenu.gen.ts`: the admin area's menu as data, for its own frame and for the console's CVM pages in that
 * frame, which may not import the admin area.
 */
export function emitAdminMenu(document: ApiDocument): string {
  const schemas = document.components.schemas ?? {};
  const pages = areaPagesOf(document).map(({ group, label, path, permission }) => ({
    group,
    label,
    href: `/admin/${path}`,
    permission,
  }));
  const lists = Object.entries(adminResourcesOf(document)).map(([name, { schema, permissions }]) => {
    const { group = 'other', menu_parent } = (schemas[schema]?.['x-admin'] ?? {}) as {
      group?: string;
      menu_parent?: string;
    };
    return {
      group,
      label: resourceLabel(name),
      href: hrefOf(name, group),
      ...(menu_parent === undefined ? {} : { parent: hrefOf(menu_parent, group) }),
      permission: permissions.list ?? '',
    };
  });
  // Custom pages come before their group's lists, which are in document order.
  const all = childrenBelow([...pages, ...lists]);
  const menu: AdminMenuEntry[] = groupsInOrder(all.map(({ group }) => group)).flatMap((group) =>
    all.filter((entry) => entry.group === group).map((entry) => ({ ...entry, group: words(group) })),
  );
  return `// This file is written by \`npm run codegen\` from openapi/. Do not edit.

/** Its fields are described in console/lib/adminMenu.ts. */
export const adminMenu = ${JSON.stringify(menu, null, 2)} as const;
`;
}

/** Moves entries directly below their parents, whatever the document's order. */
const childrenBelow = <E extends { href: string; parent?: string }>(entries: readonly E[]): E[] =>
  entries
    .filter(({ parent }) => parent === undefined)
    .flatMap((entry) => [entry, ...entries.filter(({ parent }) => parent === entry.href)]);
