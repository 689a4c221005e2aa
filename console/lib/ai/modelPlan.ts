import { Document } from 'yaml';

/** Compose files for open models on GPUs, and whether a model fits into a GPU's memory. */

export interface KnownModel {
  /** On Hugging Face. */
  id: string;
  name: string;
  /** Billions. */
  parameters: number;
  /** Tokens it was trained for. */
  context: number;
  /** Layers × key and value heads × width of a head: what the cache of one token is made of. */
  cache: { layers: number; heads: number; width: number };
  /** Whether Hugging Face asks for an accepted license and a token. */
  is_gated: boolean;
}

/** From the models' published configurations. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    id: 'Qwen/Qwen3-8B',
    name: 'Qwen3 8B',
    parameters: 8.2,
    context: 40_960,
    cache: { layers: 36, heads: 8, width: 128 },
    is_gated: false,
  },
  {
    id: 'Qwen/Qwen3-32B',
    name: 'Qwen3 32B',
    parameters: 32.8,
    context: 40_960,
    cache: { layers: 64, heads: 8, width: 128 },
    is_gated: false,
  },
  {
    id: 'meta-llama/Llama-3.1-8B-Instruct',
    name: 'Llama 3.1 8B Instruct',
    parameters: 8,
    context: 131_072,
    cache: { layers: 32, heads: 8, width: 128 },
    is_gated: true,
  },
  {
    id: 'meta-llama/Llama-3.3-70B-Instruct',
    name: 'Llama 3.3 70B Instruct',
    parameters: 70.6,
    context: 131_072,
    cache: { layers: 80, heads: 8, width: 128 },
    is_gated: true,
  },
  {
    id: 'mistralai/Mistral-7B-Instruct-v0.3',
    name: 'Mistral 7B Instruct v0.3',
    parameters: 7.2,
    context: 32_768,
    cache: { layers: 32, heads: 8, width: 128 },
    is_gated: false,
  },
];

/** Bits per weight that the engine loads the model with. */
export const PRECISIONS = {
  bf16: { label: 'As published (16 bits)', bits: 16 },
  fp8: { label: 'FP8, quantized while loading', bits: 8 },
} as const;
export type Precision = keyof typeof PRECISIONS;

export const ENGINES = {
  vllm: { label: 'vLLM', image: 'vllm/vllm-openai', port: 8000 },
  sglang: { label: 'SGLang', image: 'lmsysorg/sglang', port: 30_000 },
} as const;
export type Engine = keyof typeof ENGINES;

const GB = 1e9;
/** Share of a GPU's memory that the engine may use; the rest is the driver's and the engine's own. */
const USABLE = 0.9;
/** Bytes of a value in the cache: 16 bits, whatever the weights have. */
const CACHE_BYTES = 2;

/** Memory of a GPU in GB by words in its name; null for others. */
export function gpuMemory(name: string): number | null {
  const known: readonly [RegExp, number][] = [
    [/\bB300\b/i, 288],
    [/\bB200\b/i, 180],
    [/\bH200\b/i, 141],
    [/\bH100\b/i, 80],
  ];
  return known.find(([word]) => word.test(name))?.[1] ?? null;
}

export interface MemoryNeed {
  /** GB, each. */
  weights: number;
  /** Of one request that fills the context; null for a model whose shape isn't known. */
  cache: number | null;
  usable: number | null;
  /** Requests of full length at a time; null if unknown. */
  concurrent: number | null;
  fits: boolean | null;
}

interface Shape {
  parameters: number;
  cache: KnownModel['cache'] | null;
  precision: Precision;
  /** Tokens. */
  context: number;
}

/** @param gpus how many share the model, and the GB of each; null if unknown */
export function memoryNeed(
  { parameters, cache, precision, context }: Shape,
  gpus: { count: number; memory: number | null },
): MemoryNeed {
  const weights = (parameters * PRECISIONS[precision].bits) / 8;
  const perToken = cache && 2 * cache.layers * cache.heads * cache.width * CACHE_BYTES;
  const full = perToken === null ? null : (perToken * context) / GB;
  const usable = gpus.memory === null ? null : gpus.count * gpus.memory * USABLE;
  const left = usable === null ? null : usable - weights;
  const concurrent = left === null || full === null ? null : Math.max(0, Math.floor(left / full));
  return {
    weights,
    cache: full,
    usable,
    concurrent,
    fits: left === null ? null : left > (full ?? 0),
  };
}

export interface ModelDeployment {
  /** On Hugging Face. */
  model: string;
  /** `model` of requests. */
  served_name: string;
  engine: Engine;
  /** With its digest. */
  image: string;
  gpus: number;
  context: number;
  precision: Precision;
  needs_token: boolean;
}

/** Returns the Compose file that serves a model behind a key. */
export function modelCompose(plan: ModelDeployment): string {
  const { port } = ENGINES[plan.engine];
  const file = new Document({
    services: {
      model: {
        image: plan.image,
        restart: 'unless-stopped',
        command: plan.engine === 'vllm' ? vllm(plan) : sglang(plan),
        environment: {
          MODEL_API_KEY: '${MODEL_API_KEY}',
          ...(plan.needs_token ? { HF_TOKEN: '${HF_TOKEN}' } : {}),
        },
        ports: [`${port}:${port}`],
        shm_size: '16gb',
        volumes: ['weights:/root/.cache/huggingface'],
        deploy: {
          resources: {
            reservations: {
              devices: [{ driver: 'nvidia', count: plan.gpus, capabilities: ['gpu'] }],
            },
          },
        },
        healthcheck: {
          test: ['CMD', 'curl', '-sf', `http://localhost:${port}/health`],
          interval: '10s',
          // Weights are downloaded and loaded first.
          start_period: '1800s',
        },
      },
    },
    volumes: { weights: {} },
  });
  return file.toString({ lineWidth: 0 });
}

const vllm = ({ model, served_name, gpus, context, precision }: ModelDeployment): string[] => [
  '--model',
  model,
  '--served-model-name',
  served_name,
  '--max-model-len',
  String(context),
  '--tensor-parallel-size',
  String(gpus),
  '--gpu-memory-utilization',
  String(USABLE),
  ...(precision === 'fp8' ? ['--quantization', 'fp8'] : []),
  '--api-key',
  '${MODEL_API_KEY}',
];

const sglang = ({ model, served_name, gpus, context, precision }: ModelDeployment): string[] => [
  'python3',
  '-m',
  'sglang.launch_server',
  '--model-path',
  model,
  '--served-model-name',
  served_name,
  '--context-length',
  String(context),
  '--tp',
  String(gpus),
  '--mem-fraction-static',
  String(USABLE),
  ...(precision === 'fp8' ? ['--quantization', 'fp8'] : []),
  '--host',
  '0.0.0.0',
  '--port',
  String(ENGINES.sglang.port),
  '--api-key',
  '${MODEL_API_KEY}',
];
