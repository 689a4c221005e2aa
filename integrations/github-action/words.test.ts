import { describe, expect, it } from 'vitest';
import { ApiError } from '../client';
import { inWords } from './deploy';
import { EXIT } from './exit';
import { usefulLine } from './wait';

describe('a boot error', () => {
  it.each([
    ['one line', 'one line'],
    [
      'Pulling web\nError: no such image nginx:nope\nContainer web  Recreate\n',
      'Error: no such image nginx:nope',
    ],
    ['a\r\nb\r\n\r\n', 'b'],
    ['error: first\nerror: last', 'error: last'],
    ['', ''],
  ])('%j is summarized by %j', (text, line) => {
    expect(usefulLine(text)).toBe(line);
  });

  it('is truncated at its start, because guests put the reason at the end', () => {
    const line = usefulLine(`${'x'.repeat(5_000)} exited with code 1`);
    expect(line.length).toBeLessThanOrEqual(500);
    expect(line.endsWith('exited with code 1')).toBe(true);
  });
});

describe('a refusal', () => {
  const of = (parts: Partial<ConstructorParameters<typeof ApiError>[0]>) =>
    inWords(new ApiError({ status: 400, message: 'Why.', ...parts }), 'my-app');

  it('has its own exit code if blocked by a contract or another operation', () => {
    expect(of({ status: 465, code: 'ERR-01-005' })).toMatchObject({ code: EXIT.approval });
    expect(of({ status: 465, code: 'ERR-01-005' }).advice.join()).toContain('KMS page');
    expect(of({ status: 409, code: 'ERR-00-016' })).toMatchObject({ code: EXIT.busy });
    expect(of({ status: 402, code: 'ERR-04-001' })).toMatchObject({ code: EXIT.failed });
  });

  it('contains the server’s message, field by field, and the request ID', () => {
    const { message, advice } = of({
      fields: [
        { field: 'name', message: 'Too short.' },
        { field: 'x', message: '' },
      ],
      suggestions: ['Choose another name.'],
      request_id: 'req_1',
    });
    expect(message).toBe('Why.\nToo short.');
    expect(advice).toEqual(['Choose another name.', 'Request ID: req_1']);
  });
});
