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

it('does not mistake a reply that nests too deep for an error of its own', async () => {
  const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const answers = [Response.json({ data: { agents: [{ id: 'a1' }] } }), new Response(deep, { status: 404 })];
  const net = { fetch: () => Promise.resolve(answers.shift()) } as unknown as Outbound;
  const error = await createElizaChat(net)
    .say(ADDRESS, { ...MESSAGE, signal: AbortSignal.timeout(10_000) })
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(AgentError);
});
