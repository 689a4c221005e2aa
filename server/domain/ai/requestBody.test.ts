import { expect, it } from 'vitest';
import { parseModelRequest, type Endpoint } from './modelRequest';

const VALID: Readonly<Record<Endpoint, object>> = {
  'chat.completions': { model: 'a', messages: [{ role: 'user', content: 'Hi' }] },
  completions: { model: 'a', prompt: 'Hi' },
  embeddings: { model: 'a', input: 'Hi' },
  responses: { model: 'a', input: 'Hi' },
};
const parse = (endpoint: Endpoint, more: object) => () =>
  parseModelRequest(endpoint, Buffer.from(JSON.stringify({ ...VALID[endpoint], ...more })));

it.each<[Endpoint, string]>([
  ['chat.completions', 'Tools'],
  ['chat.completions', 'FUNCTIONS'],
  ['chat.completions', 'Max_Tokens'],
  ['chat.completions', 'stream_Options'],
  ['completions', 'Best_Of'],
  ['completions', 'Provider'],
  ['embeddings', 'Dimensions'],
  ['responses', 'Instructions'],
  ['responses', 'Previous_response_id'],
])('refuses a member of %s that is read, if it is spelled %s', (endpoint, name) => {
  expect(parse(endpoint, { [name]: null })).toThrow(`${name}: Write this field name in lowercase.`);
});

it('leaves the spelling of other members to the model server', () => {
  expect(parse('chat.completions', { Temperature: 1 })).not.toThrow();
});

it('refuses a duplicate member, however it is spelled', () => {
  expect(parse('chat.completions', { temperature: 1, Temperature: 2 })).toThrow(
    'Temperature: The body has this field twice.',
  );
});
