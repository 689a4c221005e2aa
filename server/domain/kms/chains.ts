/** Chains a KMS contract may be on, by their names in the admin area. */
export const CHAIN_IDS = { ethereum: 1, base: 8453, sepolia: 11155111, local: 31337 } as const;

export type ChainName = keyof typeof CHAIN_IDS;
