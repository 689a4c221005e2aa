import { expect, it } from 'vitest';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';
import { csvFile } from './csvFile';

/** A request for a file, as the server makes it: the signal is aborted when the response closes, whatever came of it. */
function ask() {
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

it('writes no more files at once than there are places, however they are asked for', async () => {
  const asked = Array.from({ length: 20 }, ask);
  const replies = await Promise.all(asked.map(({ reply }) => reply));
  const given = replies.filter((one) => !(one instanceof Problem));
  expect(given).toHaveLength(3);
  expect(asked.flatMap(({ written }) => written)).toHaveLength(3);
  expect(replies.find((one) => one instanceof Problem)).toMatchObject({ status: 429 });

  expect(await textOf(given[0])).toBe('id,name\r\n1,"\'=1+1"\r\n2,\r\n');
  for (const { close } of asked) close();
  // One was read to its end, two were never begun: three places are free.
  const again = Array.from({ length: 4 }, ask);
  const served = (await Promise.all(again.map(({ reply }) => reply))).filter(
    (one) => !(one instanceof Problem),
  );
  expect(served).toHaveLength(3);
  for (const { close } of again) close();
});
