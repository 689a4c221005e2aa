export type HostTee = 'tdx' | 'sev_snp';

/** Names of CPU TEEs, as stated by a host's operator. Verification shows what a CVM actually runs on. */
export const TEE_NAMES: Readonly<Record<HostTee, string>> = {
  tdx: 'Intel TDX',
  sev_snp: 'AMD SEV-SNP',
};
