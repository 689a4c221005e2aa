import type { ColumnDescription } from '../schema/types';

/** Texts of at least this length are sentences. */
const MIN_SENTENCE = 300;

export const isSentence = ({ type, maxLength = 0 }: ColumnDescription): boolean =>
  type === 'long_text' || (type === 'text' && maxLength >= MIN_SENTENCE);

/**
 * Returns the columns' places on a phone: the first state, or else the first amount, beside the row's name; two
 * others below it, including an amount if there is one. Rows named by a message also show its time; log entries
 * show the time and the actor.
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
