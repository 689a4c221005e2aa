import { expect, it } from 'vitest';
import { upstreamName } from './upstreamName';

const id = `app_${'3F'.repeat(20)}`;

it('names an upstream after its app and port, as the API accepts names', () => {
  expect(upstreamName('Model Qwen3 8B!', id, 8000)).toBe('model-qwen3-8b-3f3f3f3f-8000');
  expect(upstreamName('模型', id, 8000)).toBe('model-3f3f3f3f-8000');
  expect(upstreamName('qwen', id, 8000, '-team')).toBe('qwen-3f3f3f3f-8000-team');
  const long = upstreamName(`${'a'.repeat(42)}-b`, id, 65_535, '-team');
  expect(long).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(long.length).toBeLessThanOrEqual(64);
});
