import { expect, it } from 'vitest';
import { zAiKeyPatch } from '../../../generated/api/zod.gen';
import { budgetError, emptyKey, limitError, MAX_REQUESTS, MAX_TOKENS, readChanged, toPatch } from './keyForm';

const patch = (requests_per_minute: number, tokens_per_minute: number) =>
  toPatch(
    {
      ...emptyKey,
      name: 'Bot',
      requests_per_minute: String(requests_per_minute),
      tokens_per_minute: String(tokens_per_minute),
    },
    emptyKey,
  );

it('accepts exactly the limits that the API accepts', () => {
  expect(zAiKeyPatch.safeParse(patch(MAX_REQUESTS, MAX_TOKENS)).success).toBe(true);
  expect(zAiKeyPatch.safeParse(patch(MAX_REQUESTS + 1, 1)).success).toBe(false);
  expect(zAiKeyPatch.safeParse(patch(1, MAX_TOKENS + 1)).success).toBe(false);
  expect(limitError(String(MAX_REQUESTS), MAX_REQUESTS)).toBeUndefined();
  for (const wrong of [String(MAX_REQUESTS + 1), '0', '-1', '1.5', 'ten'])
    expect(limitError(wrong, MAX_REQUESTS)).toContain('from 1 to 1,000,000');
});

it('accepts the budgets that the API accepts', () => {
  for (const [text, isAccepted] of [
    ['', true],
    ['0.01', true],
    ['50', true],
    ['1000000', true],
    ['1000000.01', false],
    ['0', false],
    ['-5', false],
    ['5,00', false],
    ['1e3', false],
    ['+5', false],
    ['5.0000000', false],
  ] as const) {
    expect([text, budgetError(text) === undefined]).toEqual([text, isAccepted]);
    // The server also checks the amount's bounds; the schema covers only its format.
    if (isAccepted && text !== '') expect(zAiKeyPatch.safeParse({ budget: text }).success).toBe(true);
  }
});

it('reads a limit that another member removed as an empty field', () => {
  const base = {
    name: 'Bot',
    models: '',
    requests_per_minute: '60',
    tokens_per_minute: '',
    budget: '',
    budget_period: 'month' as const,
  };
  expect(readChanged({ requests_per_minute: null, etag: 'x' }, base)).toEqual({
    ...base,
    requests_per_minute: '',
  });
});

it('sends a key’s models only if they changed', () => {
  const base = { ...emptyKey, name: 'Bot', models: 'acme/qwen3,acme/gone' };
  // A model that is no longer offered would be refused.
  expect(toPatch(base, base)).not.toHaveProperty('models');
  expect(toPatch({ ...base, models: 'acme/qwen3' }, base).models).toEqual(['acme/qwen3']);
  expect(toPatch({ ...base, models: '' }, base).models).toBeNull();
  expect(readChanged({ models: ['acme/qwen3', 'teehouse/echo'] }, base).models).toBe(
    'acme/qwen3,teehouse/echo',
  );
});
