import Button from '@mui/material/Button';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { Spinner } from '../../../console/ui/controls/Spinner';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { CheckList } from './CheckList';

interface Props {
  subtitle: string;
  /** The request, as `useFleetAction` has it. */
  check: { data: AdminTeepodCheck | undefined; error: Error | null; isPending: boolean };
  onCheck: () => void;
  /** Why this person may not. */
  refused?: string | undefined;
}

/** The button that has a host checked, and what was found. */
export function CheckPanel({ subtitle, check: { data, error, isPending }, onCheck, refused }: Props) {
  return (
    <Panel
      title="Check"
      subtitle={subtitle}
      actions={
        <Button
          variant="outlined"
          color="inherit"
          disabled={isPending || refused !== undefined}
          {...(refused === undefined ? {} : { title: refused })}
          startIcon={isPending ? <Spinner /> : undefined}
          onClick={onCheck}
        >
          Check this host
        </Button>
      }
    >
      <div role="status" aria-label="Result of the check">
        {error && !isPending && <ErrorNotice problem={problemOf(error, 'The host was not checked')} />}
        {data && <CheckList checks={data.checks} />}
      </div>
    </Panel>
  );
}
