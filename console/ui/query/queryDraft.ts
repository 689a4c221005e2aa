// The search box's logic without its UI: suggestions for the word at the caret, and chips that absorb the input.

import { parseQuery, printTerm, type QueryError, type QueryKey, type Term } from '../../lib/query/syntax';

export interface BuilderKey extends QueryKey {
  /** A word or two, shown beside the key. */
  description: string;
}

export interface Suggestion {
  value: string;
  /** What the value stands for, if it isn't obvious: a name for an ID. */
  detail?: string;
}

export type Suggest = (key: string, typed: string) => readonly Suggestion[];

export interface Option {
  id: string;
  label: string;
  detail?: string;
  /** The draft after choosing it. */
  draft: string;
  /** The caret position after choosing it. */
  caret: number;
  /** Whether choosing it completes the term, so that it becomes a chip. */
  whole: boolean;
}

/** Maximum suggestions; more than there are event kinds. */
const MAX_ITEMS = 200;

/** Returns the word at or before the caret, up to the caret; quotes hold words together. */
export function wordAt(draft: string, caret: number): { start: number; text: string } {
  let start = 0;
  let quoted = false;
  for (let i = 0; i < caret; i++) {
    const char = draft[i]!;
    if (quoted && char === '\\') i++;
    else if (char === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(char)) start = i + 1;
  }
  return { start, text: draft.slice(start, caret) };
}

export function optionsFor(
  draft: string,
  caret: number,
  keys: readonly BuilderKey[],
  suggest: Suggest,
): Option[] {
  const { start, text } = wordAt(draft, caret);
  const rest = draft.slice(caret);
  const sign = text.startsWith('-') ? '-' : '';
  const body = text.slice(sign.length);
  const option = (id: string, label: string, insert: string, whole: boolean, detail?: string): Option => {
    const written = draft.slice(0, start) + insert;
    return {
      id,
      label,
      ...(detail === undefined ? {} : { detail }),
      draft: written + rest,
      caret: written.length,
      whole,
    };
  };
  const colon = body.indexOf(':');
  if (colon === -1 || body.startsWith('"')) {
    if (body.startsWith('"')) return [];
    const word = body.toLowerCase();
    return keys
      .filter(({ name, negatable }) => name.startsWith(word) && (sign === '' || negatable !== false))
      .map(({ name, description }) =>
        option(`key ${name}`, `${sign}${name}:`, `${sign}${name}:`, false, description),
      );
  }
  const name = body.slice(0, colon).toLowerCase();
  const key = keys.find((one) => one.name === name);
  if (!key) return [];
  const comma = lastComma(body);
  const typed = body
    .slice(Math.max(colon, comma) + 1)
    .replace(/^"/, '')
    .toLowerCase();
  const before = body.slice(0, Math.max(colon, comma) + 1);
  const given = new Set(parseQuery(before.slice(0, -1), keys).terms[0]?.values ?? []);
  return suggest(name, typed)
    .filter(
      ({ value, detail }) => !given.has(value) && `${value} ${detail ?? ''}`.toLowerCase().includes(typed),
    )
    .sort(
      (a, b) =>
        Number(!a.value.toLowerCase().startsWith(typed)) - Number(!b.value.toLowerCase().startsWith(typed)),
    )
    .slice(0, MAX_ITEMS)
    .map(({ value, detail }) => {
      const printed = printTerm({ key: 'k', negated: false, values: [value] }).slice(2);
      return option(`value ${value}`, value, sign + before + printed, true, detail);
    });
}

/** Returns the last comma between values, outside quotes; -1 without one. */
function lastComma(body: string): number {
  let found = -1;
  let quoted = false;
  for (let i = 0; i < body.length; i++) {
    if (quoted && body[i] === '\\') i++;
    else if (body[i] === '"') quoted = !quoted;
    else if (body[i] === ',' && !quoted) found = i;
  }
  return found;
}

/**
 * Returns the chips after `draft` was entered: values of an existing key join it. With errors, the chips stay
 * unchanged and the draft must be corrected.
 */
export function enter(
  terms: readonly Term[],
  draft: string,
  keys: readonly QueryKey[],
): { terms: readonly Term[]; errors: QueryError[] } {
  const parsed = parseQuery(draft, keys);
  if (parsed.errors.length > 0) return { terms, errors: parsed.errors };
  const next = terms.map((term) => ({ ...term }));
  for (const { key, negated, values } of parsed.terms) {
    const single = keys.find(({ name }) => name === key)?.many === false;
    const there = next.find((one) => one.negated === negated && one.key === key && key !== null);
    if (there) there.values = single ? values : [...new Set([...there.values, ...values])];
    else if (
      key !== null ||
      !next.some((one) => one.key === null && one.negated === negated && one.values[0] === values[0])
    )
      next.push({ key, negated, values });
  }
  const text = next.map(printTerm).join(' ');
  const { errors } = parseQuery(text, keys);
  // Together they are too many or too long, so the error has no position in the draft.
  if (errors.length > 0)
    return { terms, errors: [{ message: errors[0]!.message, start: 0, end: draft.length }] };
  return { terms: next, errors: [] };
}

/** Whether a space after it ends the term: a complete term with a key, outside quotes. Free text may continue. */
export function isWhole(draft: string, keys: readonly QueryKey[]): boolean {
  const { terms, errors } = parseQuery(draft, keys);
  return errors.length === 0 && terms.length > 0 && terms.every(({ key }) => key !== null);
}
