import { ownValue } from '../ownValue';
import type { WalletProvider } from './provider';

/** Behaviors of the wallet in component previews. */
export const BEHAVIORS = {
  sends: 'Sends the transaction',
  absent: 'No wallet',
  slow: 'Is a slow hardware wallet',
  rejects: 'Rejects it',
  busy: 'Shows a request of another tab',
  elsewhere: 'Stays on another network',
  declines: 'Declines the network',
  poor: 'Can’t pay for it',
  refused: 'The contract refuses it',
  fails: 'Fails on the chain',
  replaced: 'Is replaced by another',
  faster: 'Is sped up',
  leaves: 'Leaves the network once it is sent',
  offline: 'Is disconnected',
} as const;

export type Behavior = keyof typeof BEHAVIORS;

/** Time its user takes to confirm on the device. */
export const SLOW_WALLET_MS = 20_000;

const refuse = (code: number, message: string, data?: string): never => {
  throw Object.assign(new Error(message), { code, data });
};

const HASH = `0x${'9a8b7c6d5e4f3021'.repeat(4)}`;
const FASTER = `0x${'1203f4e5d6c7b8a9'.repeat(4)}`;
const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** `OwnableUnauthorizedAccount` with the account. */
const NOT_OWNER = `0x118cdaa7${ACCOUNT.slice(2).padStart(64, '0')}`;

/** The samples' KMS contract, and its event for an app deployed through it. */
export const STORY_KMS = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const DEPLOYED = [
  {
    address: STORY_KMS,
    topics: [
      '0xfd86d7f6962eba3b7a3bf9129c06c0b2f885e1c61ef2c9f0dbb856be0deefdee',
      `0x${'50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1'.padStart(64, '0')}`,
      `0x${ACCOUNT.slice(2).padStart(64, '0')}`,
    ],
  },
];

/** Returns a wallet without a key or network that answers as configured. */
export function storyWallet(behavior: () => Behavior): WalletProvider {
  let sent = false;
  let last: object = {};
  let chainId: unknown = '0x7a69';
  let hasLeft = false;
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_requestAccounts: () =>
      behavior() === 'busy' ? refuse(-32002, 'Request already pending') : [ACCOUNT],
    eth_accounts: () => [ACCOUNT],
    eth_chainId: () => (hasLeft || ['elsewhere', 'declines'].includes(behavior()) ? '0x2' : chainId),
    wallet_switchEthereumChain: ([to]) => {
      if (behavior() === 'declines') return refuse(4001, 'User rejected the request.');
      chainId = (to as { chainId?: unknown }).chainId;
      hasLeft = false;
      return null;
    },
    eth_call: () => {
      if (behavior() === 'offline') return refuse(4900, 'Disconnected');
      return behavior() === 'refused' ? refuse(3, 'execution reverted', NOT_OWNER) : '0x';
    },
    eth_estimateGas: () => (behavior() === 'refused' ? refuse(3, 'execution reverted', NOT_OWNER) : '0xc350'),
    eth_gasPrice: () => '0x3b9aca00',
    eth_getBalance: () => (behavior() === 'poor' ? '0x0' : '0xde0b6b3a7640000'),
    eth_sendTransaction: async ([call]) => {
      if (behavior() === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_WALLET_MS));
      sent = true;
      last = call as object;
      hasLeft = behavior() === 'leaves';
      return behavior() === 'rejects' ? refuse(4001, 'User rejected the request.') : HASH;
    },
    eth_getTransactionReceipt: ([hash]) =>
      behavior() === 'replaced' || (behavior() === 'faster' && hash === HASH)
        ? null
        : { status: behavior() === 'fails' ? '0x0' : '0x1', logs: DEPLOYED },
    eth_getTransactionByHash: () => {
      const known = sent;
      sent = false;
      return known ? { nonce: '0x1' } : null;
    },
    eth_getTransactionCount: () => '0x2',
    eth_blockNumber: () => '0x9',
    eth_getBlockByNumber: () => {
      const other = behavior() === 'replaced' ? { to: ACCOUNT, data: '0x' } : {};
      return { transactions: [{ ...last, ...other, from: ACCOUNT, nonce: '0x1', hash: FASTER }] };
    },
  };
  return {
    request: async ({ method, params = [] }) => ownValue(answers, method)?.(params) ?? null,
  };
}
