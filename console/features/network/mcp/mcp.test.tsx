import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { McpKeyUsage, McpTool, McpUsage } from '../../../../generated/api/types.gen';
import { McpSection } from '../McpSection';
import { CallSummary } from './CallSummary';
import { KeysSection } from './KeysSection';
import { ServerView } from './ServerView';
import { ToolForm } from './ToolForm';
import { ToolOutcome } from './ToolOutcome';

const shown = (node: ReactNode) =>
  renderToStaticMarkup(<QueryClientProvider client={new QueryClient()}>{node}</QueryClientProvider>).replace(
    /<style.*?<\/style>/gs,
    '',
  );
const call = () => Promise.reject(new Error('not called'));
const tool = (change: Partial<McpTool>): McpTool => ({
  name: 'remember',
  title: null,
  description: null,
  input_schema: { type: 'object', properties: {} },
  read_only: false,
  destructive: false,
  destructive_hint: false,
  ...change,
});

it('shows a tool’s arguments in controls that fit its schema', () => {
  const properties = {
    text: { type: 'string', maxLength: 50, description: 'The note.' },
    count: { type: 'integer' },
    urgent: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
  };
  const input_schema = { type: 'object', properties, required: ['text'], additionalProperties: true };
  const html = shown(<ToolForm tool={tool({ input_schema })} cvm="notes-app" call={call} />);
  expect(html).toMatch(/<form[^>]*aria-label="Call remember"/);
  expect(html).toMatch(/>text<\/label><input[^>]*maxLength="50".*?The note\./s);
  expect(html).toMatch(/>count<.*?<input[^>]*inputMode="numeric"/s);
  expect(html).toMatch(/>urgent<.*?<option value=""[^>]*>Not set<\/option><option value="0">true<\/option>/s);
  expect(html).toMatch(/>tags<.*?<textarea.*?One per line\./s);
  expect(html).toMatch(/>Other arguments<.*?<textarea/s);
});

it('marks tools that can delete or overwrite, and those that only read', () => {
  const server = {
    name: 'notes',
    title: 'Team notes',
    version: '1.2.0',
    protocol_version: '2026-07-28',
    instructions: '<script>alert(1)</script>',
    tools: [
      // Contradictory hints.
      tool({ name: 'forget', destructive: true, destructive_hint: true, read_only: true }),
      tool({ name: 'search', read_only: true }),
      tool({}),
    ],
    resources: [{ uri: 'javascript:alert(1)', name: 'All notes', description: null, mime_type: null }],
    prompts: [],
    incomplete: true,
    at: 1,
  };
  const html = shown(<ServerView server={server} cvm="notes-app" call={call} />);
  expect(html).toMatch(/forget.*?Can delete or overwrite.*?search.*?Read-only.*?remember/s);
  expect(html.match(/Can delete or overwrite|Read-only/g)).toHaveLength(2);
  expect(html).toContain('Not everything is listed.');
  expect(html).not.toContain('<script>');
  expect(html).not.toContain('href="javascript:');
});

it('shows the destructive hint and the arguments before a call', () => {
  const args = { path: '/notes/1', tags: ['<b>old</b>'] };
  const said = shown(<CallSummary hint args={args} />);
  expect(said).toContain('The server says that this tool can delete or overwrite data.');
  expect(said).toMatch(/aria-label="Arguments".*?&quot;path&quot;: &quot;\/notes\/1&quot;/s);
  expect(said).toContain('&lt;b&gt;old&lt;/b&gt;');
  const silent = shown(<CallSummary hint={null} args={{}} />);
  expect(silent).toContain('The server doesn’t say whether this tool can delete or overwrite data.');
  expect(silent).toContain('Called without arguments.');
  expect(shown(<CallSummary hint args={{ text: 'x'.repeat(50_000) }} />)).toMatch(/\d+ more characters/);
});

it('shows a tool’s reported error as an error', () => {
  const content = [{ type: 'text' as const, text: 'The shop is closed.', mime_type: null }];
  const result = { failed: true, content, structured: null, ms: 3 };
  expect(shown(<ToolOutcome tool="buy" result={result} />)).toMatch(
    /role="alert".*?buy reported an error.*?The shop is closed\./s,
  );
  expect(shown(<ToolOutcome tool="buy" result={{ ...result, failed: false }} />)).toMatch(
    /buy returned in 3 ms\..*?The shop is closed\./s,
  );
});

const unused: McpKeyUsage = {
  name: 'default',
  requests: 0,
  refused: 0,
  last_used_at: null,
  days: [],
  tools: [],
};
const alice: McpKeyUsage = {
  name: 'alice',
  requests: 1234,
  refused: 7,
  last_used_at: '2026-11-28T09:00:00.000Z',
  days: [
    { date: '2026-11-27', requests: 34, refused: 0 },
    { date: '2026-11-28', requests: 1200, refused: 7 },
  ],
  tools: [{ name: '<b>search</b>', calls: 40, failed: 3, total_ms: 800 }],
};
const keysShown = (usage: McpUsage | undefined, change: object = {}) =>
  shown(
    <KeysSection
      usage={usage}
      pending={false}
      problem={null}
      takesKeys
      secretsHref="/acme/cvms/x/compose"
      onRefresh={() => undefined}
      {...change}
    />,
  );
const usageOf = (keys: McpKeyUsage[]): McpUsage => ({
  since: '2026-11-26T08:00:00.000Z',
  requests_per_minute: 1500,
  keys,
});

it('shows the usage of each key, and that of the first used one by tool and by day', () => {
  const html = keysShown(usageOf([unused, alice]));
  expect(html).toContain('1,500 requests per minute');
  expect(html).toMatch(/>default<.*?>alice<.*?1,234.*?>7</s);
  expect(html).toMatch(/aria-label="Tools called with alice".*?&lt;b&gt;search&lt;\/b&gt;.*?40.*?3.*?20 ms/s);
  expect(html).toMatch(/aria-label="Requests with alice by day".*?2026-11-28.*?1,200.*?2026-11-27.*?34/s);
  expect(html).toMatch(/<a[^>]*href="\/acme\/cvms\/x\/compose"/);
  expect(html).toContain('Add a key…');
  expect(html).not.toContain('shows only its own usage');
});

it('says that an additional key reads its own usage, and which servers have a single key', () => {
  expect(keysShown(usageOf([alice]))).toContain('The key in MCP_KEY shows usage for all keys.');
  const single = keysShown(usageOf([unused]), { takesKeys: false });
  expect(single).toContain('This version of the server has a single key.');
  expect(single).not.toContain('Add a key…');
  const full = Array.from({ length: 31 }, (_, i) => ({ ...alice, name: `client-${i}` }));
  expect(keysShown(usageOf([unused, ...full]))).toContain('A server can have up to 32 keys.');
});

it('shows why the usage couldn’t be read', () => {
  const problem = { title: 'Couldn’t load key usage', message: 'The server doesn’t say.' };
  expect(keysShown(undefined, { problem })).toContain('The server doesn’t say.');
});

it('is a single button for an app that mentions no MCP server', () => {
  const panel = {
    teamSlug: 'acme',
    vmUuid: 'x',
    name: 'app',
    status: 'running' as const,
    ports: [],
    secretsHref: '/acme/cvms/x/compose',
    refused: undefined,
  };
  expect(shown(<McpSection {...panel} compose="services: {}" />)).toContain('Connect to an MCP server…');
  const html = shown(<McpSection {...panel} compose="services: { mcp: { image: tools } }" />);
  expect(html).toContain('MCP server</h2>');
  expect(html).not.toContain('Connect to an MCP server');
});
