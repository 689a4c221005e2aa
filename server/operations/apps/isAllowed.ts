import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { bytes32 } from '../../../console/lib/kms/hex';
import { deviceOfTeepod, knownHashes } from '../../db/apps/isAllowed';
import { findKmsById } from '../../db/hosts/fleet';
import { asksHere, expectedBoots } from '../../db/kms/kmsWebhooks';
import { contractOfKms } from '../../domain/kms/chainContract';
import { foreseenDecision, type ExpectedBoot, type KmsRule } from '../../domain/kms/bootRule';
import { bootRefusal, isRenounced } from '../../domain/kms/bootRefusal';
import { Problem } from '../../domain/core/problem';
import type { NumberedIsAllowed } from '../../domain/cvms/cvmResponse20260121';
import type { AppBoot } from '../../drivers/chain';
import { teamOf } from '../core/caller';
import { governedBy, readApp, type GoverningContract } from '../kms/onChain';
import type { Context } from '../types';

interface App {
  /** Row id. */
  id: number;
  app_id: string;
  kms_id: number | null;
}

export interface Question {
  compose_hash: string;
  device_id: string;
  /** Hash of the OS image, if known. */
  os_image_hash?: string | null;
  cvm?: { id: number; public_id: string };
}

export const bareHash = (hash: string) => hash.toLowerCase().replace(/^(0x|sha256:)/, '');

/** Returns the contract that guards an app's keys; null if none does. */
export async function contractOf(ctx: Context, app: App): Promise<GoverningContract | null> {
  return governedBy(app.kms_id === null ? null : await findKmsById(ctx.db, app.kms_id));
}

interface Decided {
  is_onchain: boolean;
  /** The contract has no owner anymore, so nothing more can be allowed. */
  is_final: boolean;
  decisions: NumberedIsAllowed[];
}

/** Returns whether the key service would release the app's keys, in the order of the questions. */
export async function decideIsAllowed(
  ctx: Context,
  app: App,
  questions: readonly Question[],
): Promise<Decided> {
  const kms = app.kms_id === null ? null : await findKmsById(ctx.db, app.kms_id);
  const contract = kms ? contractOfKms(kms) : null;
  if (contract === 'incomplete')
    return { is_onchain: true, is_final: false, decisions: questions.map(incompleteDecision) };
  if (contract) return { is_onchain: true, ...(await askContract(ctx, app, contract, questions)) };
  if (kms && (await asksHere(ctx.db, kms.id))) {
    const { boots } = await expectedBoots(ctx.db, kms.id, app.app_id);
    return {
      is_onchain: false,
      is_final: false,
      decisions: questions.map((one) => webhookDecision(one, kms, boots)),
    };
  }
  const known = await knownHashes(
    ctx.db,
    app.id,
    questions.map(({ compose_hash }) => compose_hash),
  );
  return {
    is_onchain: false,
    is_final: false,
    decisions: questions.map((one) => centralDecision(one, known)),
  };
}

/** As this server answers a KMS without a contract before each boot: `http/kmsAuth/decide.ts`. */
function webhookDecision(
  question: Question,
  kms: KmsRule & { state: string },
  boots: readonly ExpectedBoot[],
): NumberedIsAllowed {
  const { compose_hash, device_id, os_image_hash, cvm } = question;
  // A question about the app as a whole may name neither the machine nor the image.
  const isOpen = cvm === undefined;
  const decision = foreseenDecision(
    {
      compose_hash,
      device_id: isOpen && device_id === '' ? null : device_id,
      os_image_hash: isOpen ? (os_image_hash ?? null) : (os_image_hash ?? ''),
    },
    boots,
    kms,
  );
  const refusal = kms.state === 'retired' ? 'This KMS is retired' : decision.refusal;
  return {
    ...subject(question),
    app_contract_address: '',
    compose_hash_allowed: decision.compose_hash_allowed,
    allow_any_device: false,
    device_id_allowed: decision.device_id_allowed,
    is_allowed: refusal === null,
    error: refusal,
  };
}

