import { expect, it } from 'vitest';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { analyseCompose } from '../../../lib/compose/composeFile';
import { KNOWN_MODELS } from '../../../lib/ai/modelPlan';
import { emptyModel, modelFaults, needOf, startOf, valuesFor, type ModelValues } from './modelForm';

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
  return { ...emptyModel, ...valuesFor(known), image: IMAGE, size: 'h200.small', ...change };
};
const LLAMA = 'meta-llama/Llama-3.3-70B-Instruct';

it('works out the memory of weights and cache', () => {
  const need = needOf(of('meta-llama/Llama-3.1-8B-Instruct', { context: '131072' }), size(1));
  expect(need).toMatchObject({ weights: 16, fits: true, concurrent: 6 });
  // 2 × 32 layers × 8 heads × 128 values × 2 bytes × 131,072 tokens
  expect(need?.cache).toBeCloseTo(17.18, 2);
  expect(need?.usable).toBeCloseTo(126.9, 5);
});

it('refuses a model that doesn’t fit, and says what would', () => {
  const values = of(LLAMA);
  const refusal = modelFaults(values, needOf(values, size(1))).size;
  expect(refusal).toContain('needs 152 GB');
  expect(refusal).toContain('has 127 GB');
  expect(modelFaults(values, needOf(values, size(2)))).toEqual({});
  const smaller = of(LLAMA, { precision: 'fp8' });
  expect(modelFaults(smaller, needOf(smaller, size(1)))).toEqual({});
});

it('claims nothing about a GPU or a model it doesn’t know', () => {
  const other = { ...size(1), id: 'x1.small', name: 'One X1', description: '' };
  expect(needOf(of(LLAMA), other)).toMatchObject({ usable: null, fits: null, concurrent: null });
  expect(needOf(of(LLAMA, { known: '' }), size(1))).toMatchObject({ cache: null, fits: false });
});

it('names what is wrong in each field', () => {
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
    const { ok, findings, variables } = analyseCompose(compose, {
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
