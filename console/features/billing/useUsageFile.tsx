import { useMutation } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import { exportTeamUsage } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { Button } from '../../ui/controls/Button';
import { saveFile } from '../../ui/controls/saveFile';
import { Spinner } from '../../ui/controls/Spinner';
import { periodQuery, type Period } from './periods';

const FORMATS = [
  { format: 'csv', label: 'Download CSV', mime: 'text/csv' },
  {
    format: 'xlsx',
    label: 'Download Excel',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
] as const;
type Format = (typeof FORMATS)[number];

/** Downloads what was used and paid for in a period. Returns the buttons for the page's header and the error for its body. */
export function useUsageFile(teamSlug: string, period: Period | undefined) {
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async ({ format, mime }: Format) => {
      const query = periodQuery(period, new Date());
      const { data } = await exportTeamUsage({
        ...inTeam(teamSlug),
        query: { ...query, format },
        parseAs: 'blob',
        throwOnError: true,
      });
      saveFile(`${teamSlug}-usage-${query.from?.slice(0, 10)}.${format}`, data, mime);
    },
  });
  return {
    problem: problemOf(error, 'Couldn’t create the file', () => mutate(variables ?? FORMATS[0])),
    button: FORMATS.map((one) => (
      <Button
        key={one.format}
        startIcon={isPending && variables.format === one.format ? <Spinner /> : <DownloadIcon />}
        disabled={isPending}
        onClick={() => mutate(one)}
      >
        {one.label}
      </Button>
    )),
  };
}
