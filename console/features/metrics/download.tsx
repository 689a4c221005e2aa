import { useMutation } from '@tanstack/react-query';
import { exportAppUsage, exportCvmMetrics, exportCvmUsage } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { CSV, EXCEL, FormatButtons } from '../../ui/controls/FormatButtons';
import { saveFile } from '../../ui/controls/saveFile';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { ChartTime } from './queries';
import { monthQuery } from './search';

/** Contents of a file: a CVM's metrics, or a CVM's or app's cost, which is also offered for Excel. */
export type Download =
  | { kind: 'metrics'; teamSlug: string; cvm_id: string; time: ChartTime }
  | { kind: 'cvm_usage'; teamSlug: string; cvm_id: string; month: string | undefined }
  | { kind: 'app_usage'; teamSlug: string; app_id: string; month: string | undefined };

type Format = typeof CSV | typeof EXCEL;

async function fileOf(what: Download, { format }: Format): Promise<{ name: string; content: Blob | string }> {
  const options = { ...inTeam(what.teamSlug), parseAs: 'blob', throwOnError: true } as const;
  const month = 'month' in what ? (what.month ?? new Date().toISOString().slice(0, 7)) : '';
  switch (what.kind) {
    case 'metrics': {
      const { cvm_id, time } = what;
      const { data } = await exportCvmMetrics({ ...options, path: { cvm_id }, query: time });
      const span = 'range' in time ? time.range : time.from.slice(0, 16).replace(':', '-');
      return { name: `metrics-${span}.csv`, content: data };
    }
    case 'cvm_usage': {
      const query = { ...monthQuery(what.month, new Date()), format };
      const { data } = await exportCvmUsage({ ...options, path: { cvm_id: what.cvm_id }, query });
      return { name: `usage-${month}.${format}`, content: data };
    }
    case 'app_usage': {
      const query = { ...monthQuery(what.month, new Date()), format };
      const { data } = await exportAppUsage({ ...options, path: { app_id: what.app_id }, query });
      return { name: `usage-${month}.${format}`, content: data };
    }
  }
}

/** Downloads a file named after its subject. Returns the buttons for a panel's header and the error for its body. */
export function useDownload(what: Download, of: string) {
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (one: Format) => fileOf(what, one),
    onSuccess: ({ name, content }, { mime }) =>
      saveFile(`${of.replaceAll(/[^\w.-]+/g, '-')}-${name}`, content, mime),
  });
  return {
    problem: problemOf(error, 'Couldn’t create the file', () => mutate(variables ?? CSV)),
    button: (
      <FormatButtons<Format>
        formats={what.kind === 'metrics' ? [CSV] : [CSV, EXCEL]}
        pending={isPending ? variables.format : undefined}
        isSmall
        text={(label) => (
          <span>
            <VisuallyHidden>
              {what.kind === 'metrics' ? 'Download metrics' : 'Download cost'} as{' '}
            </VisuallyHidden>
            {label}
          </span>
        )}
        onChoose={mutate}
      />
    ),
  };
}
