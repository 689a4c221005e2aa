import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { exportAppUsage, exportCvmMetrics, exportCvmUsage } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { saveFile } from '../../ui/controls/saveFile';
import { Spinner } from '../../ui/controls/Spinner';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { monthQuery, type Range } from './search';

/** What a file is made of: the values of a CVM, or the lines of its cost or of an app's. */
export type Download =
  | { kind: 'metrics'; teamSlug: string; cvm_id: string; range: Range }
  | { kind: 'cvm_usage'; teamSlug: string; cvm_id: string; month: string | undefined }
  | { kind: 'app_usage'; teamSlug: string; app_id: string; month: string | undefined };

async function textOf(what: Download): Promise<{ name: string; text: string }> {
  const options = { ...inTeam(what.teamSlug), parseAs: 'text', throwOnError: true } as const;
  const month = 'month' in what ? (what.month ?? new Date().toISOString().slice(0, 7)) : '';
  switch (what.kind) {
    case 'metrics': {
      const { cvm_id, range } = what;
      const { data } = await exportCvmMetrics({ ...options, path: { cvm_id }, query: { range } });
      return { name: `metrics-${range}.csv`, text: data };
    }
    case 'cvm_usage': {
      const query = monthQuery(what.month, new Date());
      const { data } = await exportCvmUsage({ ...options, path: { cvm_id: what.cvm_id }, query });
      return { name: `usage-${month}.csv`, text: data };
    }
    case 'app_usage': {
      const query = monthQuery(what.month, new Date());
      const { data } = await exportAppUsage({ ...options, path: { app_id: what.app_id }, query });
      return { name: `usage-${month}.csv`, text: data };
    }
  }
}

/** A file of the server's, with what it is of in its name; the button stands in a panel's head, the problem in its body. */
export function useDownload(what: Download, of: string) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => textOf(what),
    onSuccess: ({ name, text }) => saveFile(`${of.replaceAll(/[^\w.-]+/g, '-')}-${name}`, text, 'text/csv'),
  });
  return {
    problem: problemOf(error, 'The file was not made', () => mutate()),
    button: (
      <Button
        size="small"
        startIcon={isPending ? <Spinner /> : <DownloadRounded />}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <span>
          <VisuallyHidden>{what.kind === 'metrics' ? 'Values' : 'Cost'} as </VisuallyHidden>CSV
        </span>
      </Button>
    ),
  };
}
