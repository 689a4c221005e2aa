import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { visibleText } from '../../../console/lib/public/visibleText';

/**
 * Sanitizes text from a contract or an RPC, which may have any length and characters that PostgreSQL can't
 * store.
 */
export const chainText = (text: string, max_length: number): string =>
  visibleText(cutWhole(text, max_length));
