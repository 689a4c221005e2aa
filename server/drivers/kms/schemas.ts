import { z } from 'zod';

const hex = z
  .string()
  .regex(/^(0x)?([0-9a-f]{2})*$/i)
  .transform((v) => v.replace(/^0x/i, '').toLowerCase());
const optional = z
  .string()
  .nullish()
  .transform((v) => (v === undefined || v === '' ? null : v));
const flag = z
  .boolean()
  .nullish()
  .transform((v) => v ?? false);

/** GetMeta's response. Older versions omit fields they don't have; unset ones are null. */
export const kmsMeta = z.object({
  ca_cert: z
    .string()
    .nullish()
    .transform((v) => v ?? ''),
  /** compressed secp256k1 point, 33 bytes */
  k256_pubkey: hex.pipe(z.string().length(66)),
  /** SPKI (DER) of the root CA key, for a KMS that was bootstrapped and not onboarded */
  bootstrap_info: z
    .object({ ca_pubkey: hex })
    .nullish()
    .transform((v) => v ?? null),
  allow_any_upgrade: flag,
  is_dev: flag,
  gateway_app_id: optional,
  kms_contract_address: optional,
  chain_id: z
    .number()
    .nullish()
    .transform((v) => v ?? null),
  app_auth_implementation: optional,
});
