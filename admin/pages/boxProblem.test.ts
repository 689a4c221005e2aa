import { expect, it } from 'vitest';
import { problemOf, toHttpError } from '../http';
import { boxProblem } from './boxProblem';

const refused = (detail: unknown) =>
  problemOf(toHttpError(422, { detail }, 'req_1'), 'Couldn’t grant credit');

it('leaves out what the inputs already show', () => {
  const amount = refused([{ loc: ['body', 'amount'], msg: 'At most 1,000,000.', type: 'value_error' }]);
  expect(boxProblem(amount, ['amount', 'reason'])).toBeNull();
  const ends = refused({ message: 'It ends before it starts.', details: [{ field: 'ends_at' }] });
  expect(boxProblem(ends, ['starts_at', 'ends_at'])).toBeNull();
});

it('keeps what no input shows', () => {
  const hidden = refused([
    { loc: ['body', 'amount'], msg: 'At most 1,000,000.', type: 'value_error' },
    { loc: ['body', 'items', '0'], msg: 'Unknown CVM.', type: 'value_error' },
  ]);
  expect(boxProblem(hidden, ['amount', 'items'])).toMatchObject({
    title: 'Couldn’t grant credit',
    message: '',
    details: [{ field: 'items.0', message: 'Unknown CVM.' }],
  });
  const more = refused({
    message: 'The name is taken.',
    details: [{ field: 'name', message: 'Taken by rack1.' }],
    suggestions: ['Choose another name.'],
  });
  expect(boxProblem(more, ['name'])).toMatchObject({
    message: 'The name is taken.',
    suggestions: ['Choose another name.'],
  });
  const whole = refused('The host is gone.');
  expect(boxProblem(whole, ['name'])).toEqual(whole);
  expect(boxProblem(null, ['name'])).toBeNull();
});
