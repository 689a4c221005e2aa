import { Problem } from '../../../domain/core/problem';
import { isWithoutContract } from '../../../domain/kms/bootRefusal';
import type { NumberedIsAllowed } from '../../../domain/cvms/cvmResponse20260121';
import { bareHash, contractOf, decideIsAllowed } from '../../apps/isAllowed';
import { checkTransaction, governedBy } from '../../kms/onChain';
import type { Context } from '../../types';

/** A boot configuration on one machine. */
export interface Boot {
  compose_hash: string;
  device_id: string | null;
  os_image_hash: string | null;
}

/** The second step of a change: the client states that the contract now allows it. */
export interface Confirmation {
  /** Null: the change's own. */
  compose_hash: string | null;
  /** Null: allowed without a transaction of this client. */
  transaction_hash: string | null;
}

/** An app and its key service, as in a CVM's row. */
export interface Governed {
  app: { id: number; app_id: string; kms_id: number | null };
  kms: { chain_id: number | null; kms_contract_address: string | null } | null;
}

/** A change held back, with the contract's decision about the first refused boot. */
export interface Held {
  boot: Boot;
  decision: NumberedIsAllowed;
  /** The contract can't be changed anymore. */
  is_final: boolean;
}

/** The contract must be asked before the transaction can continue. */
class Unanswered extends Error {
  constructor(
    readonly app: Governed['app'],
    readonly boots: readonly Boot[],
  ) {
    super("The contract hasn't been checked yet");
  }
}

/** Attempts while the boots keep differing from the ones asked about, due to concurrent changes. */
const ATTEMPTS = 5;

/**
 * Holds back a change until the app's contract allows it. If a transaction needs a decision the contract hasn't given
 * yet, it is rolled back, the contract is queried outside it, and it is retried: no lock is held during the query.
 */
export class Gate {
  readonly #answers = new Map<string, Omit<Held, 'boot'>>();
  constructor(
    readonly confirms: Confirmation | null,
    readonly prepare_only: boolean,
  ) {}

  /**
   * Returns null if the change may proceed. @throws HASH_NOT_ALLOWED if a confirmed change isn't allowed, or if the
   * app's owner can't allow it; HASH_INVALID_OR_EXPIRED if another change was confirmed
   */
  check({ app, kms }: Governed, boots: readonly Boot[]): Held | null {
    if (!governedBy(kms)) return null;
    const confirmed = this.confirms?.compose_hash ?? null;
    if (confirmed !== null && boots.some(({ compose_hash }) => compose_hash !== confirmed))
      throw new Problem('HASH_INVALID_OR_EXPIRED', {
        message: "This change's compose hash differs from the confirmed one.",
        details: [{ field: 'compose_hash', value: boots[0]?.compose_hash ?? null }],
        suggestions: ['Send the change that the compose hash was returned for.'],
      });
    const answered = boots.flatMap((boot) => {
      const answer = this.#answers.get(keyOf(app, boot));
      return answer ? [{ boot, ...answer }] : [];
    });
    if (answered.length < boots.length) throw new Unanswered(app, boots);
    const refused = answered.find(({ decision }) => !decision.is_allowed) ?? null;
    if (refused && (this.confirms || !canBeAllowed(refused))) throw notAllowed(refused);
    const [first = null] = answered;
    return refused ?? (this.prepare_only && !this.confirms ? first : null);
  }

