import { describe, expect, it } from 'vitest';
import { isPlain, linesOf, type Face } from './typeset';

/** A font that has the characters a pattern matches. */
const face = (name: string, has: RegExp): Face => ({
  name,
  font: { hasGlyphForCodePoint: (code) => has.test(String.fromCodePoint(code)) },
});
const latin = face('latin', /[\p{Script=Latin}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Common}\p{Mn}]/u);
const chinese = face('chinese', /[\p{Script=Han}\p{Script=Latin}]/u);
/** Every character is as wide as one unit. */
const set = (text: string, width = 100, faces = [latin, chinese]) =>
  linesOf(text, { faces, width, widthOf: (piece) => [...piece.text].length });
const seen = (text: string, width?: number) =>
  set(text, width).map((line) => line.map((piece) => piece.text).join('|'));

describe('text in several scripts', () => {
  it('is plain only in a single font from left to right', () => {
    expect(isPlain('Łódź GmbH, 12', latin)).toBe(true);
    for (const text of ['Łódź 株式', 'חברה']) expect(isPlain(text, latin)).toBe(false);
  });

  it('takes each character from the first font that has it', () => {
    expect(
      set('Acme 株式会社')
        .flat()
        .map(({ text, face: used }) => `${used}:${text}`),
    ).toEqual(['latin:Acme ', 'chinese:株式会社']);
  });

  it('lists characters that no font has, and only some of many', () => {
    expect(seen('Acme \u0e2a\u0e21')).toEqual(['Acme [U+0E2A U+0E21]']);
    expect(seen('\u0e2a\u0e21', 8)).toEqual(['[U+0E2A', 'U+0E21]']);
    expect(seen('\u0e2a\u0e21\u0e23\u0e19\u0e27')).toEqual(['[U+0E2A U+0E21 U+0E23 U+0E19 …]']);
  });

  it('omits characters that only select a variant, and composes marks', () => {
    expect(seen('e\u0301\ufe0f\u200d')).toEqual(['é']);
  });

  it('breaks lines at spaces, between ideographs, and in words longer than a line', () => {
    expect(seen('ab cd 株式会社', 5)).toEqual(['ab cd', '株式会社']);
    expect(seen('株式会社', 2)).toEqual(['株式', '会社']);
    expect(seen('株 abcdefg', 4)).toEqual(['株', 'abcd', 'efg']);
    expect(seen('a\n株')).toEqual(['a', '株']);
  });

  it('orders right-to-left text as it is read', () => {
    expect(seen('שלום עולם')).toEqual(['עולם| |שלום']);
    // Numbers keep their order, brackets are mirrored.
    expect(seen('רחוב 12.5 (א)')).toEqual(['(|א|)| |12.5| |רחוב']);
    expect(seen('Acme שלום עולם Ltd')).toEqual(['Acme |עולם| |שלום| Ltd']);
    // Brackets match although the line breaks between them.
    expect(seen('שלום (Acme Ltd)', 6)).toEqual(['שלום', 'Acme|)', '(|Ltd']);
    expect(seen('מחיר: -5%, ٣٤ ש')).toEqual(['ש| |٣٤| |,|5%|-| |:|מחיר']);
    expect(seen('שלום Acme Ltd עולם')).toEqual(['עולם| |Acme Ltd| |שלום']);
  });
});
