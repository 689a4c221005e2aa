import { useNavigate } from '@tanstack/react-router';
import { emptyForm } from '../features/deploy/form';
import { useDeployForm } from '../features/deploy/useDeployForm';
import type { Start } from '../features/launch/search';
import { deployPath } from '../lib/paths';
import { newRow } from '../ui/forms/secrets';

/** Begins a deployment with what a way of launching knows already. */
export function useStart(teamSlug: string): { onStart: (start: Start) => void; hasDraft: boolean } {
  const [form, change] = useDeployForm(teamSlug);
  const navigate = useNavigate();
  return {
    hasDraft: form.compose.trim() !== '' || form.secrets.some(({ value }) => value !== ''),
    onStart: ({ secrets = [], ...start }) => {
      change({ ...emptyForm, ...start, secrets: secrets.map(({ key, value }) => newRow(key, value)) });
      void navigate({ href: deployPath(teamSlug) });
    },
  };
}
