import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { McpTool } from '../../../../generated/api/types.gen';
import { McpSection } from '../McpSection';
import { CallSummary } from './CallSummary';
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

it('shows a tool’s arguments in the controls that its schema calls for', () => {
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
      // Contradicts itself.
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

it('says before a call whether the server calls the tool destructive, and with which arguments', () => {
  const args = { path: '/notes/1', tags: ['<b>old</b>'] };
  const said = shown(<CallSummary hint args={args} />);
  expect(said).toContain('The server says that this tool can delete or overwrite data.');
  expect(said).toMatch(/aria-label="Arguments".*?&quot;path&quot;: &quot;\/notes\/1&quot;/s);
  expect(said).toContain('&lt;b&gt;old&lt;/b&gt;');
  const silent = shown(<CallSummary hint={null} args={{}} />);
  expect(silent).toContain('The server doesn’t say whether this tool can delete or overwrite data.');
  expect(silent).toContain('It is called without arguments.');
  expect(shown(<CallSummary hint args={{ text: 'x'.repeat(50_000) }} />)).toMatch(/\d+ more characters/);
});

it('shows the error that a tool reports as an error', () => {
  const content = [{ type: 'text' as const, text: 'The shop is closed.', mime_type: null }];
  const result = { failed: true, content, structured: null, ms: 3 };
  expect(shown(<ToolOutcome tool="buy" result={result} />)).toMatch(
    /role="alert".*?buy reported an error.*?The shop is closed\./s,
  );
  expect(shown(<ToolOutcome tool="buy" result={{ ...result, failed: false }} />)).toMatch(
    /buy returned in 3 ms\..*?The shop is closed\./s,
  );
});

it('is one button on the page of an app that mentions no MCP server', () => {
  const panel = {
    teamSlug: 'acme',
    vmUuid: 'x',
    name: 'app',
    status: 'running' as const,
    ports: [],
    shut: undefined,
  };
  expect(shown(<McpSection {...panel} compose="services: {}" />)).toContain('Connect to an MCP server…');
  const html = shown(<McpSection {...panel} compose="services: { mcp: { image: tools } }" />);
  expect(html).toContain('MCP server</h2>');
  expect(html).not.toContain('Connect to an MCP server');
});
