import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { emptyForm } from '../features/apps/deploy/form';
import { useDeployForm } from '../features/apps/deploy/useDeployForm';
import type { Start, StartSecret } from '../features/apps/launch/search';
import { useReplaceDraft } from '../features/apps/launch/useReplaceDraft';
import { deployPath } from '../lib/paths';
import { newRow, type SecretRow } from '../ui/forms/secrets';

const rowOf = ({ key, value, generated = false }: StartSecret): SecretRow => ({
  ...newRow(key, value),
  ...(generated && { generated: value }),
});

/** Opens the deploy form with values from a launch option. Asks in `dialog` before replacing a draft. */
export function useStart(teamSlug: string): { onStart: (start: Start) => void; dialog: ReactNode } {
  const [form, change] = useDeployForm(teamSlug);
  const navigate = useNavigate();
  const { start, dialog } = useReplaceDraft({
    hasDraft: form.compose.trim() !== '' || form.secrets.some(({ value }) => value !== ''),
    onStart: ({ secrets = [], ...start }) => {
      change({ ...emptyForm, ...start, secrets: secrets.map(rowOf) });
      void navigate({ href: deployPath(teamSlug) });
    },
  });
  return { onStart: start, dialog };
}
