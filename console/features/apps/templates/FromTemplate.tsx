import { Button } from '../../../ui/controls/Button';
import { Notice } from '../../../ui/feedback/Notice';

interface Props {
  name: string;
  version: string;
  error: string | undefined;
  /** Absent if read-only. */
  onForget: (() => void) | undefined;
}

/** Names the template that filled the deploy form. */
export function FromTemplate({ name, version, error, onForget }: Props) {
  return (
    <Notice
      tone={error === undefined ? 'neutral' : 'attention'}
      title={`From the template ${name}, version ${version}.`}
      {...(onForget
        ? {
            action: (
              <Button size="small" style={{ flex: 'none' }} onClick={onForget}>
                Forget
              </Button>
            ),
          }
        : {})}
    >
      {error ?? 'The app’s page shows it, and says when a newer version is available.'}
    </Notice>
  );
}
