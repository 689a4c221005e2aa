/**
 * What remains unverified for a CVM with a GPU even with NVIDIA's evidence, because it can't be decided offline.
 */
export const GPU_NEVER_CHECKED = [
  'GPU firmware and VBIOS measurements against NVIDIA’s reference values',
  'revocation of NVIDIA’s certificates',
  'confidential computing and developer mode of the GPU',
] as const;

/** What remains unverified without NVIDIA's evidence. */
export const GPU_UNCHECKED = [
  'GPU identity and certificate chain',
  'signature of the GPU’s report',
  ...GPU_NEVER_CHECKED,
] as const;
