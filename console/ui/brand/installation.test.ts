import { afterEach, expect, test, vi } from 'vitest';
import { brandFileName } from './installation';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['', 'teehouse'],
  ['Acme & Sons', 'acme-sons'],
  ['Café 9', 'cafe-9'],
  ['茶', 'console'],
])('files of %j start with %s', (brand, start) => {
  vi.stubGlobal('document', { documentElement: { dataset: { brand } } });
  expect(brandFileName()).toBe(start);
});
