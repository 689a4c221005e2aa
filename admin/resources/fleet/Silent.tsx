import { Notice } from '../../../console/ui/feedback/Notice';

/** Said above a table that a silent host leaves incomplete. */
export function Silent({ answer }: { answer: { answered: boolean; error: string | null } | undefined }) {
  if (!answer || answer.answered) return null;
  return (
    <Notice tone="error" title="The host does not answer">
      {answer.error}
    </Notice>
  );
}
