import { useMutation } from '@tanstack/react-query';
import { downloadEInvoice, downloadInvoice } from '../../../generated/api/sdk.gen';
import type { Invoice } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { saveFile } from '../../ui/controls/saveFile';

/** Downloads the stored PDF of an invoice. */
export const useInvoiceFile = (teamSlug: string) =>
  useMutation({
    mutationFn: async ({ id, number }: Pick<Invoice, 'id' | 'number'>) => {
      const { data } = await downloadInvoice({
        ...inTeam(teamSlug),
        path: { invoice_id: id },
        parseAs: 'blob',
        throwOnError: true,
      });
      saveFile(`${number}.pdf`, data, 'application/pdf');
    },
  });

/** Downloads the electronic invoice, which is XML. */
export const useEInvoiceFile = (teamSlug: string) =>
  useMutation({
    mutationFn: async ({ id, number }: Pick<Invoice, 'id' | 'number'>) => {
      const { data } = await downloadEInvoice({
        ...inTeam(teamSlug),
        path: { invoice_id: id },
        parseAs: 'blob',
        throwOnError: true,
      });
      saveFile(`${number}.xml`, data, 'application/xml');
    },
  });
