import type { InvoiceBasis, UsageBasis } from '../../../generated/api/types.gen';

/** What an invoice line is for, on screens and in the PDF. */
export const invoiceBasisTexts: Readonly<Record<InvoiceBasis, string>> = {
  size: 'vCPUs and memory',
  disk: 'Disk while stopped',
  gpu: 'GPUs',
  order: 'Order',
  ai: 'Confidential AI',
};

/** What a CVM is billed for at the moment, after "billed for". */
export const billedForTexts: Readonly<Record<UsageBasis, string>> = {
  size: 'size',
  disk: 'disk only',
  gpu: 'GPUs',
  none: 'nothing',
};
