import * as z from 'zod';

/**
 * External lists that stop at their first fault: an array schema checks every element and keeps a finding for
 * each, which for a body of a megabyte is hundreds of thousands.
 */

/** A list with bounded length. Only its first faulty item is named. */
export const listOf = <T>(item: z.ZodType<T>, { least = 0, most }: { least?: number; most: number }) =>
  z
    .array(z.unknown())
    .min(least)
    .max(most)
    .transform((items, ctx): T[] => {
      const read: T[] = [];
      for (const [index, one] of items.entries()) {
        const { success, data, error } = item.safeParse(one);
        if (success) read.push(data);
        else {
          const [first] = error.issues;
          ctx.addIssue({
            code: 'custom',
            message: first?.message ?? 'Invalid input',
            path: [index, ...(first?.path ?? [])],
          });
          return z.NEVER;
        }
      }
      return read;
    });

export type Texts = string | number[] | string[] | number[][];

/** A text, its tokens, or up to `most` of either, as decided by the first item. */
export const texts = (most: number) =>
  z.custom<Texts>((value) => isTexts(value, most), {
    error: `Expected a string, an array of up to ${most} strings, or tokens`,
  });

function isTexts(value: unknown, most: number): boolean {
  if (typeof value === 'string') return true;
  if (!Array.isArray(value) || value.length === 0) return false;
  if (typeof value[0] === 'number') return value.every(isToken);
  if (value.length > most) return false;
  return typeof value[0] === 'string'
    ? value.every((one) => typeof one === 'string')
    : value.every((one) => Array.isArray(one) && one.length > 0 && one.every(isToken));
}

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
