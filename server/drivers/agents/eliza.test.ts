import { expect, it } from 'vitest';
import { OutboundError, type Outbound, type OutboundErrorKind } from '../net';
import { AgentError } from '.';
import { createElizaChat } from './eliza';

const ADDRESS = { url: 'https://agent.example.test', api_key: null };
const MESSAGE = { text: 'Hi', session_id: null, author_id: crypto.randomUUID() };

/** Returns the failure of a message when every request fails in this way. */
async function failureOf(kind: OutboundErrorKind): Promise<unknown> {
  const net = {
    fetch: () => Promise.reject(new OutboundError(kind, `It fails: ${kind}.`)),
  } as unknown as Outbound;
  return createElizaChat(net)
    .say(ADDRESS, { ...MESSAGE, signal: AbortSignal.timeout(10_000) })
    .catch((error: unknown) => error);
}

it.each([
  ['timeout', 'timeout'],
  ['refused', 'refused'],
  ['unknown_host', 'unreachable'],
  ['unreachable', 'unreachable'],
  ['too_large', 'other_api'],
] as const)('distinguishes a request that fails with %s from others', async (outbound, kind) => {
  const error = await failureOf(outbound);
  expect(error).toBeInstanceOf(AgentError);
  expect(error).toMatchObject({ kind, message: `It fails: ${outbound}.` });
});
