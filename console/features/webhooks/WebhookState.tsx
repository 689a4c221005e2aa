import type { Webhook } from '../../../generated/api/types.gen';
import { ToneChip } from '../../ui/feedback/StatusChip';

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason, failing_since } = webhook;
  if (!enabled)
    return disabled_reason === 'failures' ? (
      <ToneChip quiet tone="error" glyph="cross" title="Switched off after failing for days">
        Switched off
      </ToneChip>
    ) : (
      <ToneChip quiet tone="neutral" glyph="stopped">
        Off
      </ToneChip>
    );
  if (failing_since !== null)
    return (
      <ToneChip quiet tone="attention" glyph="warning" title="Deliveries fail">
        Failing
      </ToneChip>
    );
  return (
    <ToneChip quiet tone="ok" glyph="check">
      On
    </ToneChip>
  );
}
