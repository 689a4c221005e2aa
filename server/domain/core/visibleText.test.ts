import { expect, it } from 'vitest';
import { textFault } from './visibleText';

it.each([
  'Acme GmbH',
  'Street 1\n10115 Berlin',
  'Street 1\r\n\tBerlin',
  'شركة\u200f أكمي',
  '株式会社',
  'Zoë 👩‍💻',
  '42',
])('accepts %j', (text) => expect(textFault(text)).toBeNull());

it.each([
  ['\u0001Acme', 'control'],
  ['Acme\u0000', 'control'],
  ['Acme\u007f\u009f', 'control'],
  ['\ud800', 'control'],
  ['Acme\uffff', 'control'],
  ['Acme \u202e HbmG', 'direction'],
  ['\u2066Acme', 'direction'],
  ['\u200b', 'visible'],
  [' \u00a0\u3000', 'visible'],
  ['\u2060\ufe0f\u3164\u00ad', 'visible'],
  ['\u0301', 'visible'],
])('refuses %j', (text, why) => expect(textFault(text)).toContain(why));
