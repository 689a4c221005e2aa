import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { visibleText } from '../../../console/lib/public/visibleText';

/** Returns what a contract or an RPC says, which may be of any length, and have characters that PostgreSQL can't store. */
export const chainText = (text: string, max_length: number): string =>
  visibleText(cutWhole(text, max_length));
