import { useFormContext } from 'react-hook-form';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { useFleetAction } from './api';
import { CheckPanel } from './CheckPanel';
import { checkBody } from './saveCheck';

/** Checks the host entered in the create form before it is added. */
export function CheckNewTeepod() {
  const { getValues, trigger } = useFormContext<Record<string, unknown>>();
  const check = useFleetAction<AdminTeepodCheck>('/teepod-checks');
  const send = async () => {
    // A result for the previous address must not stay under the new one.
    check.reset();
    if (!(await trigger('url', { shouldFocus: true }))) return;
    check.mutate({ action: '', body: checkBody(getValues()) });
  };
  return (
    <CheckPanel
      subtitle="Connects to the host with these settings and checks it. Nothing is saved."
      check={check}
      onCheck={() => void send()}
    />
  );
}
