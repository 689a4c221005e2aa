import { expect, it } from 'vitest';
import { snippets } from './snippets';

const of = (settings: Parameters<typeof snippets>[0]['settings']) =>
  Object.fromEntries(
    snippets({ base_url: 'https://ai.example.test/v1', model: 'acme/chat', is_built_in: true, settings }).map(
      ({ title, code }) => [title, code],
    ),
  );

it('have no settings unless some are set', () => {
  for (const code of Object.values(of({}))) expect(code).not.toMatch(/temperature|top_?p|seed|stop/i);
  expect(of({}).curl).toContain(
    `-d '{"model": "acme/chat", "messages": [{"role": "user", "content": "Hello"}]}'`,
  );
});

it('have the settings as each client names them', () => {
  const all = of({ max_tokens: 8, temperature: 0, top_p: 0.9, stop: ["it's", '\n'], seed: 7 });
  expect(all.curl).toContain(
    String.raw`"max_tokens": 8, "temperature": 0, "top_p": 0.9, "stop": ["it'\''s", "\n"], "seed": 7}'`,
  );
  expect(all['Python, openai']).toContain(String.raw`    stop=["it's", "\n"],
    seed=7,
)`);
  expect(all['TypeScript, openai']).toContain('  top_p: 0.9,\n');
  expect(all['TypeScript, Vercel AI SDK']).toContain(
    '  maxOutputTokens: 8,\n  temperature: 0,\n  topP: 0.9,\n',
  );
  expect(all['JavaScript, with verification']).toContain(', top_p: 0.9, stop: ["it\'s","\\n"], seed: 7 });');
});
