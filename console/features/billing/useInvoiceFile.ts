import { useMutation } from '@tanstack/react-query';
import { downloadEInvoice, downloadInvoice } from '../../../generated/api/sdk.gen';
import type { Invoice } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { saveFile } from '../../ui/controls/saveFile';

/** Downloads an invoice's stored PDF, or its electronic XML version. */
export const useInvoiceFile = (teamSlug: string, format: 'pdf' | 'xml' = 'pdf') =>
  useMutation({
    mutationFn: async ({ id, number }: Pick<Invoice, 'id' | 'number'>) => {
      const options = {
        ...inTeam(teamSlug),
        path: { invoice_id: id },
        parseAs: 'blob',
        throwOnError: true,
      } as const;
      const { data } = format === 'pdf' ? await downloadInvoice(options) : await downloadEInvoice(options);
      saveFile(`${number}.${format}`, data, `application/${format}`);
    },
  });
