// The language of search boxes: `kind:update.failed severity:error,warning -cvm:web "host eu-1" after:2026-11-01`.
//
//   query = term, separated by white space; all of them must hold
//   term  = "-"? key ":" value ("," value)*      any of the values
//         | "-"? value                            text
//   value = bare | '"' … '"'                      in quotes, \" and \\ stand for " and \
//
// Which keys there are, and what their values may be, is the schema's to say.

export interface Term {
  /** Null: text that is looked for. */
  key: string | null;
  negated: boolean;
  /** At least one; of text exactly one. */
  values: readonly string[];
}

export interface QueryKey {
  name: string;
  /** Of a value: null when it is good, else what is wrong and what to write, as a sentence. */
  check?: (value: string) => string | null;
  /** Several values with commas; true when absent. */
  many?: boolean;
  /** `-key:` is allowed; true when absent. */
  negatable?: boolean;
  /** For messages: "kind:update.failed". */
  example: string;
}

export interface QueryError {
  /** What is wrong, and what to do about it. */
  message: string;
  /** Of the text that is wrong, in UTF-16 units; `end` is behind its last. */
  start: number;
  end: number;
}

/** Where a term stands in the text it was read from. */
export interface PlacedTerm extends Term {
  start: number;
  end: number;
}

export interface Parsed {
  /** Those that are whole and right, in order. */
  terms: PlacedTerm[];
  /** In order of their place; empty when the query is good. */
  errors: QueryError[];
}

export const MAX_QUERY_LENGTH = 1000;
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

/** Reads a query. Never throws: what is wrong is in `errors`, and the rest is still read. */
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
        `A query is at most ${MAX_QUERY_LENGTH} characters; this one has ${text.length}.`,
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
      this.#error('Nothing follows “-”: write what is to be left out, without a space.', start, this.#at);
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
        this.#error(`A query has at most ${MAX_TERMS} parts.`, start, this.text.length);
      return;
    }
    if (key !== null) {
      const before = this.terms.find((one) => one.key === key && one.negated === negated);
      if (before) {
        const sign = negated ? '-' : '';
        const many = this.keys.find(({ name }) => name === key)?.many !== false;
        this.#error(
          many
            ? `${sign}${key}: is there already; write its values together, as in ${sign}${key}:${[...before.values, ...term.values].map(printValue).join(',')}.`
            : `${sign}${key}: is there already; remove one of them.`,
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
      this.#error('There is nothing between the quotes.', value.start, value.end);
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
        // Of an unknown key it does not matter.
        if (key) this.#error(`${name}: needs a value here, as in ${key.example}.`, start, at);
        if (this.text[at] !== ',') break;
        this.#at++;
        continue;
      }
      const value = this.#value(true);
      if (value === null) return null;
      if (key) this.#check(key, value);
      if (values.includes(value.text) && key)
        this.#error(`“${value.text}” is there twice; remove one.`, value.start, value.end);
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
        `There is no filter “${name}”${near ? `; did you mean ${near}:?` : '.'} To look for it as text, put it in quotes: ${quote(whole)}`,
        start,
        this.#at,
      );
      return null;
    }
    if (negated && key.negatable === false) {
      this.#error(`${name}: cannot be left out with “-”; remove the “-”.`, start - 1, this.#at);
      return null;
    }
    return { key: name, negated, values };
  }

  #check(key: QueryKey, value: Value): void {
    const wrong =
      value.text === '' ? 'There is nothing between the quotes.' : (key.check?.(value.text) ?? null);
    if (wrong !== null) this.#error(wrong, value.start, value.end);
  }

  #value(inList: boolean): Value | null {
    const start = this.#at;
    const value = this.text[start] === '"' ? this.#quoted() : this.#bare(inList);
    if (value !== null && CONTROL.test(value.text)) {
      this.#error('Control characters cannot be looked for; remove them.', value.start, value.end);
      return null;
    }
    return value;
  }

  #bare(inList: boolean): Value | null {
    const start = this.#at;
    while (!this.#ended() && !(inList && this.text[this.#at] === ',')) {
      if (this.text[this.#at] === '"') {
        this.#error('A quote can only begin a value; put the whole value in quotes.', this.#at, this.#at + 1);
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

/** The text that reads as these terms. */
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

/** The one of these that a slip of the hand turns into `word`, if there is one. */
export function nearest(word: string, words: readonly string[]): string | null {
  const found = words.find((one) => one.startsWith(word) && word.length >= 2);
  if (found) return found;
  const close = words.filter((one) => distance(word, one) <= (one.length > 4 ? 2 : 1));
  return close.sort((a, b) => distance(word, a) - distance(word, b))[0] ?? null;
}

/** Levenshtein's. */
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
