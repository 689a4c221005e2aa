import BuildingIcon from 'lucide-react/icons/building-2';
import CpuIcon from 'lucide-react/icons/cpu';
import HardDriveIcon from 'lucide-react/icons/hard-drive';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import ServerIcon from 'lucide-react/icons/server';
import UserIcon from 'lucide-react/icons/user';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { statusInfo } from '../../console/ui/feedback/status';
import type { Command } from '../../console/ui/layout/CommandPalette';
import { useSettled } from '../../console/ui/useSettled';
import { fetchJson } from '../http';
import { listUrl } from '../lists/listUrl';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { statesOf } from '../schema/observed';
import { getResource } from '../schema/resources';
import { isOffered, refusedToSelf } from '../pages/action';
import { unmetNeed } from '../pages/needs';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { mayWith, useActionRefusal, useSession } from '../session';

/** Maximum matches per kind of record. */
const MATCHES = 8;
/** Number of records fetched for a verb without a name; many may not be in a state that allows it. */
const FOR_VERB = 25;
const SETTLE_MS = 150;

interface Searched {
  resource: string;
  group: string;
  icon: ReactNode;
  /** Distinguishes records with the same name. */
  detail: (record: AdminRecord) => unknown;
}

export const SEARCHED: readonly Searched[] = [
  {
    resource: 'cvms',
    group: 'CVMs',
    icon: <ServerIcon />,
    detail: ({ team_name, status }) => `${String(team_name)} · ${statusInfo(String(status)).word}`,
  },
  { resource: 'apps', group: 'Apps', icon: <LayoutGridIcon />, detail: ({ team_name }) => team_name },
  { resource: 'users', group: 'Users', icon: <UserIcon />, detail: ({ email }) => email },
  { resource: 'workspaces', group: 'Teams', icon: <BuildingIcon />, detail: ({ slug }) => slug },
  {
    resource: 'teepods',
    group: 'Teepods',
    icon: <CpuIcon />,
    detail: (teepod) => {
      const state = getResource('teepods').fields.find(({ name }) => name === 'state');
      return (
        state &&
        statesOf(state, teepod)
          .map((one) => statusInfo(one).word)
          .join(', ')
      );
    },
  },
  { resource: 'nodes', group: 'Nodes', icon: <HardDriveIcon />, detail: ({ region }) => region },
];

/** Every action's label, so that "cordon eu-1" searches for eu-1. */
const VERBS = [
  ...new Set(
    SEARCHED.flatMap(({ resource }) => getResource(resource).actions.map(({ label }) => label.toLowerCase())),
  ),
].sort((a, b) => b.length - a.length);

function withoutVerb(query: string): string {
  const verb = VERBS.find((one) => query.toLowerCase().startsWith(`${one} `));
  return verb === undefined ? query : query.slice(verb.length).trim();
}

/** Returns whether an action has this label, or one that starts with these words ("view as" of "View as user"). */
export const isVerb = (query: string, label: string): boolean =>
  `${label.toLowerCase()} `.startsWith(`${query.toLowerCase()} `);

/** Returns the record's actions allowed by its state and the role; its page asks before running one. */
function actionCommands(
  description: ResourceDescription,
  record: AdminRecord,
  place: Command,
  refusal: (action: ResourceAction) => string | undefined,
): Command[] {
  return description.actions
    .filter((action) => isOffered(action, record) && refusal(action) === undefined)
    .map((action) => ({
      ...place,
      id: `${place.id}-${action.name}`,
      label: `${action.label} ${place.label}`,
      href: `${adminHref.show(description.name, record.id)}?action=${action.name}`,
    }));
}

/** Finds users, teams, apps, CVMs and hosts that match the query, in the lists this user may read. */
export function useRecordSearch(query: string): { records: Command[]; isSearching: boolean } {
  const { platform_permissions, user } = useSession();
  const refusal = useActionRefusal();
  const settled = useSettled(query.trim(), SETTLE_MS);
  const named = withoutVerb(settled);
  // A verb alone lists the records it applies to.
  const verb = VERBS.some((label) => isVerb(settled, label)) ? settled : undefined;
  const q = verb === undefined ? named : '';
  const searched = SEARCHED.map((one) => ({ ...one, description: getResource(one.resource) })).filter(
    ({ description }) =>
      mayWith(platform_permissions, description.permissions.list) &&
      (verb === undefined || description.actions.some(({ label }) => isVerb(verb, label))),
  );
  const found = useQueries({
    queries: searched.map(({ resource, description }) => ({
      queryKey: ['admin-search', resource, q],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const page = q === '' ? { perPage: FOR_VERB, filter: {} } : { perPage: MATCHES, filter: { q } };
        const url = listUrl(resource, { page: 1, sort: description.sort, ...page });
        return (await fetchJson(url, { signal })).json as AdminRecord[];
      },
      enabled: q !== '' || verb !== undefined,
      retry: false,
    })),
  });
  const records = searched.flatMap(({ resource, description, group, icon, detail }, index) =>
    (found[index]?.data ?? []).flatMap((record): Command[] => {
      const more = detail(record);
      const place: Command = {
        id: `${resource}-${record.id}`,
        group,
        label: titleOf(description, record),
        detail: typeof more === 'string' && more !== '' ? `${group} · ${more}` : group,
        // The server also matches fields that aren't shown here, such as instance IDs.
        keywords: `${String(more ?? '')} ${record.id} ${q}`,
        icon,
        href: adminHref.show(resource, record.id),
      };
      const refused = (action: ResourceAction) =>
        refusal(action) ?? refusedToSelf(action, record, user?.username) ?? unmetNeed(action, record);
      // Showing all actions of many records would drown the records themselves.
      const asksAction = verb !== undefined || named !== settled || found[index]?.data?.length === 1;
      return asksAction ? [place, ...actionCommands(description, record, place, refused)] : [place];
    }),
  );
  const isSettled = settled === query.trim();
  return { records, isSearching: !isSettled || found.some(({ isLoading }) => isLoading) };
}
