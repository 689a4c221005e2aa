import type { ColumnDescription } from '../schema/types';

/** From this length on, texts are sentences. */
const MIN_SENTENCE = 300;

export const isSentence = ({ type, maxLength = 0 }: ColumnDescription): boolean =>
  type === 'long_text' || (type === 'text' && maxLength >= MIN_SENTENCE);

/**
 * Returns where columns stand on a phone: the first state, or without one the first amount, beside the row's name; two others
 * below it, of which one is an amount if there is any. Rows that are named by a message say when it was written, too.
 */
export function phonePlaces(
  fields: readonly ColumnDescription[],
): (index: number) => 'end' | 'meta' | 'hide' | undefined {
  const first = (wanted: string) =>
    fields.findIndex(({ type, hidden }, index) => index > 0 && type === wanted && !hidden);
  const [state, money] = [first('status'), first('money')];
  const end = state >= 0 ? state : money;
  if (end < 0) return () => undefined;
  const others = [...fields.keys()].slice(1).filter((index) => index !== end);
  const [second, third] = others;
  const below = [second, money >= 0 && money !== end && money !== second ? money : third];
  if (money < 0 && fields[0] !== undefined && isSentence(fields[0])) below.push(first('time'));
  return (index) =>
    index === 0 ? undefined : index === end ? 'end' : below.includes(index) ? 'meta' : 'hide';
}
