import type { RequestHandler, Router } from 'express';
import { ACI_VERSION, NONCE } from '../../../console/lib/ai/aci';
import { findReceipt } from '../../db/ai/aiRequests';
import type { Aci } from '../../domain/ai/aci';
import { AiError } from '../../domain/ai/aiError';
import { invalidRequest } from '../../domain/ai/requestBody';
import type { Services } from '../../operations/types';
import type { KeyReader } from './key';

/** Sets the headers of every ACI service response, including errors and preflights. */
export const aciHeaders =
  (aci: Aci): RequestHandler =>
  (_req, res, next) => {
    res.setHeader('X-ACI-Version', ACI_VERSION);
    res.setHeader('X-ACI-Keyset-Digest', aci.digest());
    next();
  };

/** Serves the documents of an ACI service below `/aci`. */
export function mountAci(gateway: Router, { db }: Pick<Services, 'db'>, aci: Aci, readKey: KeyReader): void {
  gateway.get('/aci/attestation', (req, res) => {
    const { nonce } = req.query;
    if (nonce !== undefined && (typeof nonce !== 'string' || !NONCE.test(nonce)))
      throw invalidRequest('Send 32 bytes as 64 lowercase hexadecimal digits.', 'nonce');
    res.json(aci.report(nonce ?? null));
  });

  gateway.get('/aci/receipts/:id', async (req, res) => {
    const { id } = req.params;
    if (req.get('authorization') === undefined)
      throw new AiError(401, 'unauthorized', null, 'Send the AI key that made the request.');
    // Same answer for a wrong key and a missing receipt.
    const key = await readKey(req).catch((error: unknown) => {
      if (error instanceof AiError && error.status === 401) return null;
      throw error;
    });
    const receipt = key && (await findReceipt(db, key.id, id.slice(0, 200)));
    if (!receipt)
      throw new AiError(
        404,
        'not_found',
        null,
        'This key has no such receipt. It is stored when the answer ends.',
      );
    res.json(receipt);
  });

  // A session records a verified model server, and this gateway verifies none.
  gateway.get('/aci/sessions', (_req, res) => void res.json({ api_version: ACI_VERSION, sessions: [] }));
  gateway.get('/aci/sessions/:id', () => {
    throw new AiError(
      404,
      'not_found',
      null,
      'This gateway has no attested sessions: it forwards prompts without verifying the model server.',
    );
  });
}
