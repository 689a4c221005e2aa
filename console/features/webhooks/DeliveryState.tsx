import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { isInFlight } from './queries';
import { STATES } from './texts';

export function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  if (isInFlight(delivery))
    return (
      <ToneChip quiet tone="progress" glyph="spinner">
        Sending
      </ToneChip>
    );
  const { word, ...look } = STATES[delivery.state];
  return (
    <ToneChip quiet {...look}>
      {word}
    </ToneChip>
  );
}
