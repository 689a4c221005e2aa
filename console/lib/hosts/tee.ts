export type HostTee = 'tdx' | 'sev_snp';

/** The TEE of a host's CPUs, as its operator states. Verification shows what a CVM really runs on. */
export const TEE_NAMES: Readonly<Record<HostTee, string>> = {
  tdx: 'Intel TDX',
  sev_snp: 'AMD SEV-SNP',
};
