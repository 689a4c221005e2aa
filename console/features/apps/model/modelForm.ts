import {
  ENGINES,
  KNOWN_MODELS,
  memoryNeed,
  PRECISIONS,
  usableMemory,
  type Engine,
  type KnownModel,
  type MemoryNeed,
  type Precision,
  type Processor,
} from '../../../lib/ai/modelPlan';
import { modelCompose } from '../../../lib/ai/modelCompose';
import { parseMicros } from '../../../lib/billing/money';
import { moreDiskMicros } from '../../../lib/billing/spend';
import { slugify } from '../../../lib/ids';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { deletionFault, neverDeleted, type DeletionForm } from '../deletion/deletion';
import { randomText } from '../../../lib/secrets/randomText';
import type { Start } from '../launch/search';
import { count } from '../../../lib/texts/count';

/** Form input as typed. */
export interface ModelValues extends DeletionForm {
  /** ID of a known model; empty for any other. */
  known: string;
  model: string;
  /** Billions. */
  parameters: string;
  context: string;
  served_name: string;
  engine: Engine;
  image: string;
  precision: Precision;
  /** Instance type. */
  size: string;
  /** Whether Hugging Face requires a token. */
  needs_token: boolean;
}

export type ModelFaults = Partial<Record<keyof ModelValues, string>>;

/** Tokens; beyond this, a single request fills several GPUs. */
const MAX_CONTEXT = 10_000_000;

/** Default contexts, in tokens: what a size usually has memory for. */
const USUAL_CONTEXT = { gpu: 32_768, cpu: 4096 } as const;

type ModelChoice = Pick<
  ModelValues,
  'known' | 'model' | 'parameters' | 'context' | 'served_name' | 'needs_token' | 'precision'
>;

export const valuesFor = (known: KnownModel): ModelChoice => ({
  known: known.id,
  model: known.id,
  parameters: String(known.parameters),
  context: String(Math.min(known.context, USUAL_CONTEXT[known.on])),
  served_name: slugify(known.name),
  needs_token: known.is_gated,
  precision: known.precisions?.[0] ?? firstPrecision(known.on),
});

/** An unlisted model. */
export const otherModel = ({ engine }: Pick<ModelValues, 'engine'>): ModelChoice => ({
  known: '',
  model: '',
  parameters: '',
  context: String(USUAL_CONTEXT[ENGINES[engine].on]),
  served_name: '',
  needs_token: false,
  precision: firstPrecision(ENGINES[engine].on),
});

const PRECISION_IDS = Object.keys(PRECISIONS) as Precision[];
const precisionsOn = (on: Processor) => PRECISION_IDS.filter((id) => PRECISIONS[id].on === on);
const firstPrecision = (on: Processor): Precision => precisionsOn(on)[0] ?? 'bf16';

/** Returns the precisions that the engine loads and the model has. */
export const precisionsOf = (values: Pick<ModelValues, 'engine' | 'known'>): readonly Precision[] =>
  knownOf(values)?.precisions ?? precisionsOn(ENGINES[values.engine].on);

/** Returns the models listed for an engine. */
export const modelsFor = (engine: Engine): readonly KnownModel[] =>
  KNOWN_MODELS.filter(({ on }) => on === ENGINES[engine].on);

/** Returns the sizes that an engine runs on. */
export const sizesFor = (engine: Engine, sizes: readonly InstanceType[]): readonly InstanceType[] =>
  sizes.filter(({ requires_gpu }) => requires_gpu === (ENGINES[engine].on === 'gpu'));

/** Returns the engines that a size is offered for. */
export const enginesFor = (sizes: readonly InstanceType[]): readonly Engine[] =>
  (Object.keys(ENGINES) as Engine[]).filter((engine) => sizesFor(engine, sizes).length > 0);

/** Returns the form values after a change of engine: a model and a size that it can run. */
export function withEngine(values: ModelValues, engine: Engine, sizes: readonly InstanceType[]): ModelValues {
  if (ENGINES[engine].on === ENGINES[values.engine].on) return { ...values, engine };
  const [model] = modelsFor(engine);
  return {
    ...values,
    engine,
    image: '',
    ...(model ? valuesFor(model) : otherModel({ engine })),
    size: sizesFor(engine, sizes)[0]?.id ?? '',
  };
}

/** Returns the initial form values. */
export function newModel(sizes: readonly InstanceType[]): ModelValues {
  const [engine = 'vllm'] = enginesFor(sizes);
  const [model] = modelsFor(engine);
  return {
    ...neverDeleted,
    engine,
    image: '',
    ...(model ? valuesFor(model) : otherModel({ engine })),
    size: sizesFor(engine, sizes)[0]?.id ?? '',
  };
}

const knownOf = ({ known }: Pick<ModelValues, 'known'>): KnownModel | undefined =>
  KNOWN_MODELS.find(({ id }) => id === known);

