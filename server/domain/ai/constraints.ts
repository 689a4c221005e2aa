import * as z from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { AiError } from './aiError';
import { invalidRequest } from './requestBody';
import type { ModelRequest } from './modelRequest';

const constraints = z.looseObject({
  aci_verified: z.boolean().optional(),
  aci_session_ids: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .min(1)
    .max(100)
    .optional(),
});

/**
 * Checks a request's serving constraints (aci/1, §5.3). The built-in gateway runs in no TEE and has no
 * sessions, so it meets no constraint.
 * @returns the refusal; null without constraints
 * @throws {AiError} 400 for malformed ones
 */
export function constraintRefusal({ given: { provider } }: ModelRequest): AiError | null {
  if (provider === undefined || provider === null) return null;
  const given = constraints.safeParse(provider);
  if (!given.success)
    throw invalidRequest(
      'aci_verified is a boolean, and aci_session_ids a list of session IDs that isn’t empty.',
      'provider',
    );
  const { aci_verified, aci_session_ids, ...rest } = given.data;
  const unknown = Object.keys(rest).find((name) => name.startsWith('aci_'));
  if (unknown !== undefined)
    throw invalidRequest(`Unknown constraint ${cutWhole(unknown, 100)}.`, 'provider');
  if (aci_session_ids !== undefined) {
    if (aci_verified === false)
      throw invalidRequest('aci_session_ids implies aci_verified; it can’t be false.', 'provider');
    return new AiError(412, 'session_not_accepted', null, 'This gateway has no attested sessions.');
  }
  if (aci_verified === true)
    return new AiError(
      503,
      'upstream_verification_failed',
      null,
      'This gateway doesn’t run in a TEE, so it can’t serve the request as verified. The prompt was not used.',
      { retry: false },
    );
  return null;
}
