import { describe, expect, it } from 'vitest';
import { loadingSteps } from './loadingSteps';
import {
  publishFaults,
  startTeamValues,
  startValues,
  teamPublishFaults,
  toPublish,
  toTeamPublish,
} from './publishForm';

const served = {
  containers: ['dstack-model-1', 'model'],
  port: 8080,
  served_name: 'qwen3-8b',
  source: 'Qwen/Qwen3-8B',
  context: 8192,
};

describe('the steps until a model answers', () => {
  const states = (...args: Parameters<typeof loadingSteps>) =>
    loadingSteps(...args).map(({ state }) => state);

  it('follow the server’s state', () => {
    expect(states('off', null, 8080)).toEqual(['running', 'waiting', 'waiting']);
    expect(states('starting', null, 8080)).toEqual(['done', 'running', 'waiting']);
    expect(states('loading', null, 8080)).toEqual(['done', 'done', 'running']);
  });

  it('show the progress if the log is readable', () => {
    const progress = 'Loading shards: 25%';
    const details = (state: 'starting' | 'loading') =>
      loadingSteps(state, progress, 8080).map(({ detail }) => detail ?? null);
    // vLLM listens only after it has loaded the model.
    expect(details('starting')).toEqual([null, progress, null]);
    expect(details('loading')).toEqual([null, null, progress]);
    expect(loadingSteps('starting', null, 8080)[1]?.detail).toContain('port 8080');
  });
});

describe('the form that offers a model through the API', () => {
  const complete = { ...startValues(served), api_key: 'k', input_price: '0.2', output_price: '1' };

  it('starts with values from the Compose file', () => {
    expect(complete).toMatchObject({ model: 'qwen3-8b', name: 'qwen3-8b', context: '8192' });
    expect(publishFaults(complete)).toEqual({});
    expect(toPublish({ ...complete, name: ' Qwen3 ' }, served)).toEqual({
      port: 8080,
      served_name: 'qwen3-8b',
      api_key: 'k',
      model: 'qwen3-8b',
      name: 'Qwen3',
      context_length: 8192,
      input_modalities: ['text'],
      input_price: '0.2',
      output_price: '1',
    });
  });

  it('says what a model reads only if it is one of the deploy form’s', () => {
    const reads = (source: string | null) => startValues({ ...served, source }).input_modalities;
    expect(reads('Qwen/Qwen3-4B-GGUF:Q4_K_M')).toBe('text');
    expect(reads('Qwen/Qwen2.5-VL-7B-Instruct')).toBe('');
    expect(reads(null)).toBe('');
  });

  it('reports missing fields', () => {
    const empty = startValues({ ...served, served_name: '-', context: null });
    expect(Object.keys(publishFaults({ ...empty, name: ' ' })).sort()).toEqual([
      'api_key',
      'context',
      'input_price',
      'model',
      'name',
      'output_price',
    ]);
    expect(publishFaults({ ...complete, input_price: '0.1234567', context: '9000000' })).toMatchObject({
      input_price: expect.stringContaining('amount') as string,
      context: expect.stringContaining('8,000,000') as string,
    });
  });
});

describe('the form that offers a model to the team', () => {
  it('starts with a name that fits after the team’s slug', () => {
    const start = startTeamValues({ ...served, served_name: 'Qwen/Qwen3 8B:fp8' });
    expect(start).toMatchObject({ short_name: 'Qwen3-8B-fp8', context: '8192' });
    const complete = { ...start, api_key: 'k', name: ' Qwen3 ', input_modalities: 'image,text' };
    expect(teamPublishFaults(complete)).toEqual({});
    expect(toTeamPublish(complete, served)).toEqual({
      port: 8080,
      served_name: 'qwen3-8b',
      api_key: 'k',
      short_name: 'Qwen3-8B-fp8',
      name: 'Qwen3',
      context_length: 8192,
      input_modalities: ['text', 'image'],
    });
  });

  it('reports missing fields', () => {
    const wrong = { ...startTeamValues(served), short_name: 'a/b', name: '', context: '0' };
    expect(Object.keys(teamPublishFaults(wrong)).sort()).toEqual([
      'api_key',
      'context',
      'name',
      'short_name',
    ]);
  });
});
