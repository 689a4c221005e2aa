import { Button } from '../../../console/ui/controls/Button';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { Spinner } from '../../../console/ui/controls/Spinner';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { CheckList } from './CheckList';

interface Props {
  subtitle: string;
  /** The request from `useFleetAction`. */
  check: {
    data: AdminTeepodCheck | undefined;
    error: Error | null;
    isPending: boolean;
  };
  onCheck: () => void;
  /** Why the user can't run the check. */
  refused?: string | undefined;
}

/** Runs a host check and shows its result. */
export function CheckPanel({ subtitle, check: { data, error, isPending }, onCheck, refused }: Props) {
  return (
    <Panel
      title="Check"
      subtitle={subtitle}
      actions={
        <Button
          variant="outlined"
          disabled={isPending || refused !== undefined}
          {...(refused === undefined ? {} : { title: refused })}
          startIcon={isPending ? <Spinner /> : undefined}
          onClick={onCheck}
        >
          Check host
        </Button>
      }
    >
      <div role="status" aria-label="Check result">
        {error && !isPending && <ErrorNotice problem={problemOf(error, 'Couldn’t check the host')} />}
        {data && <CheckList checks={data.checks} />}
      </div>
    </Panel>
  );
}
