import { textFault } from '../../domain/core/visibleText';
import { invalid } from './invalid';

/** @throws VALIDATION_FAILED if a text is unreadable or contains characters that reorder it */
export function checkText(text: string, field: string): void {
  const fault = textFault(text);
  if (fault !== null) throw invalid(field, fault);
}

/** Checks the body's texts that other users read. The schema handles absent and empty ones. @throws as `checkText` */
export function checkTexts<Body extends object>(body: Body, fields: readonly (keyof Body & string)[]): void {
  const texts = new Map<string, unknown>(Object.entries(body));
  for (const field of fields) {
    const text = texts.get(field);
    if (typeof text === 'string' && text !== '') checkText(text, field);
  }
}
