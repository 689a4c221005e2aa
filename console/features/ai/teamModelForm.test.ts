import { expect, it } from 'vitest';
import { zTeamAiModelPatch } from '../../../generated/api/zod.gen';
import { faultsOf, readChanged, toPatch } from './teamModelForm';

const values = {
  name: ' Qwen3 ',
  description: '',
  context_length: '8192',
  endpoints: 'embeddings,chat.completions',
  input_modalities: 'image,text',
  output_modalities: '',
};

it('sends what the API accepts', () => {
  expect(faultsOf(values)).toEqual({});
  expect(zTeamAiModelPatch.parse(toPatch(values))).toEqual({
    name: 'Qwen3',
    description: '',
    context_length: 8192,
    endpoints: ['chat.completions', 'embeddings'],
    input_modalities: ['text', 'image'],
    output_modalities: [],
  });
});

it('reports missing fields', () => {
  expect(Object.keys(faultsOf({ ...values, name: ' ', context_length: '8000001', endpoints: '' }))).toEqual([
    'name',
    'context_length',
    'endpoints',
  ]);
});

it('reads another member’s changes', () => {
  expect(readChanged({ endpoints: ['completions'], context_length: 10 }, values)).toEqual({
    ...values,
    endpoints: 'completions',
    context_length: '10',
  });
});
