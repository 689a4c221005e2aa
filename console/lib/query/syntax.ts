// Search box syntax: `kind:update.failed severity:error,warning -cvm:web "host eu-1" after:2026-11-01`.
//
//   query = terms separated by white space; all must match
//   term  = "-"? key ":" value ("," value)*      any of the values
//         | "-"? value                            text
//   value = bare | '"' … '"'                      in quotes, \" and \\ mean " and \
//
// The schema defines the keys and their valid values.

export interface Term {
  /** Null for free text. */
  key: string | null;
  negated: boolean;
  /** At least one; exactly one for text. */
  values: readonly string[];
}

export interface QueryKey {
  name: string;
  /** Returns null for a valid value, otherwise a sentence with the problem and the fix. */
  check?: (value: string) => string | null;
  /** Whether commas may separate several values; true if absent. */
  many?: boolean;
  /** Whether `-key:` is allowed; true if absent. */
  negatable?: boolean;
  /** For messages: "kind:update.failed". */
  example: string;
}

export interface QueryError {
  /** The problem and the fix. */
  message: string;
  /** Range of the invalid text in UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
}

/** The term's range in the text. */
interface PlacedTerm extends Term {
  start: number;
  end: number;
}

export interface Parsed {
  /** Complete and valid terms, in order. */
  terms: PlacedTerm[];
  /** In order of position; empty for a valid query. */
  errors: QueryError[];
}

const MAX_QUERY_LENGTH = 1000;
export const MAX_TERMS = 20;
export const MAX_VALUES = 20;

interface Value {
  text: string;
  start: number;
  end: number;
}

// oxlint-disable-next-line no-control-regex -- what no value may hold
const CONTROL = /[\u0000-\u001f\u007f]/;
const SPACE = /\s/;

/** Parses a query. Never throws: problems are in `errors`, and the rest is still parsed. */
export function parseQuery(text: string, keys: readonly QueryKey[]): Parsed {
  const reader = new Reader(text, keys);
  reader.read();
  return { terms: reader.terms, errors: reader.errors.sort((a, b) => a.start - b.start) };
}

class Reader {
  readonly terms: PlacedTerm[] = [];
  readonly errors: QueryError[] = [];
  #at = 0;

  constructor(
    readonly text: string,
    readonly keys: readonly QueryKey[],
  ) {}

  read(): void {
    const { text } = this;
    if (text.length > MAX_QUERY_LENGTH) {
      this.#error(
        `A query can have at most ${MAX_QUERY_LENGTH} characters; this one has ${text.length}.`,
        MAX_QUERY_LENGTH,
        text.length,
      );
      return;
    }
    for (;;) {
      while (this.#at < text.length && SPACE.test(text[this.#at]!)) this.#at++;
      if (this.#at >= text.length) return;
      this.#term();
    }
  }

  #error(message: string, start: number, end: number): void {
    this.errors.push({ message, start, end });
  }

  #term(): void {
    const start = this.#at;
    const faults = this.errors.length;
    const negated = this.text[start] === '-';
    if (negated) this.#at++;
    if (negated && this.#ended()) {
      this.#error('Nothing follows “-”: add the term to exclude, without a space.', start, this.#at);
      return;
    }
    const name = /[A-Za-z_]+(?=:)/y;
    name.lastIndex = this.#at;
    const found = name.exec(this.text)?.[0];
    const term = found === undefined ? this.#textTerm(negated) : this.#keyed(found, negated);
    if (this.errors.length > faults || !term) return;
    const placed = { ...term, start, end: this.#at };
    this.#add(placed);
  }

