import { expect, test } from 'vitest';
import { answerHref } from './answerHref';

test('starts a mail to the reporter alone, whatever the app is called', () => {
  const href = new URL(answerHref('eve@example.test', 'shop&bcc=all@example.test'));
  expect(decodeURIComponent(href.pathname)).toBe('eve@example.test');
  expect([...href.searchParams]).toEqual([['subject', 'Your report about shop&bcc=all@example.test']]);
});
