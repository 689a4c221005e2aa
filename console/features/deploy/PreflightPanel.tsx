import Button from '@mui/material/Button';
import type { Preflight } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';

interface Props {
  preflight: Preflight | undefined;
  error: unknown;
  /** What to offer when the server names no smaller size. */
  fallback: string | null;
  onSize: (instance_type: string) => void;
  onAnywhere: (() => void) | undefined;
}

const LIMITS = { quota: 'Your team’s quota does not allow it.', capacity: 'No host has room for it now.' };

/** Whether it would fit now; when not, which of the two limits it is and the nearest way on. */
export function PreflightPanel({ preflight, error, fallback, onSize, onAnywhere }: Props) {
  if (error) {
    const problem = problemOf(error, 'The server would refuse this');
    return problem && <ErrorNotice problem={problem} />;
  }
  if (!preflight) return null;
  const { refusal, teepod_name } = preflight;
  if (refusal === null)
    return (
      <Notice tone="ok">
        It fits{teepod_name === null ? '' : ` on ${teepod_name}`} now. Nothing is reserved before you deploy.
      </Notice>
    );
  const smaller = refusal.next_smaller ?? (refusal.limit === 'capacity' ? fallback : null);
  return (
    <Notice
      tone="attention"
      title={LIMITS[refusal.limit]}
      action={
        smaller !== null ? (
          <Button size="small" style={{ flex: 'none' }} onClick={() => onSize(smaller)}>
            Use {smaller}
          </Button>
        ) : (
          onAnywhere && (
            <Button size="small" style={{ flex: 'none' }} onClick={onAnywhere}>
              Look on all hosts
            </Button>
          )
        )
      }
    >
      {refusal.reason}{' '}
      {smaller === null ? 'No instance type fits now.' : `${smaller} is the largest instance type that fits.`}
    </Notice>
  );
}
