import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { isOnItsWay } from './queries';
import { STATES } from './words';

export function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  if (isOnItsWay(delivery))
    return (
      <ToneChip quiet tone="progress" glyph="spinner">
        On its way
      </ToneChip>
    );
  const { word, ...look } = STATES[delivery.state];
  return (
    <ToneChip quiet {...look}>
      {word}
    </ToneChip>
  );
}
