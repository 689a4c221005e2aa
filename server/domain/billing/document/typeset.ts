import bidiFactory, { type EmbeddingLevels } from 'bidi-js';
import type { Font } from 'fontkit';

/*
 * Splits text into pieces of one font and one direction, which is what pdfkit can draw. Names and addresses may
 * be in any script, and no font has all of them.
 */

/** A font and its registered name. */
export interface Face {
  name: string;
  font: Pick<Font, 'hasGlyphForCodePoint'>;
}

/** The text of one drawing call. */
export interface Piece {
  text: string;
  face: string;
}

interface Unit extends Piece {
  /** Whether a line may end before and after it: at spaces, and between ideographs. */
  breaks: boolean;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Select a variant of a character or join several; without them, it is still readable. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const codesOf = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0);
const hasAll = (font: Face['font'], text: string): boolean =>
  codesOf(text).every((code) => font.hasGlyphForCodePoint(code));

/** Covers most text. Every font of ours has these, and a document has thousands of cells. */
const ASCII = /^[ -~]*$/;

/** Whether one font draws all of a text from left to right, so that no other piece is needed. */
export const isPlain = (text: string, { font }: Face): boolean =>
  ASCII.test(text) || (!RIGHT_TO_LEFT.test(text) && hasAll(font, text));

/** Returns the characters that a font lacks, each once, in the form in which they are set. */
export const lacking = (text: string, font: Face['font']): string =>
  [...new Set(text.normalize('NFC').replace(INVISIBLE, ''))].filter((char) => !hasAll(font, char)).join('');

const MAX_LISTED = 4;
/** Characters without a font, as Unicode lists them: "[U+0E2A U+0E21]". The electronic invoice has the text itself. */
const listed = (chars: readonly string[]): string => {
  const names = codesOf(chars.slice(0, MAX_LISTED).join('')).map(
    (code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `[${names.join(' ')}${chars.length > MAX_LISTED ? ' …' : ''}]`;
};

/**
 * Returns the lines of a text, each as pieces from left to right.
 * @param faces the first one that has a character draws it; the first of all draws placeholders for characters
 * without one
 * @param widthOf in points, of a text in one font
 */
export function linesOf(
  text: string,
  { faces, width, widthOf }: { faces: readonly Face[]; width: number; widthOf: (piece: Piece) => number },
): Piece[][] {
  const lines: Piece[][] = [];
  for (const paragraph of text.split('\n')) {
    const clusters = clustersOf(paragraph, faces);
    const set = paragraphOf(clusters);
    let line: Unit[] = [];
    let used = 0;
    const flush = () => {
      while (line.at(-1)?.text === ' ') line.pop();
      lines.push(visual(line, set));
      line = [];
      used = 0;
    };
    for (const word of wordsOf(clusters)) {
      // Joined letters, for example in Arabic, are narrower than separate ones.
      const needed = visual(word, set).reduce((total, piece) => total + widthOf(piece), 0);
      if (used > 0 && used + needed > width && !isSpace(word)) flush();
      if (needed <= width || isSpace(word)) {
        line.push(...word);
        used += needed;
        continue;
      }
      // Longer than a line.
      for (const cluster of word) {
        const more = widthOf(cluster);
        if (used > 0 && used + more > width) flush();
        line.push(cluster);
        used += more;
      }
    }
    flush();
  }
  return lines;
}

const isSpace = (word: readonly Unit[]): boolean => word.every(({ text }) => text.trim() === '');
/** The smallest drawn units: a character with its marks. */
function clustersOf(text: string, faces: readonly Face[]): Unit[] {
  const [first] = faces;
  if (!first) throw new Error('no font');
  const units: Unit[] = [];
  let without: string[] = [];
  const list = () => {
    for (const char of without.length > 0 ? listed(without) : '')
      units.push({ text: char, face: first.name, breaks: false });
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
      units.push({ text: char, face: face.name, breaks: char === ' ' || IDEOGRAPH.test(char) });
    }
  }
  list();
  return units;
}

/** Groups units that no line break may separate. */
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

/** A paragraph's text and the direction of its characters, by Unicode's bidirectional algorithm. */
interface Paragraph {
  text: string;
  embedding: EmbeddingLevels;
  /** Start of each unit in the text. */
  starts: ReadonlyMap<Unit, number>;
}

function paragraphOf(units: readonly Unit[]): Paragraph {
  const starts = new Map<Unit, number>();
  let text = '';
  for (const unit of units) {
    starts.set(unit, text.length);
    text += unit.text;
  }
  return { text, embedding: bidi.getEmbeddingLevels(text), starts };
}

/** Reorders a paragraph's line as it is read, and joins what one call draws. */
function visual(line: readonly Unit[], { text, embedding, starts }: Paragraph): Piece[] {
  const [first, final] = [line[0], line.at(-1)];
  if (!first || !final) return [];
  const start = starts.get(first) ?? 0;
  const end = (starts.get(final) ?? 0) + final.text.length - 1;
  const order = bidi.getReorderedIndices(text, embedding, start, end);
  const places = new Map(order.map((index, place) => [index, place]));
  const runs: (Piece & { level: number; place: number })[] = [];
  for (const unit of line) {
    const at = starts.get(unit) ?? 0;
    const level = embedding.levels[at] ?? 0;
    const isBackward = level % 2 === 1;
    const drawn = isBackward ? (bidi.getMirroredCharacter(unit.text) ?? unit.text) : unit.text;
    const last = runs.at(-1);
    // A font reverses letters of right-to-left scripts and nothing else.
    const isJoined =
      last?.level === level &&
      last.face === unit.face &&
      (!isBackward || (RIGHT_TO_LEFT.test(last.text) && RIGHT_TO_LEFT.test(drawn)));
    if (last && isJoined) last.text += drawn;
    else runs.push({ text: drawn, face: unit.face, level, place: places.get(at) ?? 0 });
  }
  return runs.toSorted((a, b) => a.place - b.place).map((run) => ({ text: run.text, face: run.face }));
}
