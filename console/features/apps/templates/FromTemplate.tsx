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
      title={`Based on the ${name} template, version ${version}.`}
      {...(onForget
        ? {
            action: (
              <Button size="small" style={{ flex: 'none' }} onClick={onForget}>
                Unlink
              </Button>
            ),
          }
        : {})}
    >
      {error ?? 'The app’s page will show the template and tell you when a newer version is available.'}
    </Notice>
  );
}
