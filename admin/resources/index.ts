import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Session } from '../../generated/api/types.gen';
import type { AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';

/*
 * What the document cannot say: pages of their own, and parts of a record's page. Everything else of a resource (list, form,
 * page, the lists of what points at it) follows from its schema, so most resources have nothing here.
 */

/** A page below one record: `/admin/infra/teepods/5/hosted-cvms`. Replaces a list of the same name. */
export interface RecordPage {
  /** Last part of the address. */
  path: string;
  label: string;
  /** Key of the document's permissions. */
  permission: string;
  component: LazyExoticComponent<ComponentType<{ resource: ResourceDescription }>>;
}

/** A page that belongs to no record: `/admin/infra`. */
export interface AreaPage {
  /** Below /admin. */
  path: string;
  label: string;
  /** Part of the menu. */
  group: string;
  permission: string;
  component: LazyExoticComponent<ComponentType>;
}

/** A panel on a record's page, below its details. */
export type RecordPanel = LazyExoticComponent<
  ComponentType<{ resource: ResourceDescription; record: AdminRecord }>
>;

export const recordPages: Readonly<Record<string, readonly RecordPage[]>> = {
  announcements: [
    {
      path: 'affected-users',
      label: 'Affected users',
      permission: 'admin.announcements.read',
      component: lazy(() =>
        import('./announcements/AffectedUsers').then((m) => ({ default: m.AffectedUsers })),
      ),
    },
  ],
  gpus: [
    {
      path: 'allocation',
      label: 'Allocation',
      permission: 'admin.infra.read',
      component: lazy(() => import('./gpus/Allocation').then((m) => ({ default: m.Allocation }))),
    },
  ],
  kms: [
    {
      path: 'relationships',
      label: 'Relationships',
      permission: 'admin.infra.read',
      component: lazy(() => import('./kms/Relationships').then((m) => ({ default: m.Relationships }))),
    },
  ],
  teepods: [
    {
      path: 'hosted-cvms',
      label: 'Hosted CVMs',
      permission: 'admin.infra.read',
      component: lazy(() => import('./fleet/HostedCvms').then((m) => ({ default: m.HostedCvms }))),
    },
    {
      path: 'managed-cvms',
      label: 'Managed CVMs',
      permission: 'admin.infra.read',
      component: lazy(() => import('./fleet/ManagedCvms').then((m) => ({ default: m.ManagedCvms }))),
    },
    {
      path: 'teams',
      label: 'Teams',
      permission: 'admin.infra.read',
      component: lazy(() => import('./fleet/TeepodTeams').then((m) => ({ default: m.TeepodTeams }))),
    },
    {
      path: 'os-images',
      label: 'OS images',
      permission: 'admin.infra.read',
      component: lazy(() => import('./fleet/TeepodImages').then((m) => ({ default: m.TeepodImages }))),
    },
    {
      path: 'kms',
      label: 'Key service',
      permission: 'admin.infra.read',
      component: lazy(() => import('./fleet/TeepodKms').then((m) => ({ default: m.TeepodKms }))),
    },
  ],
  workspaces: [
    {
      path: 'teepods',
      label: 'Teepods',
      permission: 'admin.infra.read',
      component: lazy(() => import('./workspaces/Teepods').then((m) => ({ default: m.Teepods }))),
    },
  ],
};

export const recordPanels: Readonly<Record<string, readonly RecordPanel[]>> = {
  audit: [lazy(() => import('./audit/SameRequest').then((m) => ({ default: m.SameRequest })))],
  'bulk-jobs': [lazy(() => import('./bulk-jobs/JobRows').then((m) => ({ default: m.JobRows })))],
  views: [lazy(() => import('./views/OpenIt').then((m) => ({ default: m.OpenIt })))],
  teepods: [lazy(() => import('./fleet/TeepodCheck').then((m) => ({ default: m.TeepodCheck })))],
};

/** Beside the form of a new record, inside its form: what is typed can be tried there. */
export const createPanels: Readonly<Record<string, LazyExoticComponent<ComponentType>>> = {
  teepods: lazy(() => import('./fleet/CheckNewTeepod').then((m) => ({ default: m.CheckNewTeepod }))),
};

export const areaPages: readonly AreaPage[] = [
  {
    path: 'infra',
    label: 'Map',
    group: 'infrastructure',
    permission: 'admin.infra.read',
    component: lazy(() => import('./fleet/InfraMap').then((m) => ({ default: m.InfraMap }))),
  },
  {
    path: 'system/{chat_bot_service}-integration',
    label: 'Chat bot',
    group: 'system',
    permission: 'admin.chat.read',
    component: lazy(() => import('./chat/ChatIntegration').then((m) => ({ default: m.ChatIntegration }))),
  },
];

/** At the addresses of this server: the chat bot's page is called after its service. */
export const areaPagesOf = ({ environment }: Pick<Session, 'environment'>): readonly AreaPage[] =>
  areaPages.map((page) => ({
    ...page,
    path: page.path.replace('{chat_bot_service}', environment.chat_bot_service),
  }));
