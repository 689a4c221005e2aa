import { useCallback, useRef } from 'react';
import { newIdempotencyKey } from '../lib/idempotencyKey';

/** Returns one idempotency key per set of values: retries reuse it, changed values get a new one. */
export function useIdempotencyKey(): (body: unknown) => { 'Idempotency-Key': string } {
  const last = useRef<{ values: string; key: string }>(undefined);
  return useCallback((body) => {
    const values = JSON.stringify(body);
    if (last.current?.values !== values) last.current = { values, key: newIdempotencyKey() };
    return { 'Idempotency-Key': last.current.key };
  }, []);
}
