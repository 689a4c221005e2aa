import type { z } from 'zod';
import { ownValue } from '../../../console/lib/ownValue';

type Issue = z.core.$ZodIssue;

/** What the patterns that callers most often miss ask for. Others are shown as they are. */
const PATTERN_RULES: Readonly<Record<string, string>> = {
  '/^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$/':
    'Use letters, digits and single dashes. Start with a letter, and end with a letter or digit.',
  '/^(app_|0[xX])?[0-9a-fA-F]{40}$/': 'Expected 40 hex digits.',
  '/^(0[xX]|sha256:)?[0-9a-fA-F]{64}$/': 'Expected 64 hex digits.',
};

/** Texts of zod that say what its code expects rather than what to send. */
const OF_ZOD = /^(Invalid input: expected|Too small: |Too big: |Invalid string: must match|Invalid option: )/;

/** Returns an issue's message in words that a caller can act on; messages that a schema sets itself stay. */
export function validationText(issue: Issue): string {
  const { message } = issue;
  if (!OF_ZOD.test(message)) return message.replace(/^Invalid input: /, '');
  switch (issue.code) {
    case 'invalid_type': {
      const expected = noun(issue.expected);
      const received = / received (\w+)$/.exec(message)?.[1];
      if (received === undefined || received === 'undefined')
        return `This field is required. Expected ${expected}.`;
      return `Expected ${expected}, got ${noun(received)}.`;
    }
    case 'too_small':
      return bound(issue.origin, 'least', issue.inclusive === false ? 'more' : '', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'most', issue.inclusive === false ? 'less' : '', issue.maximum);
    case 'invalid_format': {
      const pattern = 'pattern' in issue && typeof issue.pattern === 'string' ? issue.pattern : '';
      return ownValue<string | undefined>(PATTERN_RULES, pattern) ?? `Must match ${pattern}.`;
    }
    case 'invalid_value': {
      const values = issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
      return values.length === 1 ? `Expected ${values[0]}.` : `Use one of ${values.join(', ')}.`;
    }
    default:
      return message.replace(/^Invalid input: /, '');
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const noun = (type: string) => ownValue<string | undefined>(NOUNS, type) ?? type;

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', object: 'key' };

/** "Expected at least 5 characters." */
function bound(origin: string, edge: 'least' | 'most', strict: string, limit: number | bigint): string {
  const unit = ownValue<string | undefined>(UNITS, origin);
  const count = unit === undefined ? String(limit) : `${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
  return strict === '' ? `Expected at ${edge} ${count}.` : `Expected ${strict} than ${count}.`;
}
