import type { PublicEvidence } from '../../../generated/api/types.gen';
import { DEFAULT_CHOICES } from '../../lib/attestation/expected';
import { verifyAnswer, type Verified } from '../../lib/attestation/verifyAnswer';
import { reasonOf } from './reasonOf';

export type Verification =
  | { step: 'failed'; reason: string }
  | { step: 'done'; answer: PublicEvidence; verified: Verified };

export const evidencePath = (appId: string, vmUuid: string) =>
  `/api/v1/explorer/apps/${appId}/evidence?vm_uuid=${vmUuid}`;

/** Fetches a CVM's evidence and verifies it in this browser. Never rejects: failures have a reason. */
export async function verifyApp(appId: string, vmUuid: string, verify = verifyAnswer): Promise<Verification> {
  const failed = (reason: string): Verification => ({ step: 'failed', reason });
  let reply: Response;
  let answer: PublicEvidence;
  try {
    reply = await fetch(evidencePath(appId, vmUuid));
    if (reply.status === 429) return failed(reasonOf(429, null, reply.headers.get('retry-after')));
    if (!reply.ok) return failed(`The server answered ${reply.status}. Try again in a minute.`);
    answer = (await reply.json()) as PublicEvidence;
  } catch (error) {
    return failed(
      error instanceof SyntaxError
        ? 'The server’s answer isn’t valid. Try again in a minute.'
        : 'Couldn’t reach the server. Check your connection.',
    );
  }
  try {
    return { step: 'done', answer, verified: await verify(answer, DEFAULT_CHOICES) };
  } catch (error) {
    // The answer lacks a part.
    if (!(error instanceof Error) || error instanceof TypeError)
      return failed('The evidence couldn’t be read. Try again in a minute.');
    return failed(error.message);
  }
}
