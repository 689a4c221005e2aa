import { z } from 'zod';
import { isReservedSlug } from '../console/lib/ids';
import { optional, variable } from './configVariable';

const DEFAULT_FRAMEWORK = 'eliza';

/** Variables for the public pages; see configVariables.ts. */
export const SITE_VARIABLES = {
  AGENT_FRAMEWORK: variable({
    what: 'Name of the agent framework, used for its public URL and CVM tab. Reserved as a team slug.',
    default: DEFAULT_FRAMEWORK,
    expected:
      'lowercase letters, digits and dashes, at most 40, and no address the product uses (admin, login, …)',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/)
      .refine((name) => name === DEFAULT_FRAMEWORK || !isReservedSlug(name)),
  }),
  SECURITY_CONTACT: variable({
    what: 'Where to report vulnerabilities, published as /.well-known/security.txt.',
    expected: 'an address such as mailto:security@example.com or https://example.com/security',
    schema: optional(
      z
        .string()
        .max(300)
        .refine((value) => URL.canParse(value) && ['mailto:', 'https:'].includes(new URL(value).protocol)),
    ),
  }),
};
