import { join } from 'node:path';
import { ROOT } from '../root';
import { adminResourcesOf } from './emitAdminResources';
import type { ApiDocument } from './emitOperations';

/** Folder of the admin area's custom pages and panels. */
export const ADMIN_RESOURCES_DIR = join(ROOT, 'admin/resources');

/** A page in the document, visible to users who may call its operation. */
interface Page {
  path: string;
  label: string;
  operation: string;
  /** File below admin/resources, without extension; exports a component of the same name. */
  component: string;
}

interface Hints {
  pages?: Page[];
  panels?: string[];
  lead_panel?: { field: string; component: string };
  create_panel?: string;
  edit_panel?: string;
}

interface Described extends Page {
  permission: string;
}

/** Pages without a record. */
export const areaPagesOf = (document: ApiDocument): (Described & { group: string })[] =>
  ((document['x-admin-pages'] ?? []) as (Page & { group: string })[]).map((page) => ({
    ...page,
    permission: permissionOf(document, page),
  }));

/** Pages below one record, by resource. */
export const recordPagesOf = (document: ApiDocument): Record<string, Described[]> =>
  byResource(document, ({ pages }) =>
    pages?.map((page) => ({ ...page, permission: permissionOf(document, page) })),
  );

/** @throws when the document has no such operation */
function permissionOf(document: ApiDocument, { path, operation }: Page): string {
  const found = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === operation);
  if (!found) throw new Error(`the admin page ${path} needs ${operation}, which is no operation`);
  return String(found['x-permission']);
}

function byResource<T>(document: ApiDocument, read: (hints: Hints) => T | undefined): Record<string, T> {
  const schemas = document.components.schemas ?? {};
  return Object.fromEntries(
    Object.entries(adminResourcesOf(document)).flatMap(([name, { schema }]) => {
      const found = read((schemas[schema]?.['x-admin'] ?? {}) as Hints);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

/** Returns code that lazily loads a component. */
const lazily = (component: string): string => {
  const name = component.split('/').at(-1);
  return `lazyWithRetry(() => import('./${component}').then((m) => ({ default: m.${name} })))`;
};

/**
 * `admin/resources/actionPanels.gen.ts`: separate from the pages, because pages have actions whose dialogs load
 * these panels.
 */
export function emitActionPanels(document: ApiDocument): string {
  const panels = Object.entries(adminResourcesOf(document)).flatMap(([name, { actions }]) => {
    const lines = actions.flatMap(({ name: action, panel }) =>
      typeof panel === 'string' ? [`    ${JSON.stringify(action)}: ${lazily(panel)},\n`] : [],
    );
    return lines.length === 0 ? [] : [`  ${JSON.stringify(name)}: {\n${lines.join('')}  },\n`];
  });
  return `// This file is written by \`npm run codegen\` from openapi/ (x-admin). Do not edit.

import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import type { AdminRecord } from '../record';

type ActionPanel = LazyExoticComponent<ComponentType<{ record: AdminRecord }>>;

/** By resource and action: panel inside the form of an action. */
export const actionPanels: Readonly<Record<string, Readonly<Record<string, ActionPanel>>>> = {
${panels.join('')}};
`;
}

/** `admin/resources/pages.gen.ts`: the components that the document names, loaded when they are shown. */
export function emitAdminPages(document: ApiDocument): string {
  const written = ({ component, operation: _, ...page }: Described) =>
    `{ ${Object.entries(page)
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(', ')}, component: ${lazily(component)} },`;
  const table = (entries: Record<string, string[]>) =>
    Object.entries(entries)
      .map(
        ([name, lines]) =>
          `  ${JSON.stringify(name)}: [\n${lines.map((line) => `    ${line}\n`).join('')}  ],\n`,
      )
      .join('');
  const mapped = <T>(entries: Record<string, T[]>, line: (one: T) => string) =>
    Object.fromEntries(Object.entries(entries).map(([name, all]) => [name, all.map(line)]));
  const panels = byResource(document, (hints) => hints.panels);
  const leadPanels = Object.entries(byResource(document, (hints) => hints.lead_panel))
    .map(
      ([name, { field, component }]) =>
        `  ${JSON.stringify(name)}: { field: ${JSON.stringify(field)}, component: ${lazily(component)} },\n`,
    )
    .join('');
  const formPanels = (key: 'create_panel' | 'edit_panel') =>
    Object.entries(byResource(document, (hints) => hints[key]))
      .map(([name, component]) => `  ${JSON.stringify(name)}: ${lazily(component)},\n`)
      .join('');
  return `// This file is written by \`npm run codegen\` from openapi/ (x-admin). Do not edit.

import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import type { AreaPage, FormPanel, LeadPanel, RecordPage, RecordPanel } from './index';

/** By resource: pages below one record. They replace a list of the same name. */
export const recordPages: Readonly<Record<string, readonly RecordPage[]>> = {
${table(mapped(recordPagesOf(document), written))}};

/** By resource: panels below the details of a record. */
export const recordPanels: Readonly<Record<string, readonly RecordPanel[]>> = {
${table(mapped(panels, (component) => `${lazily(component)},`))}};

/** By resource: panel above the details of a record while a field has a value. */
export const leadPanels: Readonly<Record<string, LeadPanel>> = {
${leadPanels}};

/** By resource: panel inside the form of a new record. */
export const createPanels: Readonly<Record<string, FormPanel>> = {
${formPanels('create_panel')}};

/** By resource: panel inside the form of an existing record. */
export const editPanels: Readonly<Record<string, FormPanel>> = {
${formPanels('edit_panel')}};

/** Pages that belong to no record. */
export const areaPages: readonly AreaPage[] = [
${areaPagesOf(document)
  .map((page) => `  ${written(page)}\n`)
  .join('')}];
`;
}
