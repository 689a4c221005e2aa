import type { Font } from 'fontkit';

/*
 * Breaks text into pieces of one font and one direction, which is what pdfkit can draw. Names and addresses may be in any
 * script, and no font has all of them.
 */

/** A font and the name it is registered with. */
export interface Face {
  name: string;
  font: Pick<Font, 'hasGlyphForCodePoint'>;
}

type Direction = 'left' | 'right' | 'neutral';

/** What one call draws. */
export interface Piece {
  text: string;
  face: string;
  direction: Direction;
}

interface Unit extends Piece {
  /** Whether a line may end before and after it: at spaces, and between ideographs. */
  breaks: boolean;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Select a variant of a character or join several; without them, it is still readable. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MIRRORED = new Map([...'()[]{}<>«»'].map((char, index, all) => [char, all[index ^ 1] ?? char]));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const codesOf = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0);
const hasAll = (font: Face['font'], text: string): boolean =>
  codesOf(text).every((code) => font.hasGlyphForCodePoint(code));

/** Most text. Every font of ours has these, and a document has thousands of cells. */
const ASCII = /^[ -~]*$/;

/** Whether one font draws all of a text from left to right, so that no piece needs another. */
export const isPlain = (text: string, { font }: Face): boolean =>
  ASCII.test(text) || (!RIGHT_TO_LEFT.test(text) && hasAll(font, text));

/** Returns the characters that a font lacks, each once, in the form in which they are set. */
export const lacking = (text: string, font: Face['font']): string =>
  [...new Set(text.normalize('NFC').replace(INVISIBLE, ''))].filter((char) => !hasAll(font, char)).join('');

const directionOf = (text: string): Direction =>
  RIGHT_TO_LEFT.test(text) ? 'right' : LETTER.test(text) ? 'left' : 'neutral';

