import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createAiKey, listAiRequests } from '../../../../generated/api/sdk.gen';
import type { AiGateway, AiRequest } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { useStale } from '../../../api/useStale';
import { bytesToHex } from '../../../lib/bytes';
import { fetchAci, streamChat, type ChatAnswer, type ChatTurn, type ChatUsage } from '../../../lib/ai/chat';
import type { ChatSettings } from '../../../lib/ai/chatSettings';
import type { AciCheck, Known } from '../../../lib/ai/verifyAci';
import { importWithRetry } from '../../../lib/importWithRetry';
import { recentTurns } from '../../../ui/chat/turns';
import { recordOf, type AnswerIds } from './answerRecord';
import type { Attachment } from './attachments';

/** The gateway notices a stopped answer within about a second. */
const STOPPED_TRIES = 6;
const RECORD_WAIT_MS = 500;

export interface ShownTurn extends Omit<ChatTurn, 'images'> {
  id: number;
  attached?: readonly Attachment[];
  /** An answer's usage, once it has ended. */
  usage?: ChatUsage | null;
  /** The gateway's record of an answer, with its cost; absent if it couldn't be read. */
  record?: AiRequest | null;
  is_stopped?: boolean;
  /** The browser's checks of the answer's receipt; a sentence if it couldn't be checked. */
  receipt?: readonly AciCheck[] | string;
}

interface Sent {
  model: string;
  system: string;
  text: string;
  images: readonly Attachment[];
  /** Whether images of earlier messages are sent again: the model may have changed since. */
  readsImages: boolean;
  settings: ChatSettings;
}

/** This page's key, and the gateway's report for this page's challenge. */
interface Connection {
  key: string;
  key_id: string;
  known: Known;
}

/**
 * A conversation with a model. The first message creates a dedicated key, which expires after an hour and stays in
 * this page's memory, and fetches the gateway's keys, which each answer's receipt is checked against.
 */
export function usePlayground(teamSlug: string, gateway: AiGateway) {
  const [turns, setTurns] = useState<ShownTurn[]>([]);
  const connection = useRef<Connection>(undefined);
  const running = useRef<AbortController>(undefined);
  const nextId = useRef(0);
  const stale = useStale();
  const stop = () => running.current?.abort();
  // An answer that nobody sees costs as much as any other.
  useEffect(() => () => running.current?.abort(), []);

  const edit = (id: number, change: (turn: ShownTurn) => Partial<ShownTurn>) =>
    setTurns((before) => before.map((turn) => (turn.id === id ? { ...turn, ...change(turn) } : turn)));

  const send = useMutation({
    gcTime: 0,
    mutationFn: async ({ model, system, text, images, readsImages, settings }: Sent) => {
      const aborted = new AbortController();
      running.current = aborted;
      const question: ShownTurn = {
        id: nextId.current++,
        role: 'user',
        content: text,
        attached: images,
      };
      const answer: ShownTurn = { id: nextId.current++, role: 'assistant', content: '' };
      const history = [...recentTurns(turns), question];
      setTurns([...history, answer]);
      const seen: AnswerIds = { receipt_id: null, id: null };
      const showRecord = async (tries: number) => {
        const by = connection.current;
        const record = by ? await readRecord(teamSlug, by, seen, tries).catch(() => null) : null;
        edit(answer.id, () => ({ record }));
      };
      try {
        const connected = (connection.current ??= await connect(teamSlug, gateway.base_url));
        aborted.signal.throwIfAborted();
        const result = await streamChat({
          base_url: gateway.base_url,
          key: connected.key,
          model,
          settings,
          messages: [
            ...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]),
            ...history.map(({ role, content, attached = [] }) => ({
              role,
              content,
              images: readsImages ? attached.map(({ url }) => url) : [],
            })),
          ],
          signal: aborted.signal,
          onReceipt: (id) => (seen.receipt_id = id),
          onId: (id) => (seen.id = id),
          onText: (more) => edit(answer.id, ({ content }) => ({ content: content + more })),
        });
        edit(answer.id, () => ({ usage: result.usage }));
        void showRecord(1);
        const receipt = await checkReceipt(gateway.base_url, connected, result).catch(
          (error: unknown) =>
            `The receipt couldn’t be checked. ${error instanceof Error ? error.message : ''}`,
        );
        edit(answer.id, () => ({ receipt }));
      } catch (error) {
        if (aborted.signal.aborted) {
          edit(answer.id, () => ({ is_stopped: true }));
          if (seen.receipt_id !== null || seen.id !== null) void showRecord(STOPPED_TRIES);
          return;
        }
        // The key may have expired or been revoked; the next message creates a new one.
        connection.current = undefined;
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
    stop,
    clear: () => {
      stop();
      setTurns([]);
      send.reset();
    },
  };
}

async function readReport(base_url: string): Promise<Known> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  return { nonce, report: await fetchAci(base_url, `attestation?nonce=${nonce}`) };
}

async function connect(teamSlug: string, base_url: string): Promise<Connection> {
  const known = await readReport(base_url);
  const { data } = await createAiKey({
    ...inTeam(teamSlug),
    body: { name: 'Playground', purpose: 'playground' },
    throwOnError: true,
  });
  return { key: data.secret, key_id: data.key.id, known };
}

async function readRecord(
  teamSlug: string,
  { key_id }: Connection,
  ids: AnswerIds,
  tries: number,
): Promise<AiRequest | null> {
  const list = async () => {
    const query = { key_id, limit: 5 };
    return (await listAiRequests({ ...inTeam(teamSlug), query, throwOnError: true })).data.data;
  };
  const wait = () => new Promise((resolve) => setTimeout(resolve, RECORD_WAIT_MS));
  return recordOf(list, { ...ids, tries, wait });
}

async function checkReceipt(
  base_url: string,
  connection: Connection,
  { receipt_id, request, response }: ChatAnswer,
): Promise<readonly AciCheck[]> {
  if (receipt_id === null) throw new Error('The gateway didn’t return a receipt ID.');
  const receipt = await fetchAci(base_url, `receipts/${encodeURIComponent(receipt_id)}`, connection.key);
  const { verifyAnswer } = await importWithRetry(() => import('../../../lib/ai/verifyAci'));
  const { known, checks } = await verifyAnswer(connection.known, { receipt, request, response }, () =>
    readReport(base_url),
  );
  connection.known = known;
  return checks;
}
