import { expect, it } from 'vitest';
import { readTemperature, temperatureError } from './temperature';

it('reads numbers from 0 to 2', () => {
  expect(['0', '0.7', ' 2 ', '1.125'].map(readTemperature)).toEqual([0, 0.7, 2, 1.125]);
  expect(['0', '0.7', ' 2 ', ''].map(temperatureError)).toEqual([undefined, undefined, undefined, undefined]);
});

it('refuses anything else, which is never sent', () => {
  for (const typed of ['2.1', '-1', '1e0', 'warm', '0,7', '.5']) {
    expect(readTemperature(typed)).toBeNull();
    expect(temperatureError(typed), typed).toContain('from 0 to 2');
  }
  expect(readTemperature('')).toBeNull();
});
