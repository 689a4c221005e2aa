import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DATABASE_RETRY_SECONDS, isDatabaseUnavailable } from '../../db/core/unavailable';
import { recordDecision } from '../../db/kms/bootDecisions';
import { askingKms, noteAsked, type AskingKms } from '../../db/kms/kmsWebhooks';
import { contractOfKms, type ChainContract } from '../../domain/kms/chainContract';
import type { MeasuredBoot } from '../../domain/kms/bootRule';
import { ChainError } from '../../drivers/chain';
import type { Services } from '../../operations/types';
import { isWithin } from '../connection/rateHeaders';
import { createWrongTokens } from '../connection/wrongTokens';
import { readBootInfo } from './bootInfo';
import { decide, INCOMPLETE } from './decide';

/** A boot has 11 short fields. */
const MAX_BYTES = 32 * 1024;
/** Requests per KMS and minute: a power cut may end in thousands of boots. */
const ASKED = { name: 'kms_auth', points: 1200, duration: 60 };
const ANSWER_MS = 10_000;
const NO_ADDRESS = `0x${'0'.repeat(40)}`;

type Asking = (kms: AskingKms, req: Request, res: Response, signal: AbortSignal) => Promise<void>;

/**
 * The webhook that dstack's KMS calls before releasing keys (`core.auth_api.webhook.url` in its configuration),
 * with the replies of dstack's own backend. Undecidable requests are refused. Mounted before JSON parsing; its
 * clients aren't users.
 */
export function mountKmsAuth(app: Express, services: Pick<Services, 'db' | 'chain' | 'log'>): void {
  const { db, log } = services;
  const mayTry = createWrongTokens();
  const asked = new RateLimiterMemory(ASKED);
  const busy = (res: Response) =>
    void res.status(429).set('Retry-After', '60').json({ error: 'Too many requests' });

  const identified =
    (work: Asking): RequestHandler =>
    async (req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      const abort = new AbortController();
      res.once('close', () => abort.abort());
      try {
        // The URL's last part is for its readers: it keeps the name that the KMS had when the URL was created.
        const kms = await askingKms(db, String(req.params.token));
        if (!kms) {
          if (!(await mayTry(req))) return busy(res);
          return void res
            .status(404)
            .json({ error: 'No KMS has this URL. Create a new one in the admin area.' });
        }
        if (!(await isWithin(asked, ASKED, kms.id, res))) return busy(res);
        await noteAsked(db, kms.id);
        await work(kms, req, res, abort.signal);
      } catch (error) {
        if (abort.signal.aborted) return;
        const isAway = isDatabaseUnavailable(error);
        log[isAway ? 'warn' : 'error']({ err: error }, "failed to answer a KMS's request");
        if (res.headersSent) return;
        if (isAway) res.status(503).set('Retry-After', String(DATABASE_RETRY_SECONDS));
        else res.status(500);
        res.json({ error: isAway ? "The database isn't available at the moment" : 'Internal server error' });
      }
    };

  const boot = (subject: MeasuredBoot['subject']): RequestHandler =>
    identified(async (kms, req, res, signal) => {
      const given = readBootInfo(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0), subject);
      if ('wrong' in given) return void res.status(400).json({ error: given.wrong });
      const decision = await decide(services, kms, given, signal);
      const { allowed, reason, gateway_app_id, team_id, block_number } = decision;
      await recordDecision(db, {
        kms,
        team_id,
        subject,
        app_id: given.app_id,
        allowed,
        reason,
        boot: {
          compose_hash: given.compose_hash,
          device_id: given.device_id,
          os_image_hash: given.os_image_hash,
          ...(subject === 'kms' ? { mr_aggregated: given.mr_aggregated } : {}),
          tcb_status: given.tcb_status,
          advisory_ids: given.advisory_ids.join(' '),
        },
        read: {
          instance_id: given.instance_id,
          mr_aggregated: given.mr_aggregated,
          tee_variant: given.tee_variant,
          block_number,
        },
        ip: req.ip ?? '',
        request_id: String(res.locals.request_id),
      });
      res.json({ isAllowed: allowed, gatewayAppId: gateway_app_id, reason });
    });

  const body = express.raw({ type: () => true, limit: MAX_BYTES });
  app.post('/kms-auth/:token/:slug/bootAuth/app', body, boot('app'));
  app.post('/kms-auth/:token/:slug/bootAuth/kms', body, boot('kms'));
  app.get(
    '/kms-auth/:token/:slug',
    identified(async (kms, _req, res, signal) => {
      const contract = contractOfKms(kms);
      if (contract === 'incomplete') return void res.status(503).json({ status: 'error', error: INCOMPLETE });
      try {
        res.json({ status: 'ok', ...(await describe(services, kms, contract, signal)) });
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        res.status(503).json({ status: 'error', error: error.message });
      }
    }),
  );
}

/** A KMS shows this to its clients. Its fields are required, so absent values are empty. */
async function describe(
  { chain }: Pick<Services, 'chain'>,
  kms: AskingKms,
  contract: ChainContract | null,
  signal: AbortSignal,
) {
  if (!contract)
    return {
      kmsContractAddr: NO_ADDRESS,
      ethRpcUrl: '',
      gatewayAppId: kms.gateway_app_id ?? '',
      chainId: 0,
      appImplementation: NO_ADDRESS,
    };
  const { gateway_app_id, app_implementation } = await chain.describeKms(
    contract,
    AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
  );
  return {
    kmsContractAddr: contract.address,
    // The URL may contain an access key, and the KMS shows it to anyone.
    ethRpcUrl: '',
    gatewayAppId: gateway_app_id,
    chainId: contract.chain_id,
    appImplementation: app_implementation ?? NO_ADDRESS,
  };
}
