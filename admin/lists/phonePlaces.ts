import type { ColumnDescription } from '../schema/types';

/**
 * Returns where columns stand on a phone: the first state, or without one the first amount, beside the row's name; two others
 * below it, of which one is an amount if there is any.
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
  return (index) =>
    index === 0 ? undefined : index === end ? 'end' : below.includes(index) ? 'meta' : 'hide';
}
