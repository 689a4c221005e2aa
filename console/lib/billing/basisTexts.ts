import type { InvoiceBasis } from '../../../generated/api/types.gen';

/** What an invoice line is for, on screens and in the PDF. */
export const invoiceBasisTexts: Readonly<Record<InvoiceBasis, string>> = {
  size: 'vCPUs and memory',
  disk: 'Disk while stopped',
  gpu: 'GPUs',
  order: 'Order',
  ai: 'Confidential AI',
};
