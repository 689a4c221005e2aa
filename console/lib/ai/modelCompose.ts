import { Document } from 'yaml';
import { ENGINES, USABLE_GPU, type Engine, type Precision } from './modelPlan';

/** Builds Compose files that serve open models. */

export interface ModelDeployment {
  /** Name on Hugging Face. */
  model: string;
  /** The `model` value in requests. */
  served_name: string;
  engine: Engine;
  /** Includes the digest. */
  image: string;
  /** 0 for an engine that doesn't use GPUs. */
  gpus: number;
  context: number;
  precision: Precision;
  needs_token: boolean;
}

const COMMANDS: Readonly<Record<Engine, (plan: ModelDeployment) => string[]>> = { vllm, sglang, llamacpp };

/** Returns the Compose file that serves a model protected by an API key. */
export function modelCompose(plan: ModelDeployment): string {
  const { port, on } = ENGINES[plan.engine];
  const file = new Document({
    services: {
      model: {
        image: plan.image,
        restart: 'unless-stopped',
        command: COMMANDS[plan.engine](plan),
        environment: {
          MODEL_API_KEY: '${MODEL_API_KEY}',
          ...(plan.needs_token ? { HF_TOKEN: '${HF_TOKEN}' } : {}),
          ...(on === 'cpu' ? { LLAMA_CACHE: '/weights' } : {}),
        },
        ports: [`${port}:${port}`],
        volumes: [on === 'cpu' ? 'weights:/weights' : 'weights:/root/.cache/huggingface'],
        ...(on === 'cpu' ? {} : onGpus(plan.gpus)),
        healthcheck: {
          test: ['CMD', 'curl', '-sf', `http://localhost:${port}/health`],
          interval: '10s',
          // The weights must first be downloaded and loaded.
          start_period: '1800s',
        },
      },
    },
    volumes: { weights: {} },
  });
  return file.toString({ lineWidth: 0 });
}

const onGpus = (count: number) => ({
  shm_size: '16gb',
  deploy: {
    resources: { reservations: { devices: [{ driver: 'nvidia', count, capabilities: ['gpu'] }] } },
  },
});

function vllm({ model, served_name, gpus, context, precision }: ModelDeployment): string[] {
  return [
    '--model',
    model,
    '--served-model-name',
    served_name,
    '--max-model-len',
    String(context),
    '--tensor-parallel-size',
    String(gpus),
    '--gpu-memory-utilization',
    String(USABLE_GPU),
    ...(precision === 'fp8' ? ['--quantization', 'fp8'] : []),
    '--api-key',
    '${MODEL_API_KEY}',
  ];
}

function sglang({ model, served_name, gpus, context, precision }: ModelDeployment): string[] {
  return [
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
    String(USABLE_GPU),
    ...(precision === 'fp8' ? ['--quantization', 'fp8'] : []),
    '--host',
    '0.0.0.0',
    '--port',
    String(ENGINES.sglang.port),
    '--api-key',
    '${MODEL_API_KEY}',
  ];
}

/** A single request at a time gets the whole context. */
function llamacpp({ model, served_name, context, precision }: ModelDeployment): string[] {
  return [
    '--hf-repo',
    `${model}:${precision.toUpperCase()}`,
    '--alias',
    served_name,
    '--ctx-size',
    String(context),
    '--parallel',
    '1',
    '--host',
    '0.0.0.0',
    '--port',
    String(ENGINES.llamacpp.port),
    '--api-key',
    '${MODEL_API_KEY}',
  ];
}
