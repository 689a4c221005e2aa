import { expect, it } from 'vitest';
import { createStreamMeter, isFailure, parseAnswer, reportedUsage } from './upstreamUsage';

const parse = (value: unknown) => parseAnswer(JSON.stringify(value));

it('reads what the gateway needs from an answer, whatever else is in it', () => {
  expect(
    parse({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      choices: [
        { index: 0, delta: { role: 'assistant', content: 'Hi', tool_calls: [] }, finish_reason: null },
      ],
      usage: null,
    }),
  ).toMatchObject({ id: 'chatcmpl-1', usage: null, choices: [{ delta: { content: 'Hi' }, text: null }] });
  expect(
    parse({ type: 'response.completed', response: { id: 'resp_1', usage: { input_tokens: 1 } } }),
  ).toEqual(
    expect.objectContaining({
      type: 'response.completed',
      response: { id: 'resp_1', usage: { input_tokens: 1 } },
      choices: null,
    }),
  );
});

it.each(['', '{', 'null', '1', '"text"', '[]', '[{"id":"a"}]'])(
  'rejects anything but a JSON object: %s',
  (json) => {
    expect(parseAnswer(json)).toBeNull();
  },
);

it.each([
  ['an ID that is no text', { id: 7 }, { id: undefined }],
  ['a type that is no text', { type: {} }, { type: undefined }],
  ['a response that is no object', { response: ['a'] }, { response: null }],
  ['choices that are no list', { choices: { 0: {} } }, { choices: null }],
  ['a choice that is no object', { choices: [{ text: 'a' }, 'b'] }, { choices: null }],
  ['a text that is none', { choices: [{ text: 7 }] }, { choices: null }],
  ['a delta that is no object', { choices: [{ delta: 'Hi' }] }, { choices: null }],
  ['content that is no text', { choices: [{ delta: { content: ['Hi'] } }] }, { choices: null }],
  ['too many choices', { choices: Array.from({ length: 10_001 }, () => ({})) }, { choices: null }],
])('reads %s as missing', (_, given, read) => {
  expect(parse(given)).toMatchObject(read);
});

it('recognizes failures in either API', () => {
  const failed = (value: unknown) => isFailure(parse(value)!);
  expect(failed({ error: { message: 'no' } })).toBe(true);
  expect(failed({ type: 'response.failed' })).toBe(true);
  expect(failed({ error: null, choices: [] })).toBe(false);
});

it('counts at least one token for each part with text until the model server reports them', () => {
  const meter = createStreamMeter(() => 10);
  for (const delta of [{ role: 'assistant' }, { content: 'Grüße' }, { reasoning: 'x' }, { content: '' }])
    meter.add(parse({ choices: [{ delta }] })!);
  expect(meter.usage()).toMatchObject({ input_tokens: 10, output_tokens: 2, is_estimated: true });
  meter.add(parse({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } })!);
  expect(meter.usage()).toMatchObject({ input_tokens: 3, output_tokens: 4, is_estimated: false });
});

it('estimates what a model server wrote after its last report, in case that was an early one', () => {
  const meter = createStreamMeter(() => 10);
  const say = (content: string, usage?: object) =>
    meter.add(parse({ choices: [{ delta: { content } }], usage })!);
  say('', { prompt_tokens: 3, completion_tokens: 0 });
  say('one');
  say('two');
  expect(meter.usage()).toMatchObject({ input_tokens: 3, output_tokens: 2, is_estimated: true });
  say('three', { prompt_tokens: 3, completion_tokens: 5 });
  expect(meter.usage()).toMatchObject({ input_tokens: 3, output_tokens: 5, is_estimated: false });
});

it('counts the calls of tools and refusals, which cost as much as other text', () => {
  const outputOf = (...deltas: object[]) => {
    const meter = createStreamMeter(() => 0);
    for (const delta of deltas) meter.add(parse({ choices: [{ delta }] })!);
    return meter.usage().output_tokens;
  };
  const call = (given: object) => ({ tool_calls: [{ index: 0, function: given }] });
  expect(
    outputOf(
      { content: null, ...call({ name: 'find', arguments: '' }) },
      call({ arguments: '{"city"' }),
      call({ arguments: ':"Berlin, the capital of Germany"}' }),
    ),
  ).toBe(12);
  expect(outputOf({ function_call: { name: 'find' } }, { refusal: 'No.' }, { tool_calls: [] })).toBe(2);
  expect(outputOf({ content: 'Hi', tool_calls: [null, 7, { function: 'find' }, {}] })).toBe(1);
});

it.each([
  [{ prompt_tokens: 3, completion_tokens: null, prompt_tokens_details: null }, [3, 0, 0, 0]],
  [{ prompt_tokens: 3, prompt_tokens_details: { cached_tokens: 9 } }, [3, 3, 0, 0]],
  [
    { prompt_tokens: 3, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 1 } },
    [3, 0, 4, 1],
  ],
  [{ input_tokens: 5, output_tokens: 6, input_tokens_details: { cached_tokens: 1 } }, [5, 1, 6, 0]],
  [{ prompt_tokens: -1, input_tokens: 5 }, [5, 0, 0, 0]],
])('reads the usage of either API: %j', (usage, counts) => {
  expect(Object.values(reportedUsage(usage) ?? {})).toEqual(counts);
});

it.each([
  undefined,
  null,
  7,
  [],
  {},
  { prompt_tokens: -1 },
  { prompt_tokens: 1.5 },
  { prompt_tokens: 1, completion_tokens: '2' },
  { prompt_tokens: 1, prompt_tokens_details: [] },
  { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 2 ** 53 } },
  { input_tokens: '3' },
])('ignores an implausible usage: %j', (usage) => expect(reportedUsage(usage)).toBeNull());
