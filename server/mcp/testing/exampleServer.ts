import { setTimeout as wait } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type ContentBlock,
  type ElicitRequestFormParams,
} from '@modelcontextprotocol/sdk/types.js';

/** The example server that the MCP conformance suite expects, over stdio. Run by the test of the bridge. */

const server = new Server(
  { name: 'example', version: '1.0.0' },
  {
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
  },
);

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: 'The content of a resource.' },
});

type Fields = ElicitRequestFormParams['requestedSchema']['properties'];
const ask = async (properties: Fields): Promise<ContentBlock[]> => {
  const answer = await server.elicitInput({
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties },
  });
  return [text(JSON.stringify(answer))];
};

const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = ['value1', 'value2'].map((value) => ({ const: value, title: `The ${value}` }));

const TOOLS: Readonly<
  Record<string, (token: string | number | undefined) => ContentBlock[] | Promise<ContentBlock[]>>
> = {
  test_simple_text: () => [text('Text.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [resource('test://embedded-resource')],
  test_multiple_content_types: () => [text('Text.'), image, resource('test://mixed')],
  test_error_handling: () => {
    throw new Error('This tool always fails.');
  },
  async test_tool_with_logging() {
    for (const data of ['Started', 'Working', 'Done']) {
      await server.sendLoggingMessage({ level: 'info', data });
      await wait(50);
    }
    return [text('Done.')];
  },
  async test_tool_with_progress(progressToken) {
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await server.notification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await wait(50);
    }
    return [text('Done.')];
  },
  async test_sampling() {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }];
    const { content } = await server.createMessage({ messages, maxTokens: 100 });
    return [text(JSON.stringify(content))];
  },
  test_elicitation: () => ask({ username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: () =>
    ask({
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: () =>
    ask({
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: TITLED },
      legacyEnum: { type: 'string', enum: OPTIONS, enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: TITLED } },
    }),
};

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.keys(TOOLS).map((name) => ({
    name,
    description: 'A tool of the conformance suite.',
    inputSchema: { type: 'object' as const },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
  const tool = new Map(Object.entries(TOOLS)).get(params.name);
  try {
    if (!tool) throw new Error(`Unknown tool: ${params.name}`);
    return { content: await tool(params._meta?.progressToken) };
  } catch (error) {
    return { content: [text(String(error))], isError: true };
  }
});

server.setRequestHandler(ListResourcesRequestSchema, () => ({
  resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({
    uri: `test://${name}`,
    name,
    description: 'A resource of the conformance suite.',
  })),
}));
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
}));
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [
    uri === 'test://static-binary'
      ? { uri, mimeType: 'image/png', blob: PIXEL }
      : { uri, mimeType: 'text/plain', text: `The content of ${uri}.` },
  ],
}));
server.setRequestHandler(SubscribeRequestSchema, () => ({}));
server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));

const PROMPTS: Readonly<Record<string, (args: Record<string, string>) => ContentBlock[]>> = {
  test_simple_prompt: () => [text('A prompt.')],
  test_prompt_with_arguments: (args) => [text(`A prompt with ${Object.values(args).join(' and ')}.`)],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [resource(resourceUri), text('Read it.')],
  test_prompt_with_image: () => [image, text('Look at it.')],
};
server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: Object.keys(PROMPTS).map((name) => ({
    name,
    description: 'A prompt of the conformance suite.',
  })),
}));
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
  const prompt = new Map(Object.entries(PROMPTS)).get(params.name);
  if (!prompt) throw new Error(`Unknown prompt: ${params.name}`);
  return {
    messages: prompt(params.arguments ?? {}).map((content) => ({ role: 'user' as const, content })),
  };
});
server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: ['test'] } }));
server.setRequestHandler(SetLevelRequestSchema, () => ({}));

await server.connect(new StdioServerTransport());
