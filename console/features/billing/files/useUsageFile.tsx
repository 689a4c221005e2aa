import { useMutation } from '@tanstack/react-query';
import { exportTeamUsage } from '../../../../generated/api/sdk.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { CSV, EXCEL, FormatButtons } from '../../../ui/controls/FormatButtons';
import { saveFile } from '../../../ui/controls/saveFile';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { periodQuery, type Period } from '../periods';

const FORMATS = [CSV, EXCEL] as const;

/** Downloads a period's usage and cost. Returns the buttons for the panel's header and the error. */
export function useUsageFile(teamSlug: string, period: Period | undefined) {
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async ({ format, mime }: (typeof FORMATS)[number]) => {
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
    problem: problemOf(error, 'Couldn’t create the file', () => mutate(variables ?? CSV)),
    button: (
      <FormatButtons
        formats={FORMATS}
        pending={isPending ? variables.format : undefined}
        isSmall
        text={(label) => (
          <span>
            <VisuallyHidden>Download </VisuallyHidden>
            {label}
          </span>
        )}
        onChoose={mutate}
      />
    ),
  };
}
