import Button from '@mui/material/Button';
import { useFormContext } from 'react-hook-form';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { Spinner } from '../../../console/ui/controls/Spinner';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { useFleetAction } from './api';
import { CheckList } from './CheckList';

const SENT = ['url', 'credential_kind', 'credential', 'kms_id', 'max_cvms', 'max_vcpu', 'max_memory_mb'];

/** Beside the form of a new teepod: what is typed is tried, before anything is kept. */
export function CheckNewTeepod() {
  const { getValues, trigger } = useFormContext<Record<string, unknown>>();
  const { mutate, data, error, isPending } = useFleetAction<AdminTeepodCheck>('/teepod-checks');
  const check = async () => {
    if (!(await trigger('url', { shouldFocus: true }))) return;
    const typed = Object.entries(getValues()).filter(
      ([key, value]) => SENT.includes(key) && value !== null && value !== undefined && value !== '',
    );
    mutate({ action: '', body: Object.fromEntries(typed) });
  };
  return (
    <Panel
      title="Check"
      subtitle="Asks the host at this address, with this credential, about everything that matters. Nothing is kept."
      actions={
        <Button
          variant="outlined"
          color="inherit"
          disabled={isPending}
          startIcon={isPending ? <Spinner /> : undefined}
          onClick={() => void check()}
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