const MOST_LISTED = 4;
/** Characters without a font, as Unicode lists them: "[U+0E2A U+0E21]". The electronic invoice has the text itself. */
const listed = (chars: readonly string[]): string => {
  const names = codesOf(chars.slice(0, MOST_LISTED).join('')).map(
    (code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `[${names.join(' ')}${chars.length > MOST_LISTED ? ' …' : ''}]`;
};

/**
 * Returns the lines of a text, each as pieces from left to right.
 * @param faces the first one that has a character draws it; the first one of all draws what stands for characters without one
 * @param widthOf in points, of a text in one font
 */
export function linesOf(
  text: string,
  { faces, width, widthOf }: { faces: readonly Face[]; width: number; widthOf: (piece: Piece) => number },
): Piece[][] {
  const lines: Unit[][] = [];
  for (const paragraph of text.split('\n')) {
    const clusters = clustersOf(paragraph, faces);
    let line: Unit[] = [];
    let used = 0;
    const flush = () => {
      while (line.at(-1)?.text === ' ') line.pop();
      lines.push(line);
      line = [];
      used = 0;
    };
    for (const word of wordsOf(unitsOf(clusters))) {
      const needed = sum(word, widthOf);
      if (used > 0 && used + needed > width && !isSpace(word)) flush();
      if (needed <= width || isSpace(word)) {
        line.push(...word);
        used += needed;
        continue;
      }
      // Longer than a line.
      for (const cluster of word.flatMap((unit) => clustersOf(unit.text, faces))) {
        const more = widthOf(cluster);
        if (used > 0 && used + more > width) flush();
        line.push(cluster);
        used += more;
      }
    }
    flush();
  }
  return lines.map((line) => visual(unitsOf(line)));
}

const isSpace = (word: readonly Unit[]): boolean => word.every(({ text }) => text.trim() === '');
const sum = (units: readonly Unit[], widthOf: (piece: Piece) => number): number =>
  units.reduce((total, unit) => total + widthOf(unit), 0);

/** The smallest parts that are drawn: a character with its marks. */
function clustersOf(text: string, faces: readonly Face[]): Unit[] {
  const [first] = faces;
  if (!first) throw new Error('no font');
  const units: Unit[] = [];
  let without: string[] = [];
  const list = () => {
    if (without.length > 0)
      units.push({ text: listed(without), face: first.name, direction: 'left', breaks: false });
    without = [];
  };
  for (const { segment } of graphemes.segment(text.normalize('NFC'))) {
    const visible = segment.replace(INVISIBLE, '').replace(/\s+/g, ' ');
    if (visible === '') continue;
    const whole = faces.find(({ font }) => hasAll(font, visible));
    for (const char of whole ? [visible] : visible) {
      const face = whole ?? faces.find(({ font }) => hasAll(font, char));
      if (!face) {
        without.push(char);
        continue;
      }
      list();
      const breaks = char === ' ' || IDEOGRAPH.test(char);
      units.push({ text: char, face: face.name, direction: directionOf(char), breaks });
    }
  }
  list();
  return units;
}

/** Joins neighbors that are drawn alike. Neutral characters stay alone, so that they can be reordered, except in numbers. */
function unitsOf(clusters: readonly Unit[]): Unit[] {
  const units: Unit[] = [];
  for (const next of clusters) {
    const last = units.at(-1);
    if (isNumberBefore(units) && DIGIT.test(next.text)) {
      const parts = DIGIT_LAST.test(last?.text ?? '') ? units.splice(-1) : units.splice(-2);
      units.push({ ...next, text: parts.map((part) => part.text).join('') + next.text });
    } else if (
      last &&
      last.face === next.face &&
      last.direction === next.direction &&
      next.direction !== 'neutral' &&
      !last.breaks &&
      !next.breaks
    )
      units[units.length - 1] = { ...last, text: last.text + next.text };
    else units.push(next);
  }
  return units;
}

const DIGIT_LAST = /\p{Nd}$/u;
const SEPARATOR = /^[.,:/-]$/;
/** Whether units end with a number, or with one and what separates its digits. */
const isNumberBefore = (units: readonly Unit[]): boolean => {
  const [before, last] = [units.at(-2), units.at(-1)];
  const isNumber = (unit: Unit | undefined) => unit?.direction === 'neutral' && DIGIT_LAST.test(unit.text);
  return isNumber(last) || (last !== undefined && SEPARATOR.test(last.text) && isNumber(before));
};

/** Groups units between which no line ends. */
function wordsOf(units: readonly Unit[]): Unit[][] {
  const words: Unit[][] = [];
  let last: Unit | undefined;
  for (const unit of units) {
    const word = words.at(-1);
    if (word && last && !last.breaks && !unit.breaks) word.push(unit);
    else words.push([unit]);
    last = unit;
  }
  return words;
}

/**
 * Orders a line as it is read: what is written from right to left is reversed, in a line that begins with it as a whole. Within
 * a piece, the font does that. The rules of Unicode's bidirectional algorithm without explicit embedding.
 */
function visual(line: readonly Unit[]): Piece[] {
  const base = line.find(({ direction }) => direction !== 'neutral')?.direction ?? 'left';
  const strong = (units: readonly Unit[]) =>
    units.find(({ direction }) => direction !== 'neutral')?.direction ?? base;
  const resolved = line.map((unit, index) => {
    if (unit.direction !== 'neutral') return unit.direction;
    const [before, after] = [strong(line.slice(0, index).toReversed()), strong(line.slice(index + 1))];
    return before === after ? before : base;
  });
  const groups: { direction: Direction; pieces: Piece[] }[] = [];
  for (const [index, unit] of line.entries()) {
    const direction = resolved[index] ?? base;
    const piece =
      direction === 'right' && unit.direction === 'neutral'
        ? { ...unit, text: MIRRORED.get(unit.text) ?? unit.text }
        : unit;
    const group = groups.at(-1);
    if (group?.direction === direction) group.pieces.push(piece);
    else groups.push({ direction, pieces: [piece] });
  }
  for (const { direction, pieces } of groups) if (direction === 'right') pieces.reverse();
  if (base === 'right') groups.reverse();
  return groups.flatMap(({ pieces }) => pieces);
}