/**
 * A key service without a contract that asks another server, or none: as far as known here, it gives keys to every
 * revision this server created, on every device.
 */
function centralDecision(question: Question, known: ReadonlySet<string>): NumberedIsAllowed {
  const allowed = known.has(question.compose_hash);
  return {
    ...subject(question),
    app_contract_address: '',
    compose_hash_allowed: allowed,
    allow_any_device: true,
    device_id_allowed: true,
    is_allowed: allowed,
    error: allowed ? null : 'No revision of the app has this compose hash.',
  };
}

/** Decides like the KMS's webhook. */
const incompleteDecision = (question: Question): NumberedIsAllowed => ({
  ...subject(question),
  app_contract_address: '',
  ...NOTHING,
  device_id_allowed: false,
  error:
    "The app's KMS has a chain or a contract address, but not both, so it releases no keys. Its operator must add the missing one.",
});

async function askContract(
  ctx: Context,
  { app_id }: App,
  contract: GoverningContract,
  questions: readonly Question[],
): Promise<Pick<Decided, 'is_final' | 'decisions'>> {
  const compose_hashes = [...new Set(questions.map(({ compose_hash }) => compose_hash))];
  const device_ids = [...new Set(questions.map(({ device_id }) => device_id))];
  const boots = questions.flatMap((one) => bootOf(app_id, one) ?? []);
  const reading = await readApp(ctx, contract, { app_id, compose_hashes, device_ids, boots }).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'ERR-00-048') return error;
      throw error;
    },
  );
  let tried = 0;
  const decisions = questions.map((question): NumberedIsAllowed => {
    const about = { ...subject(question), app_contract_address: `0x${app_id}` };
    if (reading instanceof Problem)
      return { ...about, ...NOTHING, device_id_allowed: null, error: cutWhole(reading.message, 500) };
    const compose_hash_allowed =
      reading.compose_hashes[compose_hashes.indexOf(question.compose_hash)] === true;
    const device_id_allowed = reading.device_ids[device_ids.indexOf(question.device_id)] === true;
    const verdict = bootOf(app_id, question) && reading.verdicts[tried++];
    const refusal = verdict
      ? verdict.allowed
        ? null
        : verdict.reason
      : bootRefusal(reading, { compose_hash_allowed, device_id_allowed });
    return {
      ...about,
      compose_hash_allowed,
      allow_any_device: reading.allow_any_device,
      device_id_allowed,
      is_allowed: refusal === null,
      error: refusal,
    };
  });
  return { is_final: !(reading instanceof Problem) && isRenounced(reading), decisions };
}

const NOTHING = { compose_hash_allowed: false, allow_any_device: false, is_allowed: false };

const subject = ({ compose_hash, device_id, cvm }: Question) => ({
  ...(cvm === undefined ? {} : { cvm_id: cvm.public_id, cvm_number: cvm.id }),
  compose_hash,
  device_id,
});

/** The request the KMS would make. It needs the OS image, because contracts allow images too. */
const bootOf = (app_id: string, { compose_hash, device_id, os_image_hash }: Question): AppBoot | null =>
  os_image_hash ? { app_id, compose_hash, device_id, os_image_hash, tcb_status: 'UpToDate' } : null;

export async function deviceOf(
  ctx: Context,
  target: { node_id?: number; device_id?: string },
  own = '',
): Promise<string> {
  if (target.device_id !== undefined) return bareHash(target.device_id);
  if (target.node_id === undefined) return own;
  return (await deviceOfTeepod(ctx.db, teamOf(ctx).id, target.node_id)) ?? '';
}

/** Returns whether two device IDs are equal to a contract. */
export const sameDevice = (a: string, b: string): boolean => bytes32(a) !== null && bytes32(a) === bytes32(b);
