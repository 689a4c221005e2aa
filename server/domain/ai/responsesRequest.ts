import * as z from 'zod';
import { listOf } from './boundedLists';
import { contentPart } from './contentPart';
import { isSpelled, jsonText, readBody, refuseRepeated, serviceTier, spelled } from './requestBody';

/**
 * Requests of the Responses API. Only content in the request itself is used: model servers keep answers, files
 * and prompts per account, and all teams share the gateway's, so a reference could reach another team's.
 */

const MAX_ITEMS = 10_000;

const refused = (error: string) => z.null({ error }).optional();

const parts = z.union([z.string(), listOf(contentPart, { most: 1000 })]).nullish();

/** Items that carry their own content. Others, such as generated images, are only references by ID. */
const ITEMS = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
] as const;

const item = z
  .looseObject({
    type: z.enum(ITEMS, { error: 'Item references aren’t supported. Send the items themselves' }).nullish(),
    role: z.string().min(1).max(50).optional(),
    content: parts,
    output: parts,
  })
  .refine(isSpelled, spelled)
  .refine(({ type, role, content }) => (type ?? 'message') !== 'message' || (role && content), {
    error: 'A message needs a role and its content',
  });

const stateless = 'This gateway doesn’t store responses. Send the whole conversation as input';

const schema = z.looseObject({
  model: z.string().min(1).max(200),
  provider: z.looseObject({}).nullish(),
  service_tier: serviceTier,
  input: z.union([z.string(), listOf(item, { least: 1, most: MAX_ITEMS })], {
    error: 'Expected a string or a list of items',
  }),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  stream: z.boolean().nullish(),
  store: z
    .literal(false, { error: 'This gateway doesn’t store responses. Send false or leave it out' })
    .nullish(),
  tools: listOf(
    z
      .looseObject({
        type: z.enum(['function', 'custom'], {
          error: 'Only the tool types function and custom are supported, which your program runs',
        }),
      })
      .refine(isSpelled, spelled),
    { most: 1000 },
  ).nullish(),
  previous_response_id: refused(stateless),
  conversation: refused(stateless),
  prompt: refused('Stored prompts aren’t supported. Send the text'),
  background: z
    .literal(false, { error: 'Background responses aren’t supported: a response can’t be fetched later' })
    .nullish(),
});

export type ResponsesRequest = z.infer<typeof schema>;

/** @throws {AiError} 400 that names the first invalid member */
export function readResponsesRequest(body: Buffer): ResponsesRequest {
  const given = readBody(schema, body);
  refuseRepeated(body);
  return given;
}

type Parts = z.infer<typeof parts>;

const textOf = (given: Parts): string =>
  typeof given === 'string' ? given : (given ?? []).map(({ text = '' }) => text).join('');

/** All text of a request that a model reads. Tools and tool calls are read as JSON. */
export function responsesText({ instructions, input, tools }: ResponsesRequest): string {
  const items =
    typeof input === 'string'
      ? input
      : input
          .map(
            (one) => textOf(one.content) + textOf(one.output) + jsonText(one.arguments) + jsonText(one.input),
          )
          .join('');
  return (instructions ?? '') + items + jsonText(tools);
}
