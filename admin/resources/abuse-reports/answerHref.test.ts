import { expect, test } from 'vitest';
import { answerHref } from './answerHref';

test('starts an email only to the reporter, whatever the app’s name', () => {
  const href = new URL(answerHref('eve@example.test', 'shop&bcc=all@example.test'));
  expect(decodeURIComponent(href.pathname)).toBe('eve@example.test');
  expect([...href.searchParams]).toEqual([['subject', 'Your report about shop&bcc=all@example.test']]);
});
