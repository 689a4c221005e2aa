import { expect, it } from 'vitest';
import { atFields, problemText, summarize } from './problem';

it('shows a repeated reason once', () => {
  const summary = summarize({
    title: 'Couldn’t rename the CVM',
    message: 'Don’t use two dashes in a row.',
    details: [{ field: 'name', message: 'Don’t use two dashes in a row' }],
    suggestions: ['Don’t use two dashes in a row.', 'Choose another name.'],
  });
  expect(summary).toEqual({
    message: 'Don’t use two dashes in a row.',
    details: [],
    advice: 'Choose another name.',
    link: null,
    more: [],
  });
});

it('names the only invalid value instead of counting it', () => {
  const { message, details } = summarize({
    title: 'Couldn’t deploy',
    message: 'One value is invalid.',
    details: [{ field: 'disk_size', message: 'Must be at least 10.' }],
  });
  expect(message).toBeNull();
  expect(details).toEqual([{ field: 'disk_size', message: 'Must be at least 10.' }]);
});

it('points to the fields that show the reason, and still copies it', () => {
  const problem = {
    title: 'Couldn’t deploy',
    message: 'The local teepod doesn’t support it.',
    details: [{ field: 'compose_file.runner', message: 'The local teepod doesn’t support it.' }],
    suggestions: ['Use another host.'],
    isAtField: true,
  };
  expect(summarize(problem)).toMatchObject({
    message: 'Correct the marked fields.',
    details: [],
    advice: 'Use another host.',
  });
  expect(problemText(problem)).toContain('doesn’t support it');
});

it('leaves a reason to its field only if a field of the form shows it', () => {
  const refused = (...details: { field: string; message: string }[]) => ({
    title: 'Couldn’t create the account',
    message: 'One value is invalid.',
    details,
  });
  const breached = { field: 'password', message: 'This password appears in data breaches.' };
  const shown = (problem: ReturnType<typeof refused>, ...fields: string[]) =>
    summarize(atFields(problem, fields));
  expect(shown(refused(breached), 'email', 'password')).toMatchObject({
    message: 'Correct the marked fields.',
    details: [],
  });
  expect(shown(refused(breached), 'email').details).toEqual([breached]);
  const other = { field: 'invitation_token', message: 'The invitation has expired.' };
  expect(shown(refused(breached, other), 'email', 'password').details).toEqual([breached, other]);
  expect(shown({ ...refused(), message: 'Registration is closed.' }, 'email').message).toBe(
    'Registration is closed.',
  );
  // Only the rejected value, not why.
  const value = { field: 'domain', message: 'example.test' };
  expect(shown(refused(value), 'domain').details).toEqual([value]);
});

it('offers one action and folds the other suggestions', () => {
  const logs = { label: 'Open the serial console', href: '/logs' };
  const events = { label: 'View the operation', href: '/events' };
  const problem = { title: 'web failed to boot', message: '', suggestions: ['Fix it.', logs, events] };
  expect(summarize(problem)).toMatchObject({ message: null, advice: 'Fix it.', link: logs, more: [events] });
  expect(summarize({ ...problem, retry: () => {} })).toMatchObject({ link: null, more: [logs, events] });
});

it('copies the whole output', () => {
  expect(
    problemText({
      title: 'web failed to boot',
      message: '',
      log: { line: 'b', whole: 'a\nb' },
      code: 'ERR-1',
    }),
  ).toBe('web failed to boot\na\nb\nCode: ERR-1');
});
