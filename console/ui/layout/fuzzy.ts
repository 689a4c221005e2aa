/** Fuzzy matching for the command palette: "dpl" finds "Deploy", "web log" finds "web-frontend · Logs". */

export interface Match {
  /** Higher is better; comparable only within the same query. */
  score: number;
  /** Indices of matched characters, ascending, for highlighting. */
  at: number[];
}

const isStart = (text: string, i: number) =>
  i === 0 || /[\s\-_/.·:]/.test(text[i - 1]!) || (/[a-z]/.test(text[i - 1]!) && /[A-Z]/.test(text[i]!));

/** Matches a word of the query: as a substring if possible, else letter by letter in order. */
function matchWord(word: string, text: string, lower: string): Match | null {
  let best: Match | null = null;
  for (let i = lower.indexOf(word); i !== -1; i = lower.indexOf(word, i + 1)) {
    const score = 100 + (isStart(text, i) ? 50 : 0) - Math.min(i, 40);
    if (!best || score > best.score) best = { score, at: Array.from(word, (_, n) => i + n) };
  }
  if (best) return best;
  const at: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of word) {
    // Prefer the beginning of a word over the next occurrence.
    let i = -1;
    for (let k = lower.indexOf(letter, from); k !== -1; k = lower.indexOf(letter, k + 1)) {
      if (i === -1) i = k;
      if (isStart(text, k)) {
        i = k;
        break;
      }
    }
    if (i === -1) return letterByLetter(word, lower);
    score += isStart(text, i) ? 12 : at.at(-1) === i - 1 ? 8 : 1;
    at.push(i);
    from = i + 1;
  }
  return { score: score - Math.min(at[0]!, 10), at };
}

/** Without preferences, so that a greedy jump to the beginning of a word never misses an existing match. */
function letterByLetter(word: string, lower: string): Match | null {
  const at: number[] = [];
  let from = 0;
  for (const letter of word) {
    const i = lower.indexOf(letter, from);
    if (i === -1) return null;
    at.push(i);
    from = i + 1;
  }
  return { score: 0, at };
}

/** Null if a word of the query isn't in the text. An empty query matches everything. */
export function fuzzyMatch(query: string, text: string): Match | null {
  const lower = text.toLowerCase();
  // Some letters change length in lowercase (İ), which would make indices wrong.
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const at = new Set<number>();
  let score = 0;
  for (const word of words) {
    const match = matchWord(word, text, lower);
    if (!match) return null;
    score += match.score;
    for (const i of match.at) at.add(i);
  }
  return { score, at: lower.length === text.length ? [...at].sort((a, b) => a - b) : [] };
}

/** Whether each word of the query occurs literally in the text. */
const hasParts = (query: string, text: string): boolean => {
  const lower = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
};

export interface Ranked<T> {
  item: T;
  at: number[];
}

/** The same bonus as for the start of a word: more than any difference in where a word was found. */
const LEAD = 50;

/**
 * Returns the best `most` items, best first; equal scores keep their order. Keywords also match, but weigh less
 * than labels and only match as substrings: their scattered letters would match almost anything. Leading items come
 * before others whose labels match as well.
 */
export function rank<T extends { label: string; keywords?: string; leads?: boolean }>(
  query: string,
  items: readonly T[],
  most: number,
): Ranked<T>[] {
  const found: { item: T; at: number[]; score: number }[] = [];
  for (const item of items) {
    const inLabel = fuzzyMatch(query, item.label);
    if (inLabel)
      found.push({ item, at: inLabel.at, score: inLabel.score + (item.leads === true ? LEAD : 0) });
    else if (item.keywords !== undefined && hasParts(query, `${item.label} ${item.keywords}`)) {
      const inAll = fuzzyMatch(query, `${item.label} ${item.keywords}`);
      if (inAll)
        found.push({ item, at: inAll.at.filter((i) => i < item.label.length), score: inAll.score / 2 });
    }
  }
  if (query.trim() !== '') found.sort((a, b) => b.score - a.score);
  return found.slice(0, most);
}
