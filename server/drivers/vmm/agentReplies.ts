import type { ByteStream, ContainerLogs } from './index';

/**
 * How long a reply may take to show that it is an error. The guest agent sends errors immediately, but logs
 * only when there are any.
 */
const FIRST_CHUNK_MS = 2_000;
/** An error of the agent is one short JSON object; more than this is a log. */
const MAX_ERROR_BYTES = 4_096;

/**
 * Gives a guest agent's reply its proper status. Agents (0.6.0, recorded) report every error as 200 with
 * `{"error":…}`, and answer 404 with an HTML page when the CVM's logs aren't public.
 */
export async function classifyAgentReply(reply: ContainerLogs): Promise<ContainerLogs> {
  if (reply.status === 404 && /^text\/html\b/.test(reply.content_type)) return { ...reply, status: 403 };
  if (reply.status !== 200) return reply;
  const chunks = reply.body[Symbol.asyncIterator]();
  const first = chunks.next();
  const early = await Promise.race([first, pause(FIRST_CHUNK_MS)]);
  const text = early?.value === undefined ? '' : Buffer.from(early.value as Uint8Array).toString();
  return { ...reply, status: statusOf(text), body: resumed(first, chunks) };
}

const ERROR = /^\{"error":"(?:Docker responded with status code (\d{3}): |Invalid (?:since|until|tail))/;

function statusOf(text: string): number {
  if (text.length > MAX_ERROR_BYTES) return 200;
  const found = ERROR.exec(text);
  if (!found || text.endsWith('\n')) return 200; // A line of a log, which may look similar.
  return found[1] === undefined ? 400 : Number(found[1]);
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(() => resolve(undefined), ms).unref());
}

/**
 * Replays the bytes already read, then the rest. Leaving the loop closes the connection, as with the original.
 */
async function* resumed(
  first: Promise<IteratorResult<Uint8Array>>,
  rest: AsyncIterator<Uint8Array>,
): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
