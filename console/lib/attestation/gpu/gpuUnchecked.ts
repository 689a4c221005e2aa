/**
 * What remains unverified for a CVM with a GPU even with NVIDIA's evidence, because it can't be decided offline.
 */
export const GPU_NEVER_CHECKED = [
  'GPU firmware and VBIOS measurements against NVIDIA’s reference values',
  'whether NVIDIA’s certificates are revoked',
  'whether the GPU is in confidential computing or developer mode',
] as const;

/** What remains unverified without NVIDIA's evidence. */
export const GPU_UNCHECKED = [
  'GPU identity and certificate chain',
  'GPU report signature',
  ...GPU_NEVER_CHECKED,
] as const;
