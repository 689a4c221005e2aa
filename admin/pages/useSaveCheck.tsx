import { useState, type ReactNode } from 'react';
import { useSaveContext } from 'react-admin';
import { ownValue } from '../../console/lib/ownValue';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { statusOf } from '../http';
import type { AdminRecord } from '../record';
import { saveChecks, type SaveCheck } from '../resources';
import type { ResourceDescription } from '../schema/types';

type Values = Record<string, unknown>;
type Failed = Awaited<ReturnType<SaveCheck>>;

interface Question {
  failed: Failed;
  answer: (confirmed: boolean) => void;
}

/** Marks the form as not saved after the user canceled; react-hook-form clears it on the next submit. */
export const NOT_SAVED = { root: 'Not saved' };

interface Checked {
  /** For react-admin's Form; undefined if the resource has no check. */
  onSubmit?: (values: Values) => Promise<unknown>;
  checking: boolean;
  dialog: ReactNode;
}

/** Checks a record before it is saved and asks for confirmation if a check fails. */
export function useSaveCheck(resource: ResourceDescription, record?: AdminRecord): Checked {
  const { save } = useSaveContext();
  const [checking, setChecking] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const load = ownValue(saveChecks, resource.name);
  if (load === undefined || save === undefined) return { checking: false, dialog: null };
  const onSubmit = async (values: Values) => {
    setChecking(true);
    let failed: Failed;
    try {
      failed = await (await load())(values, record);
    } catch (error) {
      // Invalid values are reported at their fields when the record is saved.
      failed = statusOf(error) === 400 || statusOf(error) === 422 ? [] : [UNCHECKED];
    }
    setChecking(false);
    if (failed.length > 0 && !(await new Promise<boolean>((answer) => setQuestion({ failed, answer }))))
      return NOT_SAVED;
    return save(values);
  };
  const close = (confirmed: boolean) => {
    question?.answer(confirmed);
    setQuestion(null);
  };
  return {
    onSubmit,
    checking,
    dialog: (
      <ConfirmDialog
        open={question !== null}
        title={`Save ${resource.singular} even though the check failed?`}
        effects={question?.failed.map(({ title, found }) => `${title}: ${found}`) ?? []}
        confirmLabel="Save anyway"
        pending={false}
        problem={null}
        onConfirm={() => close(true)}
        onClose={() => close(false)}
      >
        No CVM can start on it until these problems are fixed.
      </ConfirmDialog>
    ),
  };
}

const UNCHECKED: Failed[number] = { title: 'Check', found: 'The check couldn’t be completed.' };
