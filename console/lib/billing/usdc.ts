import type { ChainName } from '../kms/chains';

/** A network's USDC contract and confirmation count. */
interface UsdcDefaults {
  /** Circle's contract, in lowercase. */
  token: string;
  /** Blocks until a deposit counts, including the block it is in. */
  confirmations: number;
}

/** The networks that accept deposits, with Circle's published addresses of its native USDC. */
export const USDC: Readonly<Partial<Record<ChainName, UsdcDefaults>>> = {
  ethereum: { token: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', confirmations: 32 },
  base: { token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', confirmations: 60 },
  sepolia: { token: '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238', confirmations: 8 },
};

/** For networks without defaults, such as a local one. */
export const OTHER_CONFIRMATIONS = 3;

/** Micro-dollars, which equal one unit of USDC’s six decimals. */
export const MIN_DEPOSIT = 1_000_000;
