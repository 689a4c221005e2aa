import type { ChatSettings } from '../../../lib/ai/chatSettings';
import { limitError } from '../keyForm';

/** How a model chooses its words, as typed. Empty: the model server's default. */
export interface SamplingValues {
  max_tokens: string;
  temperature: string;
  top_p: string;
  /** One sequence per line. */
  stop: string;
  seed: string;
}
export type SamplingFaults = Partial<Record<keyof SamplingValues, string>>;

export const DEFAULT_SAMPLING: SamplingValues = {
  max_tokens: '',
  temperature: '',
  top_p: '',
  stop: '',
  seed: '',
};

/** The API's maximums. */
const MAX_TEMPERATURE = 2;
const MAX_TOP_P = 1;
const MAX_STOPS = 4;

/** Returns a typed decimal; null for none, and for anything invalid. */
function readDecimal(typed: string, most: number): number | null {
  const text = typed.trim();
  return /^\d(\.\d{1,4})?$/.test(text) && Number(text) <= most ? Number(text) : null;
}

function readSeed(typed: string): number | null {
  const text = typed.trim();
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/** Spaces count, so that lines aren't trimmed. `\n` stands for a line break, and `\\` for a backslash. */
const readStops = (typed: string): string[] =>
  typed
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.replace(/\\([n\\])/g, (_, sign) => (sign === 'n' ? '\n' : '\\')));

/** @param context maximum answer tokens */
export function samplingFaults(values: SamplingValues, context: number): SamplingFaults {
  const faults: SamplingFaults = {};
  const isSet = (name: keyof SamplingValues) => values[name].trim() !== '';
  const most = limitError(values.max_tokens, context);
  if (most) faults.max_tokens = most;
  if (isSet('temperature') && readDecimal(values.temperature, MAX_TEMPERATURE) === null)
    faults.temperature = `Enter a number from 0 to ${MAX_TEMPERATURE}, such as 0.7.`;
  if (isSet('top_p') && readDecimal(values.top_p, MAX_TOP_P) === null)
    faults.top_p = `Enter a number from 0 to ${MAX_TOP_P}, such as 0.9.`;
  if (readStops(values.stop).length > MAX_STOPS)
    faults.stop = `Enter up to ${MAX_STOPS} sequences, one per line.`;
  if (isSet('seed') && readSeed(values.seed) === null)
    faults.seed = 'Enter a whole number with up to 15 digits.';
  return faults;
}

/** Returns the settings that were entered and are valid. */
export function readSampling(values: SamplingValues): ChatSettings {
  const most = values.max_tokens.trim();
  const given = {
    max_tokens: /^[1-9]\d*$/.test(most) ? Number(most) : null,
    temperature: readDecimal(values.temperature, MAX_TEMPERATURE),
    top_p: readDecimal(values.top_p, MAX_TOP_P),
    seed: readSeed(values.seed),
  };
  const stop = readStops(values.stop).slice(0, MAX_STOPS);
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    ...(stop.length > 0 ? { stop } : {}),
  };
}
