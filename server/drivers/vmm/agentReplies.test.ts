import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { classifyAgentReply } from './agentReplies';
import { readAll } from './contract';

/** Replies of a real guest agent 0.6.0. */
const { exchanges } = z
  .object({
    exchanges: z.array(
      z.object({
        name: z.string(),
        response: z.object({
          status: z.number(),
          headers: z.record(z.string(), z.string()),
          body: z.string(),
        }),
      }),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL('recordings/guest-agent-0.6.0-312dc605.json', import.meta.url), 'utf8')),
  );

async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const classify = async (status: number, content_type: string, ...chunks: string[]) => {
  const { status: found, body } = await classifyAgentReply({ status, content_type, body: bytes(...chunks) });
  return { status: found, body: await readAll(body) };
};

describe('replies of a real guest agent', () => {
  const logs = exchanges.filter(({ name }) => name.startsWith('logs-'));
  const expected: Record<string, number> = {
    'logs-no-such-container': 404,
    'logs-not-public': 403,
    'logs-since-rfc3339': 400,
    'logs-since-epoch-ms': 400,
  };

  it.each(logs.map(({ name, response }) => [name, response] as const))('%s', async (name, response) => {
    const found = await classify(response.status, response.headers['content-type'] ?? '', response.body);
    expect(found).toEqual({ status: expected[name] ?? 200, body: response.body });
  });
});

describe('a container that prints what looks like an error', () => {
  it.each([
    ['its own error', '{"error":"no such user"}'],
    ['a line like the agent’s', '{"error":"Docker responded with status code 404: x"}\n'],
  ])('is still a log: %s', async (_what, line) => {
    expect(await classify(200, 'text/plain', line, 'more\n')).toEqual({ status: 200, body: `${line}more\n` });
  });
});

it('passes a silent log on without waiting for its first line', async () => {
  let speak: () => void = () => undefined;
  const spoken = new Promise<void>((resolve) => (speak = resolve));
  async function* late() {
    await spoken;
    yield Buffer.from('at last\n');
  }
  const { status, body } = await classifyAgentReply({
    status: 200,
    content_type: 'text/plain',
    body: late(),
  });
  expect(status).toBe(200);
  speak();
  expect(await readAll(body)).toBe('at last\n');
});
