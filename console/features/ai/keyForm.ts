import type { AiKey, CreateAiKey } from '../../../generated/api/types.gen';
import { parseMicros } from '../../lib/billing/money';
import { ownValue } from '../../lib/ownValue';
import { count } from '../../lib/texts/count';

/** Form input as typed, under the API's names. */
export interface KeyValues {
  name: string;
  /** IDs of the models it may use, separated by commas (which IDs never contain); empty for every model. */
  models: string;
  requests_per_minute: string;
  tokens_per_minute: string;
  /** US dollars; empty for no limit. */
  budget: string;
  budget_period: AiKey['budget_period'];
  /** Hours until it expires; empty for never. */
  expires_in_hours: string;
}

/** The editable fields of an existing key. */
export type KeyChange = Omit<KeyValues, 'expires_in_hours'>;

export const PERIODS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;

export const EXPIRY = [
  { value: '', label: 'Never' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
  { value: '8760', label: '1 year' },
];

/** The API's maximums. */
export const MAX_REQUESTS = 1_000_000;
export const MAX_TOKENS = 1_000_000_000;

const MAX_BUDGET_MICROS = 1_000_000_000_000;

export const emptyKey: KeyValues = {
  name: '',
  models: '',
  requests_per_minute: '',
  tokens_per_minute: '',
  budget: '',
  budget_period: 'month',
  expires_in_hours: '',
};

export const valuesOf = (key: AiKey): KeyChange => ({
  name: key.name,
  models: key.models?.join(',') ?? '',
  requests_per_minute: key.requests_per_minute?.toString() ?? '',
  tokens_per_minute: key.tokens_per_minute?.toString() ?? '',
  budget: key.budget ?? '',
  budget_period: key.budget_period,
});

/** Reads the changed fields from a 412 response. */
export function readChanged(changed: Readonly<Record<string, unknown>>, base: KeyChange): KeyChange {
  const texts = Object.keys(base)
    .filter((name) => Object.hasOwn(changed, name))
    .map((name) => [name, String(ownValue(changed, name) ?? '')]);
  return { ...base, ...Object.fromEntries(texts) };
}

/** Returns why a typed limit is invalid. */
export function limitError(text: string, most: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || (/^[1-9]\d*$/.test(trimmed) && Number(trimmed) <= most)) return undefined;
  return `Enter a whole number from 1 to ${count(most)}, or leave it empty for no limit.`;
}

/** Returns why a typed budget is invalid. */
export function budgetError(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const micros = /^\d+(\.\d{1,6})?$/.test(trimmed) ? parseMicros(trimmed) : null;
  if (micros !== null && micros > 0 && micros <= MAX_BUDGET_MICROS) return undefined;
  return 'Enter an amount above 0 and up to 1,000,000, such as 50.00, or leave it empty for no limit.';
}

const limitOf = (text: string) => (text.trim() === '' ? null : Number(text.trim()));

export const modelsOf = (text: string): string[] => (text === '' ? [] : text.split(','));

/** @param base the key as loaded: unchanged models aren't sent, because one may no longer be offered */
export const toPatch = (
  { name, models, requests_per_minute, tokens_per_minute, budget, budget_period }: KeyChange,
  base: Pick<KeyChange, 'models'>,
) => ({
  name: name.trim(),
  ...(models === base.models ? {} : { models: models === '' ? null : modelsOf(models) }),
  requests_per_minute: limitOf(requests_per_minute),
  tokens_per_minute: limitOf(tokens_per_minute),
  budget: budget.trim() === '' ? null : budget.trim(),
  budget_period,
});

export const toCreate = (values: KeyValues): CreateAiKey => ({
  ...toPatch(values, emptyKey),
  expires_in_hours: limitOf(values.expires_in_hours),
});
