import { expect, it } from 'vitest';
import { DEFAULT_SAMPLING, readSampling, samplingFaults, type SamplingValues } from './sampling';

const typed = (change: Partial<SamplingValues>) => ({ ...DEFAULT_SAMPLING, ...change });
const faults = (change: Partial<SamplingValues>) => Object.keys(samplingFaults(typed(change), 8192));

it('sends only what was entered, zero included', () => {
  expect(readSampling(DEFAULT_SAMPLING)).toEqual({});
  expect(samplingFaults(DEFAULT_SAMPLING, 8192)).toEqual({});
  const all = { max_tokens: ' 20 ', temperature: '0', top_p: '0.95', seed: '-7', stop: 'END\n' };
  expect(readSampling(typed(all))).toEqual({
    max_tokens: 20,
    temperature: 0,
    top_p: 0.95,
    seed: -7,
    stop: ['END'],
  });
  expect(faults(all)).toEqual([]);
});

it('reads up to four stop sequences, with their spaces and line breaks', () => {
  expect(readSampling(typed({ stop: ' User:\n\n\\n\\n\nC:\\\\n' })).stop).toEqual([
    ' User:',
    '\n\n',
    'C:\\n',
  ]);
  expect(faults({ stop: 'a\nb\nc\nd' })).toEqual([]);
  expect(faults({ stop: 'a\nb\nc\nd\ne' })).toEqual(['stop']);
});

it.each([
  ['temperature', ['2.1', '-1', '1e0', 'warm', '0,7', '.5']],
  ['top_p', ['1.01', '2', '-0.1', 'half']],
  ['seed', ['1.5', 'x', '9007199254740993', '1e3']],
  ['max_tokens', ['0', '-1', '1.5', '8193']],
] as const)('refuses a %s that the API refuses', (name, values) => {
  for (const value of values) expect(faults({ [name]: value }), value).toEqual([name]);
});

it('accepts the ends of each range', () => {
  for (const change of [
    { temperature: '2' },
    { top_p: '1' },
    { top_p: '0' },
    { seed: '0' },
    { max_tokens: '8192' },
  ])
    expect(faults(change)).toEqual([]);
});
