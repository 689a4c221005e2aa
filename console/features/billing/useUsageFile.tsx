import { useMutation } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import { exportTeamUsage } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { Button } from '../../ui/controls/Button';
import { saveFile } from '../../ui/controls/saveFile';
import { Spinner } from '../../ui/controls/Spinner';
import { periodQuery, type Period } from './periods';

/** Downloads the usage lines of a period. Returns the button for the page's header and the error for its body. */
export function useUsageFile(teamSlug: string, period: Period | undefined) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const query = periodQuery(period, new Date());
      const { data } = await exportTeamUsage({
        ...inTeam(teamSlug),
        query,
        parseAs: 'text',
        throwOnError: true,
      });
      saveFile(`${teamSlug}-usage-${query.from?.slice(0, 10)}.csv`, data, 'text/csv');
    },
  });
  return {
    problem: problemOf(error, 'Couldn’t create the file', () => mutate()),
    button: (
      <Button
        startIcon={isPending ? <Spinner /> : <DownloadIcon />}
        disabled={isPending}
        onClick={() => mutate()}
      >
        Download CSV
      </Button>
    ),
  };
}
