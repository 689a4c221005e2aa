import type { Webhook } from '../../../generated/api/types.gen';
import { ToneChip } from '../../ui/feedback/ToneChip';

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason, failing_since } = webhook;
  if (!enabled)
    return disabled_reason === 'failures' ? (
      <ToneChip quiet tone="error" glyph="cross" title="Disabled after three days of failed deliveries">
        Disabled
      </ToneChip>
    ) : (
      <ToneChip quiet tone="neutral" glyph="stopped">
        Disabled
      </ToneChip>
    );
  if (failing_since !== null)
    return (
      <ToneChip quiet tone="attention" glyph="warning" title="Deliveries are failing">
        Failing
      </ToneChip>
    );
  return (
    <ToneChip quiet tone="ok" glyph="check">
      Enabled
    </ToneChip>
  );
}
