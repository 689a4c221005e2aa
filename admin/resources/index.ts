import type { ComponentType, LazyExoticComponent } from 'react';
import type { Session } from '../../generated/api/types.gen';
import { importWithRetry } from '../../console/lib/importWithRetry';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { areaPages } from './pages.gen';

export { createPanels, editPanels, leadPanels, recordPages, recordPanels } from './pages.gen';

/*
 * Custom pages and panels: `x-admin` in openapi/ names them and pages.gen.ts loads them. Everything else about a resource
 * (list, form, page, related lists) follows from its schema.
 */

/** A page below a record: `/admin/infra/teepods/5/hosted-cvms`. Replaces a related list of the same name. */
export interface RecordPage {
  /** Last segment of the address. */
  path: string;
  label: string;
  /** Permission in the API document. */
  permission: string;
  component: LazyExoticComponent<ComponentType<{ resource: ResourceDescription }>>;
}

/** A page without a record: `/admin/infra`. */
export interface AreaPage {
  /** Path below /admin. */
  path: string;
  label: string;
  /** Menu group. */
  group: string;
  permission: string;
  component: LazyExoticComponent<ComponentType>;
}

/** A panel on a record's page, below its details. */
export type RecordPanel = LazyExoticComponent<
  ComponentType<{ resource: ResourceDescription; record: AdminRecord }>
>;

/** A panel above everything else on a record's page while a field of the record has a value. */
export interface LeadPanel {
  field: string;
  component: RecordPanel;
}

/** A panel inside a form, which can check its values. */
export type FormPanel = LazyExoticComponent<ComponentType>;

/** Runs before a record is saved and returns the failed checks; the user then confirms or cancels. */
export type SaveCheck = (
  values: Readonly<Record<string, unknown>>,
  record: AdminRecord | undefined,
) => Promise<readonly { title: string; found: string }[]>;

export const saveChecks: Readonly<Record<string, () => Promise<SaveCheck>>> = {
  teepods: () => importWithRetry(() => import('./fleet/saveCheck')).then((module) => module.failedChecks),
};

/** Fills in this server's addresses: the chat bot page is named after its service. */
export const areaPagesOf = ({ environment }: Pick<Session, 'environment'>): readonly AreaPage[] =>
  areaPages.map((page) => ({
    ...page,
    path: page.path.replace('{chat_bot_service}', environment.chat_bot_service),
  }));