  async ask(ctx: Context, { app, boots }: { app: Governed['app']; boots: readonly Boot[] }): Promise<void> {
    const questions = boots.map(({ device_id, ...boot }) => ({
      ...boot,
      device_id: device_id ?? '',
    }));
    const { decisions, is_final } = await decideIsAllowed(ctx, app, questions);
    const unreachable = decisions.find(({ device_id_allowed }) => device_id_allowed === null);
    if (unreachable)
      throw new Problem(
        'CHAIN_UNREACHABLE',
        unreachable.error === null ? {} : { message: unreachable.error },
      );
    const transaction = this.confirms?.transaction_hash ?? null;
    const contract = transaction === null ? null : await contractOf(ctx, app);
    if (transaction !== null && contract)
      await checkTransaction(ctx, { chain_id: contract.chain_id, address: `0x${app.app_id}` }, transaction);
    boots.forEach((boot, i) => {
      const decision = decisions[i];
      if (decision) this.#answers.set(keyOf(app, boot), { decision, is_final });
    });
  }
}

const keyOf = ({ id }: { id: number }, { compose_hash, device_id, os_image_hash }: Boot) =>
  [id, compose_hash, device_id, os_image_hash].join();

/**
 * Whether the app's owner can allow it: OS images are up to the KMS contract, and a contract that is gone or
 * ownerless can't allow anything more.
 */
const canBeAllowed = ({
  decision: { compose_hash_allowed, device_id_allowed, allow_any_device, error },
  is_final,
}: Held) =>
  !is_final &&
  !isWithoutContract(error) &&
  (!compose_hash_allowed || !(allow_any_device || device_id_allowed === true));

/** The refusal of a change that the app's contract doesn't allow. */
export const notAllowed = (held: Held) => {
  const { boot } = held;
  return new Problem('HASH_NOT_ALLOWED', {
    ...refusalTexts(held),
    details: [
      { field: 'compose_hash', value: boot.compose_hash },
      { field: 'device_id', value: boot.device_id },
      { field: 'os_image_hash', value: boot.os_image_hash },
    ],
  });
};

function refusalTexts({ decision: { error }, is_final }: Held): { message: string; suggestions?: string[] } {
  if (isWithoutContract(error))
    return {
      message: `The app's contract is no longer on its chain: ${error}.`,
      suggestions: ['A reorganization may have undone its deployment. Send that transaction again.'],
    };
  const message = `The app's contract refuses this change: ${error ?? 'no reason given'}.`;
  if (!is_final) return { message };
  return {
    message: `${message} The contract no longer has an owner, so nobody can allow it.`,
    suggestions: [
      'Use a compose hash and a device that the contract already allows.',
      'Deploy the change as a new app.',
    ],
  };
}

/** Runs a change that a contract may have to allow. A refusal that wrote something is returned, not thrown. */
export async function gated<T>(
  ctx: Context,
  confirms: Confirmation | null,
  attempt: (gate: Gate) => Promise<T | Problem>,
): Promise<T> {
  const gate = new Gate(confirms, ctx.headers['x-prepare-only']?.toLowerCase() === 'true');
  for (let tries = 1; ; tries++) {
    try {
      const result = await attempt(gate);
      if (result instanceof Problem) throw result;
      return result;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (tries === ATTEMPTS)
        throw new Problem('RESOURCE_NOT_AVAILABLE', {
          message: 'The app kept changing while its contract was being checked.',
          suggestions: ['Try again.'],
        });
      await gate.ask(ctx, error);
    }
  }
}

/** Builds a client's confirmation from the parts it sends; null for a first request. Empty parts count as absent. */
export function confirmationOf(parts: {
  compose_hash?: string | null | undefined;
  transaction_hash?: string | null | undefined;
}): Confirmation | null {
  const compose_hash = parts.compose_hash ? bareHash(parts.compose_hash) : null;
  const transaction = parts.transaction_hash?.trim() || null;
  if (compose_hash === null && transaction === null) return null;
  return {
    compose_hash,
    transaction_hash: transaction === null || /^already-registered$/i.test(transaction) ? null : transaction,
  };
}

/** Like `confirmationOf`, from the headers of published clients. */
export const confirmationIn = ({ headers }: Context): Confirmation | null =>
  confirmationOf({
    compose_hash: headers['x-compose-hash'],
    transaction_hash: headers['x-transaction-hash'],
  });
