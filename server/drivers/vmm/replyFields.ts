import { z } from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { withoutTokens } from '../../domain/teams/token';

/*
 * Fields of dstack's replies in JSON mode, for the host, the gateway and the KMS: see `schemas.ts`. Stored or
 * displayed values are bounded here, because one host's reply must not spoil the lists that other teams read.
 */

/** PostgreSQL stores no NUL, and no lone surrogates in JSON. */
const storable = (value: string | null | undefined): string =>
  (value ?? '').replaceAll(/\0|\p{Surrogate}/gu, '\ufffd');

export const text = z.string().nullish().transform(storable);
/**
 * A name, version, state or message of at most this many characters; the rest is cut off. A guest repeats its
 * KMS's text, which may contain the KMS's webhook URL.
 */
export const label = (most: number) => text.transform((v) => cutWhole(withoutTokens(v), most));
/** Empty is unset. */
export const optionalText = text.transform((v) => (v === '' ? null : v));
export const optionalLabel = (most: number) => label(most).transform((v) => (v === '' ? null : v));
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

/** A count that fits an `integer` column. */
export const count = z
  .number()
  .nullish()
  .transform((v) => Math.min(Math.max(0, Math.trunc(v ?? 0)), 0x7fff_ffff));
