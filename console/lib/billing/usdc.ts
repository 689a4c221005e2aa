import type { ChainName } from '../kms/chains';

/** What a deposit needs on a network. */
interface UsdcDefaults {
  /** Circle's contract, in lower case. */
  token: string;
  /** Blocks until a deposit counts, including its own. */
  confirmations: number;
}

/** The networks that deposits may come from, with the addresses that Circle publishes for its native USDC. */
export const USDC: Readonly<Partial<Record<ChainName, UsdcDefaults>>> = {
  ethereum: { token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', confirmations: 32 },
  base: { token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', confirmations: 60 },
  sepolia: { token: '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238', confirmations: 8 },
};

/** Of a network without defaults, such as a local one. */
export const OTHER_CONFIRMATIONS = 3;

/** Micro-dollars; one unit of USDC’s six decimals is one of them. */
export const LEAST_DEPOSIT = 1_000_000;
