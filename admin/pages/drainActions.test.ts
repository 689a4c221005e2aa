import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { isOffered } from './action';

const teepod = (drain_id: number | null, state = 'draining') => ({ id: 1, name: 'rack1-a', state, drain_id });
const offered = (record: ReturnType<typeof teepod>) =>
  getResource('teepods')
    .actions.filter((action) => isOffered(action, record))
    .map(({ name }) => name);

it('offers to uncordon a drained teepod, but not during a drain', () => {
  expect(offered(teepod(3))).not.toContain('uncordon');
  expect(offered(teepod(null))).toContain('uncordon');
  expect(offered(teepod(null, 'cordoned'))).toContain('uncordon');
});
