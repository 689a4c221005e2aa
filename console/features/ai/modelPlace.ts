import type { AiModel } from '../../../generated/api/types.gen';
import type { StatusInfo } from '../../ui/feedback/status';

/** Returns where a platform model runs, as far as it is verified: its model server may be anywhere. */
export function modelPlace({
  is_in_tee,
  is_built_in,
}: Pick<AiModel, 'is_in_tee' | 'is_built_in'>): StatusInfo {
  if (is_in_tee) return { tone: 'ok', glyph: 'shield', word: 'A TEE' };
  return is_built_in
    ? { tone: 'simulated', glyph: 'hatch', word: 'This server, no TEE' }
    : { tone: 'neutral', glyph: 'question', word: 'A model server, no verified TEE' };
}
