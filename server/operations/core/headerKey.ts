import { invalid } from './invalid';

/** @throws VALIDATION_FAILED for a key that a header can't carry, as with a line break copied along */
export function checkHeaderKey(key: string, field: string): void {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key))
    throw invalid(field, 'A key can’t contain line breaks or special characters.');
}
