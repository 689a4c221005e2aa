// The verifier benchmark's baseline, in a worker with the interface of the console's own.

import { type Collateral, QuoteVerifier } from '@phala/dcap-qvl';
import { Buffer } from 'buffer';
import type { TheirRequest } from './jobs';

self.addEventListener('message', ({ data }: MessageEvent<TheirRequest>) => {
  const verifier = QuoteVerifier.newWithRootCa(Buffer.from(data.root));
  const { status } = verifier.verify(data.quote, data.collateral as unknown as Collateral, data.now);
  self.postMessage({ id: data.id, status });
});
