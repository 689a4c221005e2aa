import type { ColumnDescription } from '../schema/types';

/** From this length on, texts are sentences. */
const MIN_SENTENCE = 300;

export const isSentence = ({ type, maxLength = 0 }: ColumnDescription): boolean =>
  type === 'long_text' || (type === 'text' && maxLength >= MIN_SENTENCE);

/**
 * Returns where columns stand on a phone: the first state, or without one the first amount, beside the row's name; two others
 * below it, of which one is an amount if there is any. Rows that are named by a message say when it was written, too; entries of
 * a log say when, and who did it.
 */
export function phonePlaces(
  fields: readonly ColumnDescription[],
): (index: number) => 'end' | 'meta' | 'hide' | undefined {
  const first = (wanted: string) =>
    fields.findIndex(({ type, hidden }, index) => index > 0 && type === wanted && !hidden);
  const [state, money, time] = [first('status'), first('money'), first('time')];
  const actor = fields.findIndex(({ name, hidden }) => name === 'actor' && !hidden);
  const end = [state, money, actor < 0 ? -1 : time].find((index) => index >= 0);
  if (end === undefined) return () => undefined;
  const others = [...fields.keys()].slice(1).filter((index) => index !== end);
  const [second, third] = others;
  const below = [second, money >= 0 && money !== end && money !== second ? money : third];
  if (money < 0 && fields[0] !== undefined && isSentence(fields[0])) below.push(time);
  if (end === time) below.push(actor);
  return (index) =>
    index === 0 ? undefined : index === end ? 'end' : below.includes(index) ? 'meta' : 'hide';
}
