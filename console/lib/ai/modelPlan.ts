/** Open models, the engines that serve them, and whether a model fits in a size's memory. */

/** The hardware an engine computes on. */
export type Processor = 'gpu' | 'cpu';

export interface KnownModel {
  /** Name on Hugging Face. For CPUs, a repository with GGUF files. */
  id: string;
  name: string;
  on: Processor;
  /** Billions. */
  parameters: number;
  /** Context length it was trained for, in tokens. */
  context: number;
  /** Layers × key-value heads × head width: the cache entry of one token. */
  cache: { layers: number; heads: number; width: number };
  /** Whether Hugging Face requires accepting a license and a token. */
  is_gated: boolean;
  /** The published precisions, if not all that its engines load. */
  precisions?: readonly Precision[];
}

/** Values from the models' published configurations. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    id: 'Qwen/Qwen3-8B',
    name: 'Qwen3 8B',
    on: 'gpu',
    parameters: 8.2,
    context: 40_960,
    cache: { layers: 36, heads: 8, width: 128 },
    is_gated: false,
  },
  {
    id: 'Qwen/Qwen3-32B',
    name: 'Qwen3 32B',
    on: 'gpu',
    parameters: 32.8,
    context: 40_960,
    cache: { layers: 64, heads: 8, width: 128 },
    is_gated: false,
  },
  {
    id: 'meta-llama/Llama-3.1-8B-Instruct',
    name: 'Llama 3.1 8B Instruct',
    on: 'gpu',
    parameters: 8,
    context: 131_072,
    cache: { layers: 32, heads: 8, width: 128 },
    is_gated: true,
  },
  {
    id: 'meta-llama/Llama-3.3-70B-Instruct',
    name: 'Llama 3.3 70B Instruct',
    on: 'gpu',
    parameters: 70.6,
    context: 131_072,
    cache: { layers: 80, heads: 8, width: 128 },
    is_gated: true,
  },
  {
    id: 'mistralai/Mistral-7B-Instruct-v0.3',
    name: 'Mistral 7B Instruct v0.3',
    on: 'gpu',
    parameters: 7.2,
    context: 32_768,
    cache: { layers: 32, heads: 8, width: 128 },
    is_gated: false,
  },
  {
    id: 'Qwen/Qwen3-0.6B-GGUF',
    name: 'Qwen3 0.6B',
    on: 'cpu',
    parameters: 0.6,
    context: 40_960,
    cache: { layers: 28, heads: 8, width: 128 },
    is_gated: false,
    precisions: ['q8_0'],
  },
  {
    id: 'Qwen/Qwen3-4B-GGUF',
    name: 'Qwen3 4B',
    on: 'cpu',
    parameters: 4,
    context: 40_960,
    cache: { layers: 36, heads: 8, width: 128 },
    is_gated: false,
  },
];

/** Bits per weight as loaded by an engine. */
export const PRECISIONS = {
  bf16: { label: 'As published (16 bits)', on: 'gpu', bits: 16 },
  fp8: { label: 'FP8, quantized while loading', on: 'gpu', bits: 8 },
  // Includes the scale of each block of weights.
  q8_0: { label: '8 bits (Q8_0)', on: 'cpu', bits: 8.5 },
  q4_k_m: { label: '4 bits (Q4_K_M)', on: 'cpu', bits: 4.85 },
} as const;
export type Precision = keyof typeof PRECISIONS;

/** `loads`: whether it quantizes weights as they arrive, or first loads all of them as published. */
export const ENGINES = {
  vllm: { label: 'vLLM', on: 'gpu', image: 'vllm/vllm-openai', port: 8000, loads: 'quantized' },
  sglang: { label: 'SGLang', on: 'gpu', image: 'lmsysorg/sglang', port: 30_000, loads: 'published' },
  llamacpp: {
    label: 'llama.cpp, without a GPU',
    on: 'cpu',
    image: 'ghcr.io/ggml-org/llama.cpp',
    port: 8080,
    loads: 'quantized',
  },
} as const;
export type Engine = keyof typeof ENGINES;

const GB = 1e9;
/** Share of a GPU's memory available to the engine; the rest is used by the driver and the engine itself. */
export const USABLE_GPU = 0.9;
/** Share of a CVM's memory; the guest needs the rest. */
const USABLE_RAM = 0.8;
const MIB = 2 ** 20;
/** Bytes per cached value: 16 bits, regardless of the weights. */
const CACHE_BYTES = 2;

/** Returns a GPU's memory in GB, by words in its name; null if unknown. */
function gpuMemory(name: string): number | null {
  const known: readonly [RegExp, number][] = [
    [/\bB300\b/i, 288],
    [/\bB200\b/i, 180],
    [/\bH200\b/i, 141],
    [/\bH100\b/i, 80],
  ];
  return known.find(([word]) => word.test(name))?.[1] ?? null;
}

export interface MemoryNeed {
  /** GB, for all memory fields. */
  weights: number;
  /** Weights while the engine starts. */
  loading: number;
  /** For one request that fills the context; null if the model's shape is unknown. */
  cache: number | null;
  usable: number | null;
  /** Maximum concurrent full-length requests; null if unknown. */
  concurrent: number | null;
  fits: boolean | null;
}

interface Shape {
  parameters: number;
  cache: KnownModel['cache'] | null;
  engine: Engine;
  precision: Precision;
  /** Tokens. */
  context: number;
}

/** Returns the GB an engine may use on a size; null if the GPU's memory is unknown. */
export function usableMemory(
  on: Processor,
  size: { gpu_count: number; memory_mb: number; id: string; name: string; description: string },
): number | null {
  if (on === 'cpu') return (size.memory_mb * MIB * USABLE_RAM) / GB;
  const each = gpuMemory(`${size.id} ${size.name} ${size.description}`.replaceAll(/[._-]/g, ' '));
  return each === null ? null : size.gpu_count * each * USABLE_GPU;
}

/** @param usable GB; null if unknown */
export function memoryNeed(
  { parameters, cache, engine, precision, context }: Shape,
  usable: number | null,
): MemoryNeed {
  const weightsIn = (as: Precision) => (parameters * PRECISIONS[as].bits) / 8;
  const weights = weightsIn(precision);
  const loading = ENGINES[engine].loads === 'published' ? weightsIn('bf16') : weights;
  const perToken = cache && 2 * cache.layers * cache.heads * cache.width * CACHE_BYTES;
  const full = perToken === null ? null : (perToken * context) / GB;
  const left = usable === null ? null : usable - weights;
  const concurrent = left === null || full === null ? null : Math.max(0, Math.floor(left / full));
  return {
    weights,
    loading,
    cache: full,
    usable,
    concurrent,
    fits: left === null || usable === null ? null : left > (full ?? 0) && loading < usable,
  };
}
