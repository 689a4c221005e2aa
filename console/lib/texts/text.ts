import type { TextKey } from '../../../generated/api/types.gen';
import { ownValue } from '../ownValue';
import { curly } from './curly';
import { cutWhole } from './cutWhole';

/** Sentences by ID, each with its parameters. An ID's parameters never change: different ones need a new ID. */
export type Sentences = Readonly<Record<string, (params: never) => string>>;

/**
 * A text from the server: `keys` for pages, which have their own sentence for each, and `text` for other clients.
 */
export interface Text {
  keys: TextKey[];
  text: string;
}

const MAX_LENGTH = 2000;
const MAX_VALUE = 200;

type Params = TextKey['params'];

/** Returns a function that writes these sentences. Its parameter types follow from the ID. */
export const writerOf =
  <S extends Sentences>(sentences: S) =>
  <Id extends keyof S & TextKey['id']>(id: Id, ...values: Parameters<S[Id]>): Text => {
    const params = cut((values as readonly Params[])[0] ?? {});
    return { keys: [{ id, params }], text: cutWhole(render(sentences[id], params), MAX_LENGTH) };
  };

/** Truncates external values to the API's limits. */
const cut = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? cutWhole(value, name === 'text' ? MAX_LENGTH : MAX_VALUE) : value,
    ]),
  );

/** @param sentence the one the parameters belong to, here or on the server */
const render = (sentence: Sentences[string] | undefined, params: Params): string =>
  (sentence as ((params: Params) => string) | undefined)?.(params) ?? '';

export const join = (...texts: readonly Text[]): Text => ({
  keys: texts.flatMap(({ keys }) => keys),
  text: cutWhole(paragraph(texts.map(({ text }) => text)), MAX_LENGTH),
});

/** Joins sentences; a host's own text may lack the final period. */
const paragraph = (sentences: readonly string[]): string =>
  sentences
    .map((sentence, at) =>
      at < sentences.length - 1 && !/[.:!?…]$/.test(sentence) ? `${sentence}.` : sentence,
    )
    .join(' ');

/** Returns a function that renders texts made of these sentences. */
export function readerOf(sentences: Sentences) {
  /** @param sentence the server's text, shown if there are no keys or one is unknown to this page */
  function show(keys: readonly TextKey[], sentence: string): string;
  function show(keys: readonly TextKey[], sentence: string | null): string | null;
  function show(keys: readonly TextKey[], sentence: string | null): string | null {
    if (sentence === null) return null;
    if (keys.length === 0 || !keys.every(({ id }) => Object.hasOwn(sentences, id))) return curly(sentence);
    return curly(paragraph(keys.map(({ id, params }) => render(ownValue(sentences, id), params))));
  }
  return show;
}
