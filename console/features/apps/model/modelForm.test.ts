import { expect, it } from 'vitest';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { analyzeCompose } from '../../../lib/compose/composeFile';
import { KNOWN_MODELS } from '../../../lib/ai/modelPlan';
import {
  enginesFor,
  modelFaults,
  modelRate,
  modelsFor,
  needOf,
  newModel,
  otherModel,
  precisionsOf,
  sizesFor,
  startOf,
  valuesFor,
  withEngine,
  type ModelValues,
} from './modelForm';

const size = (gpu_count: number, name = 'One H200'): InstanceType => ({
  id: 'h200.small',
  name,
  description: 'In confidential mode.',
  family: 'gpu',
  vcpu: 24,
  memory_mb: 262_144,
  default_disk_size_gb: 100,
  hourly_rate: '3.5',
  requires_gpu: true,
  gpu_count,
});
const IMAGE = `vllm/vllm-openai@sha256:${'a'.repeat(64)}`;
const of = (id: string, change: Partial<ModelValues> = {}): ModelValues => {
  const known = KNOWN_MODELS.find((one) => one.id === id);
  if (!known) throw new Error(id);
  return { ...newModel([size(1)]), ...valuesFor(known), image: IMAGE, ...change };
};
const small: InstanceType = {
  id: 'tdx.small',
  name: 'Small',
  description: '',
  family: 'cpu',
  vcpu: 1,
  memory_mb: 2048,
  default_disk_size_gb: 20,
  hourly_rate: '0.058',
  requires_gpu: false,
  gpu_count: 0,
};
const LLAMA = 'meta-llama/Llama-3.3-70B-Instruct';

it('computes the memory for weights and cache', () => {
  const need = needOf(of('meta-llama/Llama-3.1-8B-Instruct', { context: '131072' }), size(1));
  expect(need).toMatchObject({ weights: 16, fits: true, concurrent: 6 });
  // 2 × 32 layers × 8 heads × 128 values × 2 bytes × 131,072 tokens
  expect(need?.cache).toBeCloseTo(17.18, 2);
  expect(need?.usable).toBeCloseTo(126.9, 5);
});

it('refuses a model that doesn’t fit, and names what would', () => {
  const values = of(LLAMA);
  const refusal = modelFaults(values, needOf(values, size(1))).size;
  expect(refusal).toContain('needs 152 GB');
  expect(refusal).toContain('has 127 GB');
  expect(modelFaults(values, needOf(values, size(2)))).toEqual({});
  const smaller = of(LLAMA, { precision: 'fp8' });
  expect(modelFaults(smaller, needOf(smaller, size(1)))).toEqual({});
});

it('counts the published weights for an engine that quantizes after loading them', () => {
  const values = of(LLAMA, { engine: 'sglang', precision: 'fp8' });
  expect(modelFaults(values, needOf(values, size(1))).size).toBe(
    'SGLang loads the weights as published before it quantizes them, which needs 141 GB; this size has 127 GB. Choose more GPUs or vLLM.',
  );
  expect(modelFaults(values, needOf(values, size(2)))).toEqual({});
});

it('makes no claims about an unknown GPU or model', () => {
  const other = { ...size(1), id: 'x1.small', name: 'One X1', description: '' };
  expect(needOf(of(LLAMA), other)).toMatchObject({ usable: null, fits: null, concurrent: null });
  expect(needOf(of(LLAMA, { known: '' }), size(1))).toMatchObject({ cache: null, fits: false });
});

it('costs what the size costs, and the disk beyond it that the weights need', () => {
  expect(modelRate(of('Qwen/Qwen3-8B'), size(1))).toBe(3_500_000);
  expect(modelRate(of(LLAMA), size(8))).toBeGreaterThan(3_500_000);
});

it('reports the fault of each field', () => {
  const faults = modelFaults(
    of(LLAMA, {
      model: 'x; rm -rf /',
      parameters: 'many',
      context: '1e6',
      served_name: '',
      image: 'vllm:latest',
      size: '',
    }),
    null,
  );
  expect(Object.keys(faults).sort()).toEqual([
    'context',
    'image',
    'model',
    'parameters',
    'served_name',
    'size',
  ]);
});

