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

const content = (part: object) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }],
});

it.each([
  { type: 'file', file: { file_id: 'file-1' } },
  { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==', File_ID: 'file-1' } },
  { type: 'input_file', file_id: 'file-1' },
  { type: 'tool_result', content: [{ type: 'image', source: { FILE_ID: 'file-1' } }] },
  { type: 'output_text', text: 'Hi', annotations: { file_id: 'file-1' } },
])('refuses a file by its ID, which could be another team’s: %j', (part) => {
  expect(parse('chat.completions', content(part))).toThrow(
    'messages[0].content[1]: File references aren’t supported. Send the content itself.',
  );
});

it('refuses earlier audio by its ID, however it is spelled', () => {
  const audio = (name: string) => ({ messages: [{ role: 'assistant', [name]: { id: 'audio-1' } }] });
  expect(parse('chat.completions', audio('audio'))).toThrow(
    'messages[0].audio: References to earlier audio aren’t supported. Send the answer’s transcript as text.',
  );
  expect(parse('chat.completions', audio('Audio'))).toThrow('messages[0]: Write field names in lowercase.');
  expect(parse('chat.completions', { messages: [{ role: 'assistant', audio: null }] })).not.toThrow();
});

it('refuses searches, which the model server would charge for', () => {
  expect(parse('chat.completions', { web_search_options: {} })).toThrow(
    'web_search_options: Model servers charge for searches, so web search isn’t supported.',
  );
});

it('takes a file that is in the request, and says which part is invalid', () => {
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } };
  expect(parse('chat.completions', content(file))).not.toThrow();
  expect(parse('chat.completions', content({ ...file, file_id: null }))).not.toThrow();
  expect(parse('chat.completions', content({ type: 7 }))).toThrow('messages[0].content[1].type: ');
  expect(parse('chat.completions', { messages: [{ role: 'user', content: 7 }] })).toThrow(
    'messages[0].content: ',
  );
  expect(parse('chat.completions', { messages: [{ role: 'assistant', tool_calls: [] }] })).not.toThrow();
});
