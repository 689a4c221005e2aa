import { z } from 'zod';
import { ownValue } from '../console/lib/ownValue';

/** The form of a variable, and schemas that several of them share. */

export interface Variable<T> {
  /** Purpose; one line of docs/configuration.md. */
  what: string;
  /** Default as written in the environment; absent if the feature stays off without the variable. */
  default?: string;
  /** Describes a default that can't be written as a value. */
  defaultNote?: string;
  /** Describes valid values, for the error message. */
  expected: string;
  /** Never printed, even if it is invalid. */
  secret?: boolean;
  /** For a deprecated variable: a sentence that names its replacement. */
  deprecated?: string;
  schema: z.ZodType<T>;
}

export const variable = <T>(v: Variable<T>) => v;

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max);
/** A fraction, from 0 to 1. */
export const share = z
  .string()
  .regex(/^(0|1|[01]?\.\d{1,6})$/)
  .transform(Number)
  .pipe(z.number().min(0).max(1));
export const onOff = z.enum(['on', 'off', '1', '0']).transform((value) => value === 'on' || value === '1');
export const optional = <T>(schema: z.ZodType<T>) => schema.optional();

/** Returns a warning for each deprecated variable that is set. */
export const deprecationsIn = (
  settings: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, Pick<Variable<unknown>, 'deprecated'>>>,
): string[] =>
  Object.entries(variables).flatMap(([name, { deprecated }]) =>
    deprecated !== undefined && ownValue(settings, name)?.trim()
      ? [`${name} is deprecated. ${deprecated}`]
      : [],
  );
