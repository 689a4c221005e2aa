import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import DownloadIcon from 'lucide-react/icons/download';
import { useState } from 'react';
import { downloadStatement } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { Button } from '../../ui/controls/Button';
import { saveFile } from '../../ui/controls/saveFile';
import { Spinner } from '../../ui/controls/Spinner';
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

/** Downloads a month of the team's account as PDF. */
export function StatementPicker({ teamSlug }: { teamSlug: string }) {
  const [months] = useState(() => statementMonths(new Date()));
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
        <Button
          startIcon={save.isPending ? <Spinner /> : <DownloadIcon />}
          disabled={save.isPending}
          onClick={() => save.mutate()}
        >
          Download PDF
        </Button>
      </Row>
      {problem && <ErrorNotice problem={problem} />}
    </>
  );
}
