import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getWorkspaceOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { downloadStatement } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { DownloadButton } from '../../ui/controls/DownloadButton';
import { saveFile } from '../../ui/controls/saveFile';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { space } from '../../ui/theme';
import { statementMonths } from './periods';

const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-end',
  gap: space(3),
  marginBottom: space(4),
  '& > :first-of-type': { flex: '0 1 220px', minWidth: 0 },
});

/** Downloads a monthly statement of the team's account as PDF. */
export function StatementPicker({ teamSlug }: { teamSlug: string }) {
  const [now] = useState(() => new Date());
  const team = useQuery({ ...getWorkspaceOptions({ path: { slug: teamSlug } }), staleTime: Infinity });
  // Offers only this month until the team has loaded.
  const months = statementMonths(now, team.error ? null : new Date(team.data?.created_at ?? now));
  const [month, setMonth] = useState(months[0]?.value ?? '');
  const save = useMutation({
    mutationFn: async () => {
      const { data } = await downloadStatement({
        ...inTeam(teamSlug),
        path: { month },
        parseAs: 'blob',
        throwOnError: true,
      });
      saveFile(`${teamSlug}-statement-${month}.pdf`, data, 'application/pdf');
    },
  });
  const problem = problemOf(save.error, 'Couldn’t create the statement', () => save.mutate());
  return (
    <>
      <Row>
        <SelectInput
          label="Monthly statement"
          value={month}
          choices={months}
          onChange={({ target }) => setMonth(target.value)}
        />
        <DownloadButton pending={save.isPending} onClick={() => save.mutate()}>
          Download PDF
        </DownloadButton>
      </Row>
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}
