import { Problem } from '../../domain/core/problem';

/** Returns the error of one field, in the form that forms read. The message is a sentence of its own. */
export const invalid = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message, details: [{ field, message }] });

/** The same for a message that doesn't say which field it is about: the error's own message names it. */
export const invalidField = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message: `${field}: ${message}`, details: [{ field, message }] });
