import { z } from 'zod';
import { ownValue } from '../../../console/lib/ownValue';

/** Descriptions of the most often violated patterns. Others are shown verbatim. */
const PATTERN_RULES: Readonly<Record<string, string>> = {
  '/^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$/':
    'Use letters, digits and single dashes. Start with a letter, and end with a letter or digit.',
  '/^(app_|0[xX])?[0-9a-fA-F]{40}$/': 'Expected 40 hex digits.',
  '/^(0[xX]|sha256:)?[0-9a-fA-F]{64}$/': 'Expected 64 hex digits.',
};

/**
 * Words zod's findings about a request so that a caller can act on them: pass it to `safeParse`. Messages that a schema
 * sets itself stay. Never echoes the value, which may be a secret.
 */
export const requestTexts: { error: z.core.$ZodErrorMap } = { error: (issue) => validationText(issue) };

function validationText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = noun(issue.expected);
      if (issue.input === undefined) return `This field is required. Expected ${expected}.`;
      const received = noun(z.core.util.parsedType(issue.input));
      return received === expected ? `Expected ${expected}.` : `Expected ${expected}, got ${received}.`;
    }
    case 'too_small':
      return bound(issue.origin, 'least', issue.inclusive === false ? 'more' : '', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'most', issue.inclusive === false ? 'less' : '', issue.maximum);
    case 'not_multiple_of':
      return `Expected a multiple of ${issue.divisor}.`;
    case 'invalid_format': {
      if (issue.format !== 'regex' || typeof issue.pattern !== 'string') return undefined;
      return ownValue<string | undefined>(PATTERN_RULES, issue.pattern) ?? `Must match ${issue.pattern}.`;
    }
    case 'invalid_value': {
      const values = issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
      return values.length === 1 ? `Expected ${values[0]}.` : `Use one of ${values.join(', ')}.`;
    }
    default:
      return undefined;
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
