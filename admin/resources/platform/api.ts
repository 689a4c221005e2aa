import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../../console/ui/feedback/toasts';
import { fetchJson } from '../../http';

/** Settings stored as a single record, such as `/admin/settings`. */
interface SettingsOf {
  settings: unknown;
  patch: object;
}

/** Creates the hooks that read and change settings at an API path. */
export function settingsHooks<T extends SettingsOf>(path: `/admin/${string}`) {
  const url = `/api/v1${path}`;
  const queryKey = [path];
  return {
    useSettings: () =>
      useQuery({
        queryKey,
        queryFn: async ({ signal }) => (await fetchJson(url, { signal })).json as T['settings'],
        retry: false,
      }),
    useSettingsChange() {
      const client = useQueryClient();
      const toast = useToast();
      return useMutation({
        mutationFn: async (body: T['patch']) => {
          await fetchJson(url, { method: 'PATCH', body: JSON.stringify(body) });
        },
        onSuccess: () => toast({ tone: 'ok', title: 'Settings saved' }),
        onSettled: () => client.invalidateQueries({ queryKey }),
      });
    },
  };
}
