import { useQuery } from '@tanstack/react-query';
import type { InstanceTypeFamilyList } from '../../generated/api/types.gen';
import { fetchJson } from '../http';
import type { AdminRecord } from '../record';
import { mayWith, useSession } from '../session';
import type { ResourceDescription } from './types';

/**
 * Public records of a resource, for roles that choose one without permission to list them all: the finance role
 * prices products for instance types, which everyone can see, and doesn't need access to the rest of the
 * infrastructure. Types that aren't offered are missing, but the server refuses them in new products anyway.
 */
const OPEN: ReadonlyMap<string, (signal: AbortSignal) => Promise<AdminRecord[]>> = new Map([
  [
    'instance-types',
    async (signal) => typesOf((await fetchJson('/api/v1/instance-types', { signal })).json as Offered),
  ],
]);

type Offered = Pick<InstanceTypeFamilyList, 'result'>;

export const typesOf = ({ result }: Offered): AdminRecord[] =>
  result.flatMap(({ items }) => items.map(({ id, name }) => ({ id, name })));

/** Returns the records whose ID or name contains this text. */
export const matching = (records: readonly AdminRecord[], q: string): AdminRecord[] =>
  records.filter(({ id, name }) => `${id}\n${String(name)}`.toLowerCase().includes(q.toLowerCase()));

/**
 * Returns the public records to choose from, empty while loading; undefined if the user can list the resource
 * itself.
 */
export function useOpenRecords(resource: ResourceDescription): readonly AdminRecord[] | undefined {
  const { platform_permissions } = useSession();
  const read = mayWith(platform_permissions, resource.permissions.list) ? undefined : OPEN.get(resource.name);
  const { data = [] } = useQuery({
    queryKey: ['open-records', resource.name],
    enabled: read !== undefined,
    queryFn: ({ signal }) => read?.(signal) ?? [],
  });
  return read && data;
}
