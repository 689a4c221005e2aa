import { expect, it } from 'vitest';
import { Problem } from '../../../domain/core/problem';
import type { Context } from '../../types';
import { csvFile } from './csvFile';

/**
 * Builds a file request as the server does: the signal aborts when the response closes, whatever the
 * outcome.
 */
function requestFile() {
  const closing = new AbortController();
  const written: string[] = [];
  const ctx = {
    signal: closing.signal,
    async write(work: (write: { audit: (entry: { action: string }) => Promise<void> }) => Promise<unknown>) {
      await new Promise(setImmediate);
      return work({ audit: async ({ action }) => void written.push(action) });
    },
  } as unknown as Context;
  const reply = csvFile(ctx, {
    name: 'nodes',
    columns: ['id', 'name'],
    query: {},
    async *batches() {
      yield [
        { id: 1, name: '=1+1' },
        { id: 2, name: null },
      ];
    },
  }).catch((error: unknown) => error);
  return { reply, written, close: () => closing.abort(new Error('closed')) };
}

const textOf = async (reply: unknown) => {
  let text = '';
  for await (const part of (reply as { stream: AsyncIterable<string> }).stream) text += part;
  return text;
};

it('limits concurrent exports', async () => {
  const requests = Array.from({ length: 20 }, requestFile);
  const replies = await Promise.all(requests.map(({ reply }) => reply));
  const given = replies.filter((one) => !(one instanceof Problem));
  expect(given).toHaveLength(3);
  expect(requests.flatMap(({ written }) => written)).toHaveLength(3);
  expect(replies.find((one) => one instanceof Problem)).toMatchObject({ status: 429 });

  expect(await textOf(given[0])).toBe('id,name\r\n1,"\'=1+1"\r\n2,\r\n');
  for (const { close } of requests) close();
  // One was read to its end and two never started, so three slots are free.
  const again = Array.from({ length: 4 }, requestFile);
  const served = (await Promise.all(again.map(({ reply }) => reply))).filter(
    (one) => !(one instanceof Problem),
  );
  expect(served).toHaveLength(3);
  for (const { close } of again) close();
});
