import * as z from 'zod';
import { visibleText } from '../../../console/lib/public/visibleText';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { ownValue } from '../../../console/lib/ownValue';
import type { McpContent, McpPrompt, McpResource, McpTool } from '../../../generated/api/types.gen';
import { listOf } from '../../domain/ai/boundedLists';
import type { Outbound } from '../net';
import { Connection, TOTAL_MS } from './connection';
import { McpError, type McpAddress, type McpClient } from '.';
import { readUsage } from './usage';

const MAX_ITEMS = 200;
const MAX_PAGES = 5;
const MAX_CONTENT = 100;
/** Items of a list; longer ones are refused, because a reply of a megabyte could have hundreds of thousands. */
const MAX_READ = 10_000;
/** Characters of a tool schema's JSON text; a longer one is shown as accepting anything. */
const MAX_SCHEMA = 20_000;

/** A text from the server, cut to the API's limit, with marks for characters that hide or reorder it. */
const cut = (most: number) => z.string().transform((text) => visibleText(cutWhole(text, most)));
const optional = (most: number) =>
  cut(most)
    .nullish()
    .transform((text) => text ?? null);
const record = z.record(z.string(), z.unknown());

const info = z.looseObject({ name: cut(200), title: optional(200), version: cut(100) });
const introduction = z.looseObject({
  serverInfo: info.optional(),
  _meta: record.optional(),
  capabilities: record.default({}),
  instructions: optional(4000),
});
const tool = z
  .looseObject({
    // Users decide by it what to call.
    name: z
      .string()
      .min(1)
      .max(128)
      .refine((name) => visibleText(name) === name),
    title: optional(200),
    description: optional(4000),
    inputSchema: record.default({}),
    annotations: z
      .looseObject({
        title: optional(200),
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
      })
      .optional(),
  })
  .transform(({ name, title, description, inputSchema, annotations }): McpTool => {
    const read_only = annotations?.readOnlyHint ?? false;
    const destructive_hint = annotations?.destructiveHint ?? null;
    return {
      name,
      title: title ?? annotations?.title ?? null,
      description,
      input_schema: JSON.stringify(inputSchema).length > MAX_SCHEMA ? { type: 'object' } : inputSchema,
      read_only,
      // The protocol's default: a tool not declared harmless isn't. A read-only tool declared destructive
      // contradicts itself, and the worse of the two counts.
      destructive: destructive_hint ?? !read_only,
      destructive_hint,
    };
  });
const resource = z
  .looseObject({
    uri: z.string().max(2000),
    name: cut(200),
    description: optional(4000),
    mimeType: optional(200),
  })
  .transform(({ uri, name, description, mimeType }): McpResource => ({
    uri,
    name,
    description,
    mime_type: mimeType,
  }));
const prompt = z
  .looseObject({
    name: cut(200),
    description: optional(4000),
    arguments: listOf(z.looseObject({ name: cut(200) }), { most: MAX_READ }).nullish(),
  })
  .transform(({ name, description, arguments: list }): McpPrompt => ({
    name,
    description,
    arguments: (list ?? []).slice(0, 50).map((one) => one.name),
  }));
const content = z
  .looseObject({
    type: z.string(),
    text: z.string().optional(),
    mimeType: optional(200),
    uri: z.string().optional(),
    resource: z
      .looseObject({ uri: z.string(), text: z.string().optional(), mimeType: optional(200) })
      .optional(),
  })
  .transform(({ type, text, mimeType, uri, resource: embedded }): McpContent => {
    if (type === 'text') return { type, text: text ?? '', mime_type: null };
    if (type === 'image' || type === 'audio') return { type, text: null, mime_type: mimeType };
    if (type === 'resource_link') return { type: 'resource', text: uri ?? null, mime_type: mimeType };
    if (type === 'resource' && embedded)
      return { type, text: embedded.text ?? embedded.uri, mime_type: embedded.mimeType };
    return { type: 'other', text: null, mime_type: mimeType };
  });
const listPage = z.object({ list: z.array(z.unknown()), nextCursor: z.string().max(2000).optional() });
const result = z.looseObject({
  content: listOf(content, { most: MAX_READ }).default([]),
  structuredContent: record.optional(),
  isError: z.boolean().default(false),
});

/** A client that follows the outbound rules. It announces no capabilities, so servers send it no requests. */
export function createMcpClient(net: Outbound): McpClient {
  const within = async <T>(
    address: McpAddress,
    signal: AbortSignal,
    work: (connection: Connection, opened: z.infer<typeof introduction>) => Promise<T>,
  ): Promise<T> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)]);
    const connection = new Connection(net, address, limit);
    try {
      return await work(connection, read(introduction, await connection.open()));
    } finally {
      await connection.close();
    }
  };

  return {
    inspect: (address, signal) =>
      within(address, signal, async (connection, opened) => {
        const list = async <T>(what: 'tools' | 'resources' | 'prompts', item: z.ZodType<T>) =>
          Object.hasOwn(opened.capabilities, what)
            ? listAll(connection, what, item)
            : { items: [], incomplete: false };
        const tools = await list('tools', tool);
        const resources = await list('resources', resource);
        const prompts = await list('prompts', prompt);
        const { name, title, version } =
          opened.serverInfo ??
          info.safeParse(opened._meta?.['io.modelcontextprotocol/serverInfo']).data ??
          UNNAMED;
        return {
          name,
          title,
          version,
          protocol_version: connection.version,
          instructions: opened.instructions,
          tools: tools.items,
          resources: resources.items,
          prompts: prompts.items,
          incomplete: tools.incomplete || resources.incomplete || prompts.incomplete,
        };
      }),

    call: (address, { tool: name, arguments: args }, signal) =>
      within(address, signal, async (connection) => {
        const reply = read(result, await connection.request('tools/call', { name, arguments: args }));
        return {
          failed: reply.isError,
          content: reply.content.slice(0, MAX_CONTENT),
          structured: reply.structuredContent ?? null,
        };
      }),

    usage: (address, signal) => readUsage(net, address, signal),
  };
}

const UNNAMED = { name: 'unnamed', title: null, version: 'unknown' };

/** Skips items that violate the protocol, but counts them. */
async function listAll<T>(
  connection: Connection,
  what: string,
  item: z.ZodType<T>,
): Promise<{ items: T[]; incomplete: boolean }> {
  const items: T[] = [];
  let seen = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await connection.request(`${what}/list`, cursor === undefined ? {} : { cursor });
    const { list, nextCursor } = read(listPage, {
      list: ownValue(reply, what),
      nextCursor: reply.nextCursor,
    });
    for (const one of list) {
      if (seen++ >= MAX_ITEMS) return { items, incomplete: true };
      const { data } = item.safeParse(one);
      if (data !== undefined) items.push(data);
    }
    if (nextCursor === undefined) return { items, incomplete: false };
    cursor = nextCursor;
  }
  return { items, incomplete: true };
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data } = schema.safeParse(value);
  if (data === undefined) throw new McpError('no_mcp', "The service at this address isn't an MCP server.");
  return data;
}
