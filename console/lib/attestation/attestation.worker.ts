// Verifies in a worker, so that signature checks don't block the page.

import type { VerifyAnswer, VerifyRequest } from './inWorker';
import { verifyEvidence } from './verify';

self.addEventListener('message', ({ data }: MessageEvent<VerifyRequest>) => {
  void answer(data).then((reply) => self.postMessage(reply));
});

async function answer({ id, evidence, options }: VerifyRequest): Promise<VerifyAnswer> {
  try {
    return { id, report: await verifyEvidence(evidence, options) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : 'unknown error' };
  }
}
