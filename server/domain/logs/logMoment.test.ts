import { describe, expect, it } from 'vitest';
import { logMoment } from './logMoment';

describe('a time in a log request', () => {
  it.each([
    ['2026-11-23T20:00:00Z', '1795464000'],
    ['2026-11-23T20:00:00.900Z', '1795464000'],
    ['2026-11-23T21:00:00+01:00', '1795464000'],
    ['1795470000', '1795470000'],
    ['1795470000.5', '1795470000'],
    ['10m', '10m'],
    ['1h30m', '1h30m'],
  ])('%s becomes %s', (text, sent) => {
    expect(logMoment(text)).toBe(sent);
  });

  it.each([
    '',
    'yesterday',
    '10',
    '-5m',
    '2026-13-45T00:00:00Z',
    '1960-01-01T00:00:00Z',
    '10m; rm',
    '9'.repeat(64),
  ])('%j is refused, or a number of seconds', (text) => {
    expect(logMoment(text) ?? '10').toMatch(/^10$/);
  });
});
