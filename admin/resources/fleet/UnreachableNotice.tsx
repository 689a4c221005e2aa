import { Notice } from '../../../console/ui/feedback/Notice';

/** Shown above data that is incomplete because its host is unreachable. */
export function UnreachableNotice({
  answer,
}: {
  answer: { answered: boolean; error: string | null } | undefined;
}) {
  if (!answer || answer.answered) return null;
  return (
    <Notice tone="error" title="Host unreachable">
      {answer.error}
    </Notice>
  );
}
