import { z } from 'zod';

/* Fields of dstack's replies in JSON mode, for the host, the gateway and the KMS: see `schemas.ts`. */

export const text = z
  .string()
  .nullish()
  .transform((v) => v ?? '');
/** Empty is unset. */
export const optionalText = z
  .string()
  .nullish()
  .transform((v) => (v === undefined || v === '' ? null : v));
export const flag = z
  .boolean()
  .nullish()
  .transform((v) => v ?? false);
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((v) => v ?? []);
export const orNull = <T extends z.ZodType>(item: T) => item.nullish().transform((v) => v ?? null);
