import { afterEach, expect, it, vi } from 'vitest';
import { newIdempotencyKey } from './idempotencyKey';

afterEach(() => vi.unstubAllGlobals());

it('needs no secure context, because a page opened over plain HTTP has no crypto.randomUUID', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  });
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
});
