import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../http';
import type { AdminRecord } from '../../record';

/** Number of users in an announcement's audience. */
export const useAudience = (id: AdminRecord['id']) =>
  useQuery({
    queryKey: ['announcement-audience', id],
    queryFn: async ({ signal }) => {
      const reply = await fetchJson(`/api/v1/admin/announcements/${id}/affected-users?range=[0,0]`, {
        signal,
      });
      return Number(reply.headers.get('Content-Range')?.split('/').at(-1) ?? 0);
    },
    retry: false,
  });
