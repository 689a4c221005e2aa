import { randomBytes } from 'node:crypto';
import type { Request, Router } from 'express';
import { aciReceipt } from '../../../console/lib/ai/aci';
import { findReceipt } from '../../db/ai/aiRequests';
import { AiError } from '../../domain/ai/aiError';
import {
  createLegacySigners,
  LEGACY_ALGOS,
  legacyText,
  type LegacyAlgo,
  type LegacySigner,
} from '../../domain/ai/legacyProof';
import { invalidRequest } from '../../domain/ai/requestBody';
import type { Services } from '../../operations/types';
import type { KeyReader } from './key';

const NONCE = /^[0-9a-f]{64}$/i;

/** Serves the endpoints from before aci/1, `/attestation/report` and `/signature/{id}`, in vllm-proxy's formats. */
export function mountLegacy(
  gateway: Router,
  { db, seal }: Pick<Services, 'db' | 'seal'>,
  readKey: KeyReader,
): void {
  const signers = createLegacySigners(seal);

  gateway.get('/attestation/report', (req, res) => {
    const signing_algo = algoIn(req);
    const { current, all } = signers[signing_algo];
    const nonce = textIn(req, 'nonce') ?? randomBytes(32).toString('hex');
    if (!NONCE.test(nonce)) throw invalidRequest('Send 32 bytes as 64 hexadecimal digits.', 'nonce');
    const wanted = textIn(req, 'signing_address');
    const shown =
      wanted === null ? current : all.find(({ address }) => address.toLowerCase() === wanted.toLowerCase());
    if (!shown) throw new AiError(404, 'not_found', null, 'This gateway has no key with this address.');
    const reportOf = ({ address, public_key }: LegacySigner) => ({
      signing_address: address,
      signing_algo,
      signing_public_key: public_key,
      request_nonce: nonce,
      // Nothing vouches for the key.
      intel_quote: null,
      nvidia_payload: null,
      event_log: null,
      info: { note: 'This gateway is part of a server that does not run in a TEE.' },
    });
    res.json({ ...reportOf(shown), all_attestations: all.map(reportOf) });
  });

  gateway.get('/signature/:id', async (req, res) => {
    const key = await readKey(req);
    const signing_algo = algoIn(req);
    const found = await findReceipt(db, key.id, req.params.id.slice(0, 200));
    const receipt = aciReceipt.safeParse(found).data;
    const text = receipt ? legacyText(receipt) : null;
    if (text === null)
      throw new AiError(
        404,
        'not_found',
        null,
        'This key has no such answer. Its signature exists once the answer has ended.',
      );
    const { address, sign } = signers[signing_algo].current;
    res.json({ text, signature: sign(text), signing_address: address, signing_algo });
  });
}

/** Returns a query parameter; null if absent. @throws {AiError} 400 if it is repeated */
function textIn({ query }: Request, name: 'nonce' | 'signing_address' | 'signing_algo'): string | null {
  const value = query[name];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  throw invalidRequest('Send it once.', name);
}

function algoIn(req: Request): LegacyAlgo {
  const given = textIn(req, 'signing_algo') ?? 'ecdsa';
  const algo = LEGACY_ALGOS.find((one) => one === given);
  if (algo) return algo;
  throw invalidRequest(`Send ${LEGACY_ALGOS.join(' or ')}.`, 'signing_algo');
}
