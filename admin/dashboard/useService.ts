import { useGetList } from 'react-admin';
import type {
  AdminDrain,
  AdminMaintenanceWindow,
  AdminNode,
  AdminTeepod,
} from '../../generated/api/types.gen';
import { concernsOfService, type Concern } from './attention';

const MOST = 50;

/** What is taken out of service, or cannot be. */
export function useServiceConcerns(
  fleet: { teepods: readonly AdminTeepod[]; nodes: readonly AdminNode[] },
  { enabled, every }: { enabled: boolean; every: number },
): Concern[] {
  const options = { refetchInterval: every, onError: () => undefined, enabled };
  const list = (state: string) => ({
    pagination: { page: 1, perPage: MOST },
    sort: { field: 'id', order: 'ASC' as const },
    filter: { state },
  });
  const drains = useGetList<AdminDrain>('drains', list('blocked'), options);
  const windows = useGetList<AdminMaintenanceWindow>('maintenance-windows', list('active'), options);
  return concernsOfService(drains.data ?? [], windows.data ?? [], fleet);
}
