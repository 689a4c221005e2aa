import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createAiKey } from '../../../generated/api/sdk.gen';
import type { AiGateway } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { useStale } from '../../api/useStale';
import { streamChat, type ChatTurn, type ChatUsage } from './chat';

export interface ShownTurn extends ChatTurn {
  id: number;
  /** Of an answer, once it has ended. */
  usage?: ChatUsage | null;
  is_stopped?: boolean;
}

interface Sent {
  model: string;
  system: string;
  text: string;
  max_tokens: number | null;
}

/** Hours that the playground's key lives. */
const KEY_HOURS = 1;

/**
 * A conversation with a model. The first message creates a key of its own that expires after an hour and stays in this
 * page's memory.
 */
export function usePlayground(teamSlug: string, gateway: AiGateway) {
  const [turns, setTurns] = useState<ShownTurn[]>([]);
  const key = useRef<string>(undefined);
  const running = useRef<AbortController>(undefined);
  const nextId = useRef(0);
  const stale = useStale();

  const append = (id: number, change: (turn: ShownTurn) => ShownTurn) =>
    setTurns((before) => before.map((turn) => (turn.id === id ? change(turn) : turn)));

  const send = useMutation({
    gcTime: 0,
    mutationFn: async ({ model, system, text, max_tokens }: Sent) => {
      key.current ??= await newKey(teamSlug);
      const question: ShownTurn = { id: nextId.current++, role: 'user', content: text };
      const answer: ShownTurn = { id: nextId.current++, role: 'assistant', content: '' };
      const history = [...turns, question];
      setTurns([...history, answer]);
      const aborted = (running.current = new AbortController());
      try {
        const usage = await streamChat({
          base_url: gateway.base_url,
          key: key.current,
          model,
          max_tokens,
          messages: [
            ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
            ...history.map(({ role, content }) => ({ role, content })),
          ],
          signal: aborted.signal,
          onText: (more) => append(answer.id, (turn) => ({ ...turn, content: turn.content + more })),
        });
        append(answer.id, (turn) => ({ ...turn, usage }));
      } catch (error) {
        if (aborted.signal.aborted) return append(answer.id, (turn) => ({ ...turn, is_stopped: true }));
        // The question goes back into the box with the error above it.
        setTurns(turns);
        throw error;
      } finally {
        await stale('listAiKeys', 'listAiRequests', 'getAiUsage');
      }
    },
  });
  return {
    turns,
    send,
    stop: () => running.current?.abort(),
    clear: () => {
      setTurns([]);
      send.reset();
    },
  };
}

async function newKey(teamSlug: string): Promise<string> {
  const { data } = await createAiKey({
    ...inTeam(teamSlug),
    body: { name: 'Playground', expires_in_hours: KEY_HOURS },
    throwOnError: true,
  });
  return data.secret;
}
