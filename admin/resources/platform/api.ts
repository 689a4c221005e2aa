import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminSettings, AdminSettingsPatch } from '../../../generated/api/types.gen';
import { fetchJson } from '../../http';

const SETTINGS = '/api/v1/admin/settings';
const KEY = ['admin-settings'];

export const useSettings = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await fetchJson(SETTINGS, { signal })).json as AdminSettings,
    retry: false,
  });

export function useSettingsChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: AdminSettingsPatch) => {
      await fetchJson(SETTINGS, { method: 'PATCH', body: JSON.stringify(body) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
