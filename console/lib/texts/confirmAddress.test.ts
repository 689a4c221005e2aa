import { expect, it } from 'vitest';
import { confirmAddressText } from './confirmAddress';

it('claims to have sent a message only on a server that sends email', () => {
  expect(confirmAddressText(true, 'ada@example.test')).toBe(
    'Open the link in the message to ada@example.test.',
  );
  const text = confirmAddressText(false, 'ada@example.test');
  expect(text).toContain('This server doesn’t send email.');
  expect(text).toContain('ada@example.test');
});
