import type { InvoiceBasis, UsageBasis } from '../../../generated/api/types.gen';

/** Names of invoice line types, on screens and in the PDF. */
export const invoiceBasisTexts: Readonly<Record<InvoiceBasis, string>> = {
  size: 'vCPUs and memory',
  disk: 'Disk',
  gpu: 'GPUs',
  order: 'Order',
  ai: 'Confidential AI',
};

/** Names of usage types, after "billed for". */
export const billedForTexts: Readonly<Record<UsageBasis, string>> = {
  size: 'size',
  disk: 'disk',
  gpu: 'GPUs',
  none: 'nothing',
};
