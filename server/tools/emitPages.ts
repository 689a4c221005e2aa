import { readFileSync } from 'node:fs';
import { describeResource } from '../../admin/schema/describe';
import type { ResourceDescription } from '../../admin/schema/types';
import { hrefOf } from './emitAdminMenu';
import { areaPagesOf, recordPagesOf } from './emitAdminPages';
import { adminResourcesOf } from './emitAdminResources';
import type { ApiDocument } from './emitOperations';

/**
 * `api/pages.gen.ts`: every path with a page in either app, so that the server returns 404 for others. The
 * console's come from its route tree, the admin area's from the document (as in `admin/App.tsx`).
 */
export function emitPages(document: ApiDocument, routeTree: string): string {
  const pages = [...consolePages(readFileSync(routeTree, 'utf8')), ...adminPages(document)];
  return `// This file is written by \`npm run codegen\` from console/routes.gen.ts and openapi/. Do not edit.

/** Addresses with a page. \`$name\` stands for one segment, \`{name}\` for a server setting. */
export const pages: readonly string[] = ${JSON.stringify([...new Set(pages)].sort(), null, 2)};
`;
}

/** @throws if the route tree isn't in the form that the router plugin writes */
function consolePages(source: string): string[] {
  const listed = /interface FileRoutesByTo \{([\s\S]*?)\n\}/.exec(source)?.[1];
  if (listed === undefined) throw new Error('console/routes.gen.ts has no FileRoutesByTo');
  return [...listed.matchAll(/'([^']+)':/g)].map(([, path = '']) =>
    path.replace('{$agentFramework}', '{agent_framework}'),
  );
}

function adminPages(document: ApiDocument): string[] {
  const ownPages = recordPagesOf(document);
  const schemas = document.components.schemas ?? {};
  const resources = Object.entries(adminResourcesOf(document)).map(([name, entry]) =>
    describeResource(name, entry, schemas),
  );
  const childrenOf = ({ name }: ResourceDescription) =>
    resources.filter(
      ({ permissions, fields }) =>
        permissions.list !== undefined &&
        fields.some(({ type, reference }) => type === 'reference' && reference === name),
    );
  const formsOf = ({ permissions }: ResourceDescription, base: string, id: string) => [
    ...(permissions.list === undefined ? [] : [base]),
    ...(permissions.create === undefined ? [] : [`${base}/create`]),
    ...(permissions.show === undefined ? [] : [`${base}/${id}`]),
    ...(permissions.edit === undefined ? [] : [`${base}/${id}/edit`]),
  ];
  const ofResources = resources.flatMap((resource) => {
    const base = hrefOf(resource.name, resource.group);
    // The console has the CVM pages, also for administrators.
    if (resource.name === 'cvms') return [base];
    return [
      ...formsOf(resource, base, '$id'),
      ...(ownPages[resource.name] ?? []).map(({ path }) => `${base}/$id/${path}`),
      ...childrenOf(resource).flatMap((child) => [
        ...formsOf(child, `${base}/$id/${child.name}`, '$childId'),
        ...childrenOf(child).map(({ name }) => `${base}/$id/${child.name}/$childId/${name}`),
      ]),
    ];
  });
  return ['/admin', ...areaPagesOf(document).map(({ path }) => `/admin/${path}`), ...ofResources];
}
