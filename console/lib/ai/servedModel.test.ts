import { describe, expect, it } from 'vitest';
import { loadingProgress } from './loadingProgress';
import { modelCompose } from './modelCompose';
import { ENGINES, type Engine } from './modelPlan';
import { mentionsModel } from './mentionsModel';
import { servedModel } from './servedModel';

const plan = {
  model: 'Qwen/Qwen3-8B',
  served_name: 'qwen3-8b',
  image: `engine@sha256:${'a'.repeat(64)}`,
  gpus: 1,
  context: 8192,
  precision: 'bf16',
  needs_token: false,
} as const;

describe('the model in a Compose file', () => {
  it.each(Object.keys(ENGINES) as Engine[])('is found in the files generated for %s', (engine) => {
    const compose = modelCompose({ ...plan, engine });
    expect(mentionsModel(compose)).toBe(true);
    expect(servedModel(compose)).toEqual({
      containers: ['dstack-model-1', 'model'],
      port: ENGINES[engine].port,
      served_name: 'qwen3-8b',
      source: engine === 'llamacpp' ? 'Qwen/Qwen3-8B:BF16' : 'Qwen/Qwen3-8B',
      context: 8192,
    });
  });

  it('is found in a custom file, with another port and a single-line command', () => {
    const compose = `services:
  proxy: { image: caddy }
  llm:
    image: mine/engine
    command: serve --alias tiny --port 9000
    ports: ["8443:9000"]
`;
    expect(servedModel(compose)).toEqual({
      containers: ['dstack-llm-1', 'llm'],
      port: 8443,
      served_name: 'tiny',
      source: null,
      context: null,
    });
  });

  it('runs in the container that the file names', () => {
    const of = (service: string, name = '') =>
      servedModel(`${name}services: { llm: { ${service}command: [--alias, tiny], ports: [80] } }`)
        ?.containers;
    expect(of('container_name: engine, ')).toEqual(['engine']);
    expect(of('', 'name: chat\n')).toEqual(['chat-llm-1', 'llm']);
  });

  it.each([
    ['another app', 'services: { web: { image: nginx, ports: ["80:80"] } }'],
    ['no port', 'services: { llm: { image: x, command: [--alias, tiny] } }'],
    ['a port on loopback', 'services: { llm: { command: [--alias, tiny], ports: ["127.0.0.1:80:80"] } }'],
    ['no mapping', '- --alias'],
    ['broken YAML', 'services: { --alias'],
    ['too deep', `services: ${'['.repeat(1000)}--alias`],
    ['nothing', ''],
  ])('is absent in %s', (_what, compose) => {
    expect(servedModel(compose)).toBeNull();
  });
});

describe('progress in an engine’s log', () => {
  it.each([
    ['vLLM', 'Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:01<00:03,  1.1s/it]\n', 25],
    [
      'Hugging Face',
      'Fetching 8 files:  12%|█▎        | 1/8\rFetching 8 files:  38%|███▊      | 3/8 [00:12<',
      38,
    ],
    ['the tiny model', 'serving tiny on 8080\nloading model: 0%\nloading model: 50%\n', 50],
    ['a line with colors', '\u001b[32mDownloading weights 99.9%\u001b[0m', 99],
  ])('is the newest of %s', (_what, log, percent) => {
    expect(loadingProgress(log)).toContain(`${percent}`);
  });

  it('has no bars and colors', () => {
    expect(loadingProgress('\u001b[32mFetching 8 files:  38%|███▊      | 3/8\u001b[0m')).toBe(
      'Fetching 8 files:  38%  3/8',
    );
  });

  it.each(['', 'GPU KV cache usage: 12%', 'Loading weights took 3 s', 'loading 250%'])(
    'isn’t in %j',
    (log) => {
      expect(loadingProgress(log)).toBeNull();
    },
  );
});
