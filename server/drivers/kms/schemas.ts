import { z } from 'zod';
import { flag, optionalText, orNull, text } from '../vmm/replyFields';

const hex = z
  .string()
  .regex(/^(0x)?([0-9a-f]{2})*$/i)
  .transform((v) => v.replace(/^0x/i, '').toLowerCase());
/** GetMeta's response. Older versions omit fields they don't have; unset ones are null. */
export const kmsMeta = z.object({
  ca_cert: text,
  /** compressed secp256k1 point, 33 bytes */
  k256_pubkey: hex.pipe(z.string().length(66)),
  /** SPKI (DER) of the root CA key, for a KMS that was bootstrapped and not onboarded */
  bootstrap_info: orNull(z.object({ ca_pubkey: hex })),
  allow_any_upgrade: flag,
  is_dev: flag,
  gateway_app_id: optionalText,
  kms_contract_address: optionalText,
  chain_id: orNull(z.number()),
  app_auth_implementation: optionalText,
});
