import type { PublishCvmModelServer, PublishTeamAiModel } from '../../../../generated/api/types.gen';
import { chosenOf, INPUTS } from '../../../lib/ai/modalities';
import { KNOWN_MODELS } from '../../../lib/ai/modelPlan';
import { MAX_CONTEXT_TOKENS } from '../../../lib/ai/modelLimits';
import type { ServedModel } from '../../../lib/ai/servedModel';
import { count } from '../../../lib/texts/count';

/** Form input as typed. */
export interface PublishValues {
  api_key: string;
  /** The `model` value in gateway requests. */
  model: string;
  name: string;
  context: string;
  /** What the model reads, separated by commas; empty if it isn't known. */
  input_modalities: string;
  /** US dollars per million tokens. */
  input_price: string;
  output_price: string;
}
export type PublishFaults = Partial<Record<keyof PublishValues, string>>;

/** Whether the model is one of the deploy form's, which all read only text. */
const isKnown = (source: string | null): boolean =>
  KNOWN_MODELS.some(({ id }) => source === id || source?.startsWith(`${id}:`) === true);

export const startValues = ({ served_name, source, context }: ServedModel): PublishValues => ({
  api_key: '',
  model: served_name,
  name: served_name,
  context: context === null ? '' : String(context),
  input_modalities: isKnown(source) ? 'text' : '',
  input_price: '',
  output_price: '',
});

export type CommonValues = Pick<PublishValues, 'api_key' | 'name' | 'context' | 'input_modalities'>;

/** Checks the fields common to every offer. */
function commonFaults(values: CommonValues): Partial<Record<keyof CommonValues, string>> {
  const faults: Partial<Record<keyof CommonValues, string>> = {};
  if (!/^[\x21-\x7e]+$/.test(values.api_key)) faults.api_key = 'Enter the value of MODEL_API_KEY.';
  if (values.name.trim() === '') faults.name = 'Enter a name.';
  if (!/^[1-9]\d*$/.test(values.context) || Number(values.context) > MAX_CONTEXT_TOKENS)
    faults.context = `Enter a whole number of tokens from 1 to ${count(MAX_CONTEXT_TOKENS)}.`;
  return faults;
}

/** The same checks as the server's. */
export function publishFaults(values: PublishValues): PublishFaults {
  const faults: PublishFaults = commonFaults(values);
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/-]{1,199}$/.test(values.model))
    faults.model = 'Enter 2 to 200 letters, digits and . _ : / -, starting with a letter or digit.';
  for (const price of ['input_price', 'output_price'] as const)
    if (!/^\d{1,3}(\.\d{1,6})?$/.test(values[price])) faults[price] = 'Enter an amount, such as 0.20 or 0.';
  return faults;
}

export const toPublish = (
  { api_key, model, name, context, input_modalities, input_price, output_price }: PublishValues,
  { port, served_name }: Pick<ServedModel, 'port' | 'served_name'>,
): PublishCvmModelServer => ({
  port,
  served_name,
  api_key,
  model,
  name: name.trim(),
  context_length: Number(context),
  input_modalities: chosenOf(INPUTS, input_modalities),
  input_price,
  output_price,
});

/** Form input as typed, for the team's own keys. */
export interface TeamPublishValues extends CommonValues {
  /** The part of the model ID after the team's slug. */
  short_name: string;
}
export type TeamPublishFaults = Partial<Record<keyof TeamPublishValues, string>>;

const MAX_SHORT_NAME = 100;

export const startTeamValues = (model: ServedModel): TeamPublishValues => {
  const { api_key, name, context, input_modalities } = startValues(model);
  const short_name = (model.served_name.split('/').at(-1) ?? '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_SHORT_NAME);
  return { api_key, name, context, input_modalities, short_name };
};

/** The same checks as the server's. */
export function teamPublishFaults(values: TeamPublishValues): TeamPublishFaults {
  const faults: TeamPublishFaults = commonFaults(values);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(values.short_name))
    faults.short_name = 'Enter up to 100 letters, digits and . _ -, starting with a letter or digit.';
  return faults;
}

export const toTeamPublish = (
  { api_key, short_name, name, context, input_modalities }: TeamPublishValues,
  { port, served_name }: Pick<ServedModel, 'port' | 'served_name'>,
): PublishTeamAiModel => ({
  port,
  served_name,
  api_key,
  short_name,
  name: name.trim(),
  context_length: Number(context),
  input_modalities: chosenOf(INPUTS, input_modalities),
});
