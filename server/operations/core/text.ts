import { textFault } from '../../domain/core/visibleText';
import { invalid } from './admin/change';

/** @throws VALIDATION_FAILED if nobody could read a text, or it would be shown in another order */
export function checkText(text: string, field: string): void {
  const fault = textFault(text);
  if (fault !== null) throw invalid(field, fault);
}
