import { expect, test } from 'vitest';
import { sizeForTemplate, wholly } from './template';

const size = (id: string, memory_mb: number, rate: number, gpu_count = 0) => ({
  id,
  vcpu: 2,
  memory_mb,
  rate,
  gpu_count,
});
const SIZES = [
  size('small', 1024, 5),
  size('large', 8192, 20),
  size('medium', 4096, 10),
  size('gpu', 65_536, 300, 1),
];
const chosen = (vcpu: number, memory_mb: number, needs: ('gpu' | 'guest_agent')[] = []) =>
  sizeForTemplate({ resources: { vcpu, memory_mb, disk_gb: 10 }, needs }, SIZES, ({ rate }) => rate)?.id;

test('chooses the cheapest size that fits', () => {
  expect(chosen(1, 2048)).toBe('medium');
  expect(chosen(1, 2048, ['guest_agent'])).toBe('medium');
  expect(chosen(4, 2048)).toBeUndefined();
});

test('chooses a GPU size exactly if the template needs one', () => {
  expect(chosen(1, 2048, ['gpu'])).toBe('gpu');
  expect(chosen(1, 16_384)).toBeUndefined();
});

test('matches a pattern against the whole value', () => {
  expect(wholly('a|b').test('b')).toBe(true);
  expect(wholly('a|b').test('ab')).toBe(false);
  expect(() => wholly('(')).toThrow(SyntaxError);
});
