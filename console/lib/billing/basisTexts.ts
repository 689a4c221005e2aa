import type { InvoiceBasis, UsageBasis } from '../../../generated/api/types.gen';

/** What an invoice line is for, on screens and in the PDF. */
export const invoiceBasisTexts: Readonly<Record<InvoiceBasis, string>> = {
  size: 'vCPUs and memory',
  disk: 'Disk',
  gpu: 'GPUs',
  order: 'Order',
  ai: 'Confidential AI',
};

/** What a part of the usage is for, after "billed for". */
export const billedForTexts: Readonly<Record<UsageBasis, string>> = {
  size: 'size',
  disk: 'disk',
  gpu: 'GPUs',
  none: 'nothing',
};
