import { ownValue } from '../ownValue';
import type { WalletProvider } from './provider';

/** How the wallet of a component preview behaves. */
export const BEHAVIORS = {
  sends: 'Sends the transaction',
  rejects: 'Rejects it',
  busy: 'Shows another request',
  elsewhere: 'Stays on another network',
  poor: 'Can’t pay for it',
  refused: 'The contract refuses it',
  fails: 'Fails on the chain',
  replaced: 'Is replaced by another',
  offline: 'Is disconnected',
} as const;

export type Behavior = keyof typeof BEHAVIORS;

const refuse = (code: number, message: string, data?: string): never => {
  throw Object.assign(new Error(message), { code, data });
};

const HASH = `0x${'9a8b7c6d5e4f3021'.repeat(4)}`;
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** `OwnableUnauthorizedAccount` of the account. */
const NOT_OWNER = `0x118cdaa7${ACCOUNT.slice(2).padStart(64, '0')}`;

/** Returns a wallet without a key or a network that answers as told. */
export function storyWallet(behavior: () => Behavior): WalletProvider {
  let sent = false;
  const answers: Record<string, () => unknown> = {
    eth_requestAccounts: () =>
      behavior() === 'busy' ? refuse(-32002, 'Request already pending') : [ACCOUNT],
    eth_chainId: () => (behavior() === 'elsewhere' ? '0x1' : '0x7a69'),
    eth_call: () => {
      if (behavior() === 'offline') return refuse(4900, 'Disconnected');
      return behavior() === 'refused' ? refuse(3, 'execution reverted', NOT_OWNER) : '0x';
    },
    eth_estimateGas: () => '0xc350',
    eth_gasPrice: () => '0x3b9aca00',
    eth_getBalance: () => (behavior() === 'poor' ? '0x0' : '0xde0b6b3a7640000'),
    eth_sendTransaction: () => {
      sent = true;
      return behavior() === 'rejects' ? refuse(4001, 'User rejected the request.') : HASH;
    },
    eth_getTransactionReceipt: () =>
      behavior() === 'replaced' ? null : { status: behavior() === 'fails' ? '0x0' : '0x1' },
    eth_getTransactionByHash: () => {
      const known = sent;
      sent = false;
      return known ? { nonce: '0x1' } : null;
    },
    eth_getTransactionCount: () => '0x2',
  };
  return {
    request: async ({ method }) => ownValue(answers, method)?.() ?? null,
  };
}
