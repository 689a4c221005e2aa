import { expect, it } from 'vitest';
import { zAiKeyPatch } from '../../../generated/api/zod.gen';
import { limitError, MOST_REQUESTS, MOST_TOKENS, readChanged, toPatch } from './keyForm';

const patch = (requests_per_minute: number, tokens_per_minute: number) =>
  toPatch({
    name: 'Bot',
    requests_per_minute: String(requests_per_minute),
    tokens_per_minute: String(tokens_per_minute),
  });

it('accepts exactly the limits that the API accepts', () => {
  expect(zAiKeyPatch.safeParse(patch(MOST_REQUESTS, MOST_TOKENS)).success).toBe(true);
  expect(zAiKeyPatch.safeParse(patch(MOST_REQUESTS + 1, 1)).success).toBe(false);
  expect(zAiKeyPatch.safeParse(patch(1, MOST_TOKENS + 1)).success).toBe(false);
  expect(limitError(String(MOST_REQUESTS), MOST_REQUESTS)).toBeUndefined();
  for (const wrong of [String(MOST_REQUESTS + 1), '0', '-1', '1.5', 'ten'])
    expect(limitError(wrong, MOST_REQUESTS)).toContain('from 1 to 1,000,000');
});

it('reads a limit that someone else removed as an empty field', () => {
  const base = { name: 'Bot', requests_per_minute: '60', tokens_per_minute: '' };
  expect(readChanged({ requests_per_minute: null, etag: 'x' }, base)).toEqual({
    ...base,
    requests_per_minute: '',
  });
});
