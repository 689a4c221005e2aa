import { useFormContext } from 'react-hook-form';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { useFleetAction } from './api';
import { CheckPanel } from './CheckPanel';

const SENT = ['url', 'credential_kind', 'credential', 'kms_id', 'max_cvms', 'max_vcpu', 'max_memory_mb'];

/** Beside the form of a new teepod: what is typed is tried, before anything is kept. */
export function CheckNewTeepod() {
  const { getValues, trigger } = useFormContext<Record<string, unknown>>();
  const check = useFleetAction<AdminTeepodCheck>('/teepod-checks');
  const send = async () => {
    if (!(await trigger('url', { shouldFocus: true }))) return;
    const typed = Object.entries(getValues()).filter(
      ([key, value]) => SENT.includes(key) && value !== null && value !== undefined && value !== '',
    );
    check.mutate({ action: '', body: Object.fromEntries(typed) });
  };
  return (
    <CheckPanel
      subtitle="Asks the host at this address, with this credential, about everything that matters. Nothing is kept."
      check={check}
      onCheck={() => void send()}
    />
  );
}