/** Returns the memory the model needs on a size; null if a number is missing. */
export function needOf(values: ModelValues, size: InstanceType | undefined): MemoryNeed | null {
  const [parameters, context] = [Number(values.parameters), Number(values.context)];
  if (!(parameters > 0) || !(context > 0) || !size) return null;
  return memoryNeed(
    {
      parameters,
      context,
      engine: values.engine,
      precision: values.precision,
      cache: knownOf(values)?.cache ?? null,
    },
    usableMemory(ENGINES[values.engine].on, size),
  );
}

export function modelFaults(values: ModelValues, need: MemoryNeed | null): ModelFaults {
  const faults: ModelFaults = {};
  if (!/^[\w.-]{1,96}\/[\w.-]{1,96}$/.test(values.model))
    faults.model = `Enter the Hugging Face ID, such as ${exampleOf(values.engine)}.`;
  if (!/^\d{1,4}(?:\.\d{1,3})?$/.test(values.parameters) || Number(values.parameters) === 0)
    faults.parameters = 'Enter a number, such as 8 or 70.6.';
  const context = knownOf(values)?.context ?? MAX_CONTEXT;
  if (!/^[1-9]\d*$/.test(values.context) || Number(values.context) > context)
    faults.context = `Enter a whole number of tokens from 1 to ${count(context)}.`;
  if (!/^[\w./:-]{1,100}$/.test(values.served_name))
    faults.served_name = 'Enter up to 100 letters, digits and . / : - _.';
  const repository = ENGINES[values.engine].image;
  if (!/^\S+@sha256:[0-9a-f]{64}$/.test(values.image))
    faults.image = `Enter an image with its digest, such as ${repository}@sha256:….`;
  if (values.size === '') faults.size = 'Choose a size.';
  else if (need?.fits === false && need.usable !== null) faults.size = tooSmall(values, need, need.usable);
  const deletion = deletionFault(values);
  if (deletion !== null) faults.delete_at = deletion;
  return faults;
}

function tooSmall({ engine }: ModelValues, need: MemoryNeed, usable: number): string {
  const has = `this size has ${gb(usable)}`;
  const { label, on } = ENGINES[engine];
  const total = need.weights + (need.cache ?? 0);
  if (need.loading > total)
    return `${label} loads the weights as published before it quantizes them, which needs ${gb(need.loading)}; ${has}. Choose more GPUs or ${ENGINES.vllm.label}.`;
  return `The model needs ${gb(total)} for its weights and one full-length request; ${has}. ${on === 'gpu' ? 'Choose more GPUs, FP8' : 'Choose a larger size, fewer bits'} or a shorter context.`;
}

/** An example of a model that the engine serves. */
export const exampleOf = (engine: Engine): string => modelsFor(engine)[0]?.id ?? 'Qwen/Qwen3-8B';

export const gb = (value: number): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })} GB`;

/** Returns the Compose file that serves the model on a size. */
export function composeOf(values: ModelValues, size: InstanceType): string {
  const { model, served_name, engine, image, context, precision, needs_token } = values;
  return modelCompose({
    model,
    served_name,
    engine,
    image,
    precision,
    needs_token,
    gpus: size.gpu_count,
    context: Number(context),
  });
}

/** GB: the downloaded files plus room for the engine. GPUs load other precisions from the same 16-bit files. */
const diskOf = (
  { parameters, engine, precision }: ModelValues,
  { default_disk_size_gb }: InstanceType,
): number => {
  const billions = Number(parameters) || 0;
  const needed =
    ENGINES[engine].on === 'gpu' ? billions * 2 + 60 : (billions * PRECISIONS[precision].bits) / 8 + 10;
  return Math.max(default_disk_size_gb, Math.ceil(needed));
};

/** Returns the hourly rate of a size with the disk the model needs, in micro-dollars. */
export const modelRate = (values: ModelValues, size: InstanceType): number =>
  (parseMicros(size.hourly_rate) ?? 0) + moreDiskMicros(diskOf(values, size), size.default_disk_size_gb);

/** Returns the deploy form's initial values. Generates the API key that clients send. */
export function startOf(values: ModelValues, size: InstanceType): Start {
  const { served_name, needs_token, delete_after, delete_at } = values;
  return {
    name: modelAppName(served_name),
    compose: composeOf(values, size),
    size: size.id,
    disk_gb: String(diskOf(values, size)),
    delete_after,
    delete_at,
    secrets: [
      { key: 'MODEL_API_KEY', value: randomText(40), generated: true },
      ...(needs_token ? [{ key: 'HF_TOKEN', value: '' }] : []),
    ],
  };
}

/** A CVM's name starts with a letter and has at least five characters. */
const modelAppName = (served_name: string) => `model-${slugify(served_name)}`.slice(0, 60).replace(/-+$/, '');
