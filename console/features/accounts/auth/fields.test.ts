import { expect, test } from 'vitest';
import { emailFault, newPasswordFault } from './fields';

test('judges passwords by length and says how many characters are missing', () => {
  expect(newPasswordFault('correct horse')).toBeUndefined();
  expect(newPasswordFault('123456789')).toBe('1 more character needed.');
  expect(newPasswordFault('1234')).toBe('6 more characters needed.');
  expect(newPasswordFault('x'.repeat(201))).toContain('At most 200');
});

test('rejects only text that cannot be an email address', () => {
  for (const good of ['a@b.co', ' ada.lovelace+tag@mail.example.org ', 'ü@exämple.de'])
    expect(emailFault(good)).toBeUndefined();
  for (const bad of ['', 'ada', 'ada@host', 'a b@c.de', '@c.de', 'a@.de'])
    expect(emailFault(bad)).toBeDefined();
});