it.each(['vllm', 'sglang'] as const)(
  'writes a Compose file for %s that the deploy form accepts',
  (engine) => {
    const { compose, secrets, disk_gb, name } = startOf(of(LLAMA, { engine }), size(2));
    const { ok, findings, variables } = analyzeCompose(compose, {
      secretNames: secrets?.map(({ key }) => key) ?? [],
    });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(ok).toBe(true);
    expect(variables.map((one) => one.name).sort()).toEqual(['HF_TOKEN', 'MODEL_API_KEY']);
    expect(secrets?.[0]?.value).toMatch(/^\w{40}$/);
    expect(Number(disk_gb)).toBeGreaterThan(141);
    expect(name).toBe('model-llama-3-3-70b-instruct');
  },
);

const onCpu = (change: Partial<ModelValues> = {}): ModelValues => ({
  ...withEngine(newModel([size(1), small]), 'llamacpp', [size(1), small]),
  image: `ghcr.io/ggml-org/llama.cpp@sha256:${'b'.repeat(64)}`,
  ...change,
});

it('serves a small model without a GPU', () => {
  const values = onCpu();
  expect(values).toMatchObject({
    model: 'Qwen/Qwen3-0.6B-GGUF',
    size: 'tdx.small',
    precision: 'q8_0',
    context: '4096',
  });
  const need = needOf(values, small);
  // 0.6 billion × 8.5 bits; 80% of 2 GiB
  expect(need?.weights).toBeCloseTo(0.6375, 4);
  expect(need?.usable).toBeCloseTo(1.718, 3);
  expect(modelFaults(values, need)).toEqual({});
  const { compose, secrets, size: chosen, disk_gb, name } = startOf(values, small);
  const { ok, services, variables } = analyzeCompose(compose, {
    secretNames: secrets?.map(({ key }) => key) ?? [],
  });
  expect(ok).toBe(true);
  expect(services).toHaveLength(1);
  expect(variables.map((one) => one.name)).toEqual(['MODEL_API_KEY']);
  expect(compose).toContain('Qwen/Qwen3-0.6B-GGUF:Q8_0');
  expect(compose).not.toContain('nvidia');
  expect([chosen, disk_gb, name]).toEqual(['tdx.small', '20', 'model-qwen3-0-6b']);
});

it('passes on the scheduled deletion', () => {
  expect(startOf(onCpu(), small)).toMatchObject({ delete_after: '', delete_at: '' });
  const week = onCpu({ delete_after: '168' });
  expect(startOf(week, small)).toMatchObject({ delete_after: '168' });
  const past = onCpu({ delete_after: 'at', delete_at: '2020-01-01T00:00' });
  expect(modelFaults(past, needOf(past, small))).toEqual({
    delete_at: expect.stringContaining('in the past') as string,
  });
});

it('refuses a model that no CVM has memory for', () => {
  const [, larger] = modelsFor('llamacpp');
  const values = onCpu(larger && valuesFor(larger));
  expect(modelFaults(values, needOf(values, small)).size).toMatch(
    /The model needs 4\.9 GB .* this size has 1\.7 GB\. Choose a larger size, fewer bits or a shorter context\./,
  );
});

it('offers each engine its own models, precisions and sizes', () => {
  const sizes = [size(1), small];
  expect(enginesFor(sizes)).toEqual(['vllm', 'sglang', 'llamacpp']);
  // A cloud without GPUs, and one with only GPU sizes.
  expect(enginesFor([small])).toEqual(['llamacpp']);
  expect(newModel([small])).toMatchObject({ engine: 'llamacpp', size: 'tdx.small' });
  expect(enginesFor([size(1)])).toEqual(['vllm', 'sglang']);
  expect(sizesFor('llamacpp', sizes)).toEqual([small]);
  expect(precisionsOf({ engine: 'sglang', known: '' })).toEqual(['bf16', 'fp8']);
  expect(precisionsOf(onCpu())).toEqual(['q8_0']);
  expect(precisionsOf(onCpu(otherModel({ engine: 'llamacpp' })))).toEqual(['q8_0', 'q4_k_m']);
  // Switching between GPU engines keeps the user's choices.
  const values = of(LLAMA, { context: '1000' });
  expect(withEngine(values, 'sglang', sizes)).toEqual({ ...values, engine: 'sglang' });
  expect(withEngine(values, 'llamacpp', sizes)).toMatchObject({ image: '', size: 'tdx.small' });
});
