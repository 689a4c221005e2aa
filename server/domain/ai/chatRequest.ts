import * as z from 'zod';
import { isTooDeep, MAX_JSON_DEPTH } from '../core/jsonDepth';
import { AiError } from './aiError';
import { membersOf, withMembers, withoutMember } from './jsonMembers';

const tokens = z.number().int().min(1).nullish();
const part = z.looseObject({ type: z.string().max(100), text: z.string().optional() });
const message = z.looseObject({
  role: z.string().min(1).max(50),
  content: z.union([z.string(), z.array(part).max(1000)]).nullish(),
});

/** The members of a chat completion that the gateway reads; all others are the model's business. */
const chatRequest = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z.array(message).min(1).max(10_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  n: z.number().int().min(1).max(128).nullish(),
  provider: z.looseObject({}).nullish(),
});

export type ChatRequest = z.infer<typeof chatRequest>;
export type ChatMessage = z.infer<typeof message>;

/** Reads a request's body. @throws {AiError} 400 that names the first member at fault */
export function parseChatRequest(body: Buffer): ChatRequest {
  const checked = chatRequest.safeParse(parseJson(body));
  if (checked.success) {
    refuseRepeated(body);
    return checked.data;
  }
  const issue = checked.error.issues[0];
  const param = issue?.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw invalidRequest(
    `${issue?.message.replace(/^Invalid input: /, '') ?? 'The body is invalid'}.`.replace(/\.\.$/, '.'),
    param ? param.replace(/^\./, '').slice(0, 200) : null,
  );
}

/**
 * Model servers differ in which of two members with a name they take, and some ignore case: the gateway and the model server
 * could read different requests.
 */
function refuseRepeated(body: Buffer): void {
  const names = new Set<string>();
  for (const { name } of membersOf(body)) {
    if (names.has(name.toLowerCase())) throw invalidRequest('The body has this member twice.', name);
    names.add(name.toLowerCase());
  }
}

/**
 * Returns the bytes for a model server, those of the client wherever they don't have to differ: the model may have another
 * name there, demands on the serving are for the gateway, and only a stream with usage can be billed.
 */
export function forwardedBody(
  body: Buffer,
  request: ChatRequest,
  model: string,
): { body: Buffer; adds_usage: boolean } {
  const { stream_options, provider } = request;
  const adds_usage = request.stream === true && stream_options?.include_usage !== true;
  const values = {
    ...(request.model === model ? {} : { model }),
    ...(adds_usage ? { stream_options: { ...stream_options, include_usage: true } } : {}),
  };
  const preferences = Object.entries(provider ?? {});
  const passed = preferences.filter(([name]) => !name.startsWith('aci_'));
  const stripped =
    passed.length === preferences.length
      ? body
      : passed.length === 0
        ? withoutMember(body, 'provider')
        : withMembers(body, { provider: Object.fromEntries(passed) });
  return { body: Object.keys(values).length === 0 ? stripped : withMembers(stripped, values), adds_usage };
}

function parseJson(body: Buffer): unknown {
  if (isTooDeep(body)) throw invalidRequest(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`, null);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest('The body is not valid JSON.', null);
  }
}

export const invalidRequest = (text: string, param: string | null, code: string | null = null) =>
  new AiError(400, 'invalid_request_error', code, param === null ? text : `${param}: ${text}`, { param });

/** The text of a message; parts such as images have none. */
export const messageText = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** All text of a request's messages. */
export const requestText = ({ messages }: ChatRequest): string => messages.map(messageText).join('');
