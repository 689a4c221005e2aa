import * as z from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { isTooDeep } from '../../domain/core/jsonDepth';
import { OutboundError, type Outbound, type OutboundErrorKind, type OutboundRequest } from '../net';
import {
  AgentError,
  type AgentAddress,
  type AgentAnswer,
  type AgentChat,
  type AgentErrorKind,
  type AgentMessage,
} from '.';

const READ_MS = 10_000;
/** An agent's models and tools are slow. */
const ANSWER_MS = 90_000;
const MAX_REPLY = 256 * 1024;
const MAX_TEXT = 32_000;
/** Statuses for a conversation that the agent has forgotten. */
const GONE: readonly number[] = [404, 410];

const id = z.string().max(100);
const agentList = z.looseObject({
  data: z.looseObject({
    agents: z.array(z.looseObject({ id, status: z.string().nullish() })).max(1000),
  }),
});
const session = z.looseObject({ sessionId: z.uuid() });
const said = z.looseObject({ text: z.string().nullish() });
const answer = z.union([
  z.looseObject({ agentResponse: said.nullable() }),
  // An agent that chooses not to answer may omit it.
  z.looseObject({ success: z.literal(true), agentResponse: z.undefined().optional() }),
]);
/** Before 1.7, the reply is the message as stored, and the answer goes to a socket. */
const sentMessage = z.looseObject({
  success: z.undefined().optional(),
  id,
  content: z.string(),
  authorId: id,
});
/** The agent may have stopped since it was listed. */
const isAboutAgent = (body: unknown) => /agent/i.test(JSON.stringify(body ?? ''));

const outdated = () =>
  new AgentError(
    'outdated',
    "The agent's elizaOS version lacks the sessions API that this chat uses. It needs elizaOS 1.7 or later.",
  );

/** The error kind for a request without a reply. */
const KINDS: Readonly<Record<OutboundErrorKind, AgentErrorKind>> = {
  refused: 'refused',
  timeout: 'timeout',
  unknown_host: 'unreachable',
  unreachable: 'unreachable',
  too_large: 'other_api',
};

interface Reply {
  status: number;
  body: unknown;
}

/**
 * The HTTP API of elizaOS (1.7 and later), whose sessions separate a conversation from those of other clients.
 */
export function createElizaChat(net: Outbound): AgentChat {
  const call = async (
    { url, host, api_key }: AgentAddress,
    path: string,
    request: Pick<OutboundRequest, 'body' | 'timeout_ms' | 'signal'>,
  ): Promise<Reply> => {
    try {
      const reply = await net.fetch(new URL(path, url), {
        method: request.body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(host === undefined ? {} : { host }),
          ...(api_key === null ? {} : { 'x-api-key': api_key }),
        },
        max_bytes: MAX_REPLY,
        ...request,
      });
      const text = await reply.text();
      if (reply.status === 401 || reply.status === 403)
        throw new AgentError('key', "The agent's server rejects requests without its own key.");
      return { status: reply.status, body: jsonOf(text) };
    } catch (error) {
      if (error instanceof OutboundError)
        throw new AgentError(KINDS[error.kind], error.message, { cause: error });
      throw error;
    }
  };

  const firstAgent = async (address: AgentAddress, signal: AbortSignal): Promise<string> => {
    const reply = await call(address, '/api/agents', { timeout_ms: READ_MS, signal });
    const { data } = parsed(agentList, reply, 'its list of agents');
    const { agents } = data;
    const agent = agents.find(({ status }) => status === 'active') ?? agents[0];
    if (!agent) throw new AgentError('failed', 'No agent has started yet.');
    return agent.id;
  };

  const open = async (address: AgentAddress, { author_id, signal }: AgentMessage): Promise<string> => {
    const body = JSON.stringify({ agentId: await firstAgent(address, signal), userId: author_id });
    const reply = await call(address, '/api/messaging/sessions', { body, timeout_ms: READ_MS, signal });
    // Its list of agents was read, so it is elizaOS.
    if (reply.status === 404 && !isAboutAgent(reply.body)) throw outdated();
    return parsed(session, reply, 'a new conversation').sessionId;
  };

  /** @returns null if the agent doesn't know the conversation */
  const send = async (
    address: AgentAddress,
    { text, signal }: AgentMessage,
    session_id: string,
  ): Promise<AgentAnswer | null> => {
    const path = `/api/messaging/sessions/${session_id}/messages`;
    const body = JSON.stringify({ content: text, transport: 'http' });
    const reply = await call(address, path, { body, timeout_ms: ANSWER_MS, signal });
    if (GONE.includes(reply.status)) return null;
    if (reply.status < 300 && sentMessage.safeParse(reply.body).success) throw outdated();
    const { agentResponse } = parsed(answer, reply, 'an answer');
    return { session_id, text: cutWhole(agentResponse?.text ?? '', MAX_TEXT) || null };
  };

  return {
    async say(address, message) {
      const { session_id } = message;
      const continued = session_id === null ? null : await send(address, message, session_id);
      if (continued) return continued;
      const begun = await send(address, message, await open(address, message));
      if (begun) return begun;
      throw new AgentError('failed', 'The agent forgot the conversation immediately.');
    },
  };
}

/** @returns undefined if it isn't JSON, or nests too deep to handle */
function jsonOf(text: string): unknown {
  if (isTooDeep(Buffer.from(text))) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function parsed<T>(schema: z.ZodType<T>, { status, body }: Reply, what: string): T {
  if (status >= 500) throw new AgentError('failed', `The agent failed with status ${status}.`);
  const read = schema.safeParse(body);
  if (status < 300 && read.success) return read.data;
  throw new AgentError(
    'other_api',
    `The service at this port doesn't return ${what} in elizaOS's format (status ${status}).`,
  );
}
