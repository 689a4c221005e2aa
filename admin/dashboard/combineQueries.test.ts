import { expect, it, vi } from 'vitest';
import { combineQueries } from './combineQueries';

const query = (error: unknown, isLoading = false) => ({ error, isLoading, refetch: vi.fn() });

it('retries only what failed, not what the role may not read', () => {
  const [failed, loaded, refused] = [query(new Error('Unreachable')), query(null), query(null)];
  const { error, refetch } = combineQueries([loaded, failed, refused]);
  expect(error).toBe(failed.error);
  refetch();
  expect(failed.refetch).toHaveBeenCalledOnce();
  expect(loaded.refetch).not.toHaveBeenCalled();
  expect(refused.refetch).not.toHaveBeenCalled();
});

it('is loading while any query is', () => {
  expect(combineQueries([query(null), query(null, true)])).toMatchObject({ error: null, isLoading: true });
  expect(combineQueries([query(null)])).toMatchObject({ error: null, isLoading: false });
});
