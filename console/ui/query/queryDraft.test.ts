import { describe, expect, it } from 'vitest';
import { EVENT_KEYS } from '../../lib/query/events';
import { printQuery, parseQuery } from '../../lib/query/syntax';
import { enter, isWhole, optionsFor, wordAt } from './queryDraft';

const values: Record<string, { value: string; detail?: string }[]> = {
  severity: ['info', 'warning', 'error'].map((value) => ({ value })),
  cvm: [{ value: 'web 1', detail: 'shop' }, { value: 'db' }],
};
const options = (draft: string, caret = draft.length) =>
  optionsFor(draft, caret, EVENT_KEYS, (key) => values[key] ?? []);
const labels = (draft: string) => options(draft).map(({ label }) => label);
const terms = (text: string) => parseQuery(text, EVENT_KEYS).terms;
const entered = (before: string, draft: string) => {
  const { terms: after, errors } = enter(terms(before), draft, EVENT_KEYS);
  return errors.length > 0 ? errors[0]!.message : printQuery(after);
};

describe('suggestions', () => {
  it("are keys first, then the key's values, prefix matches before others", () => {
    expect(labels('')).toContain('severity:');
    expect(labels('s')).toEqual(['severity:']);
    expect(labels('-a')).toEqual(['-app:']);
    expect(labels('severity:')).toEqual(['info', 'warning', 'error']);
    expect(labels('severity:r')).toEqual(['warning', 'error']);
    expect(labels('cvm:SHOP')).toEqual(['web 1']);
    expect(labels('nothing:x')).toEqual([]);
    expect(labels('"sev')).toEqual([]);
  });

  it('complete the word at the caret and keep the rest', () => {
    expect(options('boot sev', 8)[0]).toMatchObject({ draft: 'boot severity:', caret: 14, whole: false });
    expect(options('sev boot', 3)[0]).toMatchObject({ draft: 'severity: boot', caret: 9 });
    expect(options('-severity:info,')).toMatchObject([
      { draft: '-severity:info,warning', whole: true },
      { draft: '-severity:info,error' },
    ]);
    expect(options('cvm:"web')[0]).toMatchObject({ draft: 'cvm:"web 1"' });
  });

  it('find the word at the caret, including quoted ones', () => {
    expect(wordAt('a "b c', 6)).toEqual({ start: 2, text: '"b c' });
    expect(wordAt('a b', 1)).toEqual({ start: 0, text: 'a' });
  });
});

describe('an entered query', () => {
  it('becomes chips and adds values to an existing key', () => {
    expect(entered('severity:info', 'severity:error boot')).toBe('severity:info,error boot');
    expect(entered('severity:info', '-severity:error')).toBe('severity:info -severity:error');
    expect(entered('after:2d', 'after:3d')).toBe('after:3d');
    expect(entered('boot', 'boot')).toBe('boot');
  });

  it('changes nothing if it has an error', () => {
    expect(entered('severity:info', 'severity:eror')).toContain('did you mean error?');
    const many = Array.from({ length: 20 }, (_, i) => `w${i}`).join(' ');
    expect(entered(many, 'one-more')).toContain('at most 20');
  });

  it('is complete only if nothing can follow', () => {
    expect(isWhole('severity:error', EVENT_KEYS)).toBe(true);
    for (const open of ['boot', 'severity:', 'cvm:"web', '', 'severity:x'])
      expect(isWhole(open, EVENT_KEYS)).toBe(false);
  });
});
