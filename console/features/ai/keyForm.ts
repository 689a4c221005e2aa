import type { AiKey, CreateAiKey } from '../../../generated/api/types.gen';

/** Form input as typed. */
export interface KeyValues {
  name: string;
  requests: string;
  tokens: string;
  /** Hours until it expires; empty for never. */
  hours: string;
}

export const EXPIRY = [
  { value: '', label: 'Never' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
  { value: '8760', label: '1 year' },
];

export const emptyKey: KeyValues = { name: '', requests: '', tokens: '', hours: '' };

export const valuesOf = (key: AiKey): KeyValues => ({
  name: key.name,
  requests: key.requests_per_minute?.toString() ?? '',
  tokens: key.tokens_per_minute?.toString() ?? '',
  hours: '',
});

/** Returns what is wrong with a limit, as typed. */
export function limitError(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || /^[1-9]\d{0,8}$/.test(trimmed)) return undefined;
  return 'Enter a whole number from 1, or leave it empty for no limit.';
}

const limitOf = (text: string) => (text.trim() === '' ? null : Number(text.trim()));

export const toPatch = ({ name, requests, tokens }: KeyValues) => ({
  name: name.trim(),
  requests_per_minute: limitOf(requests),
  tokens_per_minute: limitOf(tokens),
});

export const toCreate = (values: KeyValues): CreateAiKey => ({
  ...toPatch(values),
  expires_in_hours: limitOf(values.hours),
});
