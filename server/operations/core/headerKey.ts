import { isHeaderText } from '../../../console/lib/mcp/headerText';
import { invalid } from './invalid';

/** @throws VALIDATION_FAILED for a key that a header can't carry, as with a line break copied along */
export function checkHeaderKey(key: string, field: string): void {
  if (!isHeaderText(key)) throw invalid(field, 'A key can’t contain line breaks or special characters.');
}