  #add(term: PlacedTerm): void {
    const { key, negated, start, end } = term;
    if (this.terms.length >= MAX_TERMS) {
      if (this.errors.length === 0)
        this.#error(`A query can have at most ${MAX_TERMS} parts.`, start, this.text.length);
      return;
    }
    if (key !== null) {
      const before = this.terms.find((one) => one.key === key && one.negated === negated);
      if (before) {
        const sign = negated ? '-' : '';
        const many = this.keys.find(({ name }) => name === key)?.many !== false;
        this.#error(
          many
            ? `${sign}${key}: is already used; combine its values, as in ${sign}${key}:${[...before.values, ...term.values].map(printValue).join(',')}.`
            : `${sign}${key}: is already used; remove one of them.`,
          start,
          end,
        );
        return;
      }
    }
    this.terms.push(term);
  }

  #textTerm(negated: boolean): Term | null {
    const value = this.#value(false);
    if (value === null) return null;
    if (value.text.trim() === '') {
      this.#error('The quotes are empty.', value.start, value.end);
      return null;
    }
    return { key: null, negated, values: [value.text] };
  }

  #keyed(written: string, negated: boolean): Term | null {
    const start = this.#at;
    const name = written.toLowerCase();
    const key = this.keys.find((one) => one.name === name);
    this.#at += written.length + 1;
    const values: string[] = [];
    for (;;) {
      const at = this.#at;
      if (this.#ended() || this.text[at] === ',') {
        // Irrelevant for an unknown key.
        if (key) this.#error(`${name}: needs a value here, as in ${key.example}.`, start, at);
        if (this.text[at] !== ',') break;
        this.#at++;
        continue;
      }
      const value = this.#value(true);
      if (value === null) return null;
      if (key) this.#check(key, value);
      if (values.includes(value.text) && key)
        this.#error(`“${value.text}” appears twice; remove one.`, value.start, value.end);
      values.push(value.text);
      if (values.length === MAX_VALUES + 1)
        this.#error(`${name}: takes at most ${MAX_VALUES} values.`, value.start, value.end);
      if (values.length === 2 && key?.many === false)
        this.#error(`${name}: takes one value, as in ${key.example}.`, value.start, value.end);
      if (this.text[this.#at] !== ',') break;
      this.#at++;
    }
    if (!key) {
      const near = nearest(
        name,
        this.keys.map((one) => one.name),
      );
      const whole = this.text.slice(start, this.#at);
      this.#error(
        `Unknown filter “${name}”${near ? `; did you mean ${near}:?` : '.'} To search for it as text, put it in quotes: ${quote(whole)}`,
        start,
        this.#at,
      );
      return null;
    }
    if (negated && key.negatable === false) {
      this.#error(`${name}: can’t be excluded with “-”; remove the “-”.`, start - 1, this.#at);
      return null;
    }
    return { key: name, negated, values };
  }

  #check(key: QueryKey, value: Value): void {
    const wrong = value.text === '' ? 'The quotes are empty.' : (key.check?.(value.text) ?? null);
    if (wrong !== null) this.#error(wrong, value.start, value.end);
  }

  #value(inList: boolean): Value | null {
    const start = this.#at;
    const value = this.text[start] === '"' ? this.#quoted() : this.#bare(inList);
    if (value !== null && CONTROL.test(value.text)) {
      this.#error('Control characters can’t be searched for; remove them.', value.start, value.end);
      return null;
    }
    return value;
  }

  #bare(inList: boolean): Value | null {
    const start = this.#at;
    while (!this.#ended() && !(inList && this.text[this.#at] === ',')) {
      if (this.text[this.#at] === '"') {
        this.#error('A quote can only start a value; put the whole value in quotes.', this.#at, this.#at + 1);
        while (!this.#ended()) this.#at++;
        return null;
      }
      this.#at++;
    }
    return { text: this.text.slice(start, this.#at), start, end: this.#at };
  }

  #quoted(): Value | null {
    const start = this.#at;
    let text = '';
    for (this.#at++; this.#at < this.text.length; this.#at++) {
      const char = this.text[this.#at]!;
      if (char === '"') {
        this.#at++;
        if (this.#ended() || this.text[this.#at] === ',') return { text, start, end: this.#at };
        this.#error('A space is missing after the closing quote.', this.#at, this.#at + 1);
        while (!this.#ended()) this.#at++;
        return null;
      }
      const next = this.text[this.#at + 1];
      if (char === '\\' && (next === '"' || next === '\\')) {
        text += next;
        this.#at++;
      } else text += char;
    }
    this.#error('The closing quote is missing.', start, this.text.length);
    return null;
  }

  /** At white space or the end. */
  #ended(): boolean {
    return this.#at >= this.text.length || SPACE.test(this.text[this.#at]!);
  }
}

/** Returns text that parses to these terms. */
export function printQuery(terms: readonly Term[]): string {
  return terms.map(printTerm).join(' ');
}

export function printTerm({ key, negated, values }: Term): string {
  const sign = negated ? '-' : '';
  if (key === null) return sign + printText(values[0] ?? '');
  return `${sign}${key}:${values.map(printValue).join(',')}`;
}

const printValue = (value: string) => (/^[^\s",\\]+$/.test(value) ? value : quote(value));
const printText = (text: string) => (/^[^\s":\\-][^\s":\\]*$/.test(text) ? text : quote(text));
const quote = (text: string) => `"${text.replace(/[\\"]/g, (char) => `\\${char}`)}"`;

/** Returns the candidate one typo away from `word`, if any. */
export function nearest(word: string, words: readonly string[]): string | null {
  const found = words.find((one) => one.startsWith(word) && word.length >= 2);
  if (found) return found;
  const close = words.filter((one) => distance(word, one) <= (one.length > 4 ? 2 : 1));
  return close.sort((a, b) => distance(word, a) - distance(word, b))[0] ?? null;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
