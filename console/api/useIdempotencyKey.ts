import { useCallback, useRef } from 'react';
import { newIdempotencyKey } from './client';

/** One key for one set of values: pressing again after a lost answer does nothing twice, changed values are a new request. */
export function useIdempotencyKey(): (body: unknown) => { 'Idempotency-Key': string } {
  const last = useRef<{ values: string; key: string }>(undefined);
  return useCallback((body) => {
    const values = JSON.stringify(body);
    if (last.current?.values !== values) last.current = { values, key: newIdempotencyKey() };
    return { 'Idempotency-Key': last.current.key };
  }, []);
}
