import { ActionButton } from '../../../console/ui/controls/ActionButton';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
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
        <ActionButton reason={refused} pending={isPending} onClick={onCheck}>
          Check host
        </ActionButton>
      }
    >
      <div role="status" aria-label="Check result">
        {error && !isPending && <ErrorNotice problem={problemOf(error, 'Couldn’t check the host')} />}
        {data && <CheckList checks={data.checks} />}
      </div>
    </Panel>
  );
}
