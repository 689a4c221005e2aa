/** The chains a KMS contract may be on, by the names the admin area has for them. */
export const CHAIN_IDS = { ethereum: 1, base: 8453, sepolia: 11155111, local: 31337 } as const;

export type ChainName = keyof typeof CHAIN_IDS;

/** Null for a chain that is none of these. */
export function chainName(id: number | null): ChainName | null {
  const found = Object.entries(CHAIN_IDS).find(([, one]) => one === id);
  return (found?.[0] ?? null) as ChainName | null;
}
