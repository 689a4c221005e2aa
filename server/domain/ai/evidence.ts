import { AiError } from './aiError';

interface Route {
  /** Whether its server must prove what it runs before a prompt is sent there. */
  evidence_required: boolean;
}

/** The built-in gateway verifies no evidence, so it never uses an upstream that must have some. */
export const withoutEvidence = <T extends Route>(routes: readonly T[]): T[] =>
  routes.filter(({ evidence_required }) => !evidence_required);

/** Whether a gateway in a TEE can serve a model with verified evidence. */
export const canBeVerified = ({ routes }: { routes: readonly Route[] }): boolean =>
  routes.some(({ evidence_required }) => evidence_required);

/** Returns the built-in gateway's refusal of a model whose servers all must have evidence (aci/1, §7.5); null for another. */
export function evidenceRefusal({ routes }: { routes: readonly Route[] }): AiError | null {
  if (routes.length === 0 || withoutEvidence(routes).length > 0) return null;
  return new AiError(
    503,
    'upstream_verification_failed',
    null,
    'This model’s servers must prove what they run, and this gateway verifies no evidence. The prompt was not forwarded. Use the address of a gateway in a TEE.',
    { retry: false },
  );
}
