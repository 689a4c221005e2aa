import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminChat } from '../../../generated/api/types.gen';
import { fetchJson } from '../../http';

const CHAT = '/api/v1/admin/chat';
const KEY = ['admin-chat'];
const POLL_MS = 3_000;

/** Polls the bot while the page is open, because chats are linked outside it. */
export const useChat = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await fetchJson(CHAT, { signal })).json as AdminChat,
    refetchInterval: POLL_MS,
    retry: false,
  });

export interface ChatChange {
  method: 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the bot's address. */
  path: string;
  body?: unknown;
}

export function useChatChange<T = unknown>() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ method, path, body }: ChatChange) => {
      const { json } = await fetchJson(`${CHAT}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return json as T;
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
