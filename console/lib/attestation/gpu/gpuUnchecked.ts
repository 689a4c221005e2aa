/** What remains unverified for a verified CVM with a GPU. */
export const GPU_UNCHECKED = [
  'GPU identity and certificate chain',
  'GPU firmware and VBIOS measurements',
  'confidential computing mode of the GPU',
  "NVIDIA's signatures and revocation status",
] as const;
