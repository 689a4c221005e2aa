import { cutWhole } from '../texts/cutWhole';
import { revertReason } from './revert';

export type WalletErrorKind =
  | 'rejected'
  | 'pending'
  | 'wrong_network'
  | 'no_account'
  | 'insufficient_funds'
  | 'reverted'
  | 'disconnected'
  | 'replaced'
  | 'unclear'
  | 'slow'
  | 'failed';

/** Why a transaction wasn't made, and what to do. */
export class WalletError extends Error {
  constructor(
    readonly kind: WalletErrorKind,
    message: string,
    /** What to do. */
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WalletError';
  }
}

/** Whether a sent transaction can no longer succeed: it failed in a block, or was replaced. */
export const isOver = ({ kind }: WalletError): boolean => kind === 'reverted' || kind === 'replaced';

/** Codes of EIP-1193 and EIP-1474. */
export const CHAIN_NOT_ADDED = 4902;
const REJECTED = 4001;
const UNAUTHORIZED = 4100;
const DISCONNECTED = new Set([4900, 4901]);
const BUSY = -32002;

export const codeOf = (error: unknown): number | null => {
  const code = field(error, 'code');
  if (typeof code !== 'number') return null;
  // Some wallets wrap the network's error code in their own.
  const inner = field(field(field(error, 'data'), 'originalError'), 'code');
  return typeof inner === 'number' ? inner : code;
};

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns a revert's data from wherever a wallet puts it. */
function revertDataOf(error: unknown): string | null {
  const data = field(error, 'data');
  const candidates = [data, field(data, 'data'), field(field(data, 'originalError'), 'data')];
  return (
    candidates.find((one): one is string => typeof one === 'string' && /^0x[0-9a-f]{8,}$/i.test(one)) ?? null
  );
}

/** Rewords an error of a wallet or its network. */
export function walletError(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const code = codeOf(error);
  const said = cutWhole(String(field(error, 'message') ?? error), 300);
  const fail = (kind: WalletErrorKind, message: string, advice: string) =>
    new WalletError(kind, message, advice, { cause: error });
  if (code === REJECTED || code === UNAUTHORIZED || /user (rejected|denied)/i.test(said))
    return fail(
      'rejected',
      'You rejected the request in your wallet.',
      'Nothing was sent. Try again when you are ready.',
    );
  if (code === BUSY)
    return fail(
      'pending',
      'Your wallet is already showing a request.',
      'Open the wallet, answer the request there, then try again.',
    );
  if (code !== null && DISCONNECTED.has(code))
    return fail(
      'disconnected',
      'Your wallet isn’t connected to the network.',
      'Check the wallet’s connection, then try again.',
    );
  const data = revertDataOf(error);
  const reason = data === null ? null : revertReason(data);
  if (data !== null || /revert/i.test(said))
    return fail(
      'reverted',
      `The contract refuses it: ${reason ?? said}`,
      'Check that your account owns the contract.',
    );
  if (/insufficient funds/i.test(said))
    return fail(
      'insufficient_funds',
      'Your account can’t pay for the transaction.',
      'Add funds to the account on this network, then try again.',
    );
  return fail(
    'failed',
    `Your wallet reported: ${said}`,
    'Try again, or send the transaction from the command line.',
  );
}
