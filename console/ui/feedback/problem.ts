/** An error as plain data: the shape of every error on screen, whatever its source. */
export interface Problem {
  /** What failed, from the user's point of view: "Couldn’t deploy the app". */
  title: string;
  /** The reason; empty if `log` contains it. */
  message: string;
  code?: string;
  request_id?: string;
  /** Errors by field, for invalid input. */
  details?: { field: string; message: string }[];
  /** What to do, most useful first. */
  suggestions?: Suggestion[];
  retry?: () => void;
  /** Whether the form's fields already show all of it. */
  isAtField?: boolean;
  /** Output of the failed program. */
  log?: { line: string; whole: string };
}

export type Suggestion = string | { label: string; href: string };

/** The visible part of an error box; the rest is collapsed. */
export interface ProblemSummary {
  message: string | null;
  details: { field: string; message: string }[];
  /** What to do, as text. */
  advice: string | null;
  /** A link to do it, unless a retry is offered. */
  link: { label: string; href: string } | null;
  more: Suggestion[];
}

/** Removes repetitions, and picks one piece of advice and one action. */
export function summarize({
  title,
  message,
  details = [],
  suggestions = [],
  retry,
  isAtField = false,
}: Problem): ProblemSummary {
  const said = [normalize(title)];
  const isNew = (text: string) => {
    const key = normalize(text);
    if (key === '' || said.some((earlier) => earlier.includes(key))) return false;
    said.push(key);
    return true;
  };
  // The count of invalid values adds nothing if there is only one.
  const counts = details.length === 1 && message === 'One value is invalid.';
  const isNewMessage = isNew(message);
  const newDetails = details.filter((detail) => isNew(detail.message));
  const shownMessage = isAtField ? 'Correct the marked fields.' : !counts && isNewMessage ? message : null;
  const shownDetails = isAtField ? [] : newDetails;
  const fresh = suggestions.filter((one) => isNew(textOf(one)));
  const advice = fresh.find((one) => typeof one === 'string') ?? null;
  const link = retry ? null : (fresh.find((one) => typeof one !== 'string') ?? null);
  return {
    message: shownMessage,
    details: shownDetails,
    advice,
    link,
    more: fresh.filter((one) => one !== advice && one !== link),
  };
}

const textOf = (one: Suggestion): string => (typeof one === 'string' ? one : one.label);

const normalize = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the server's message for one form field, if any. `field` may be a dotted path. */
export function fieldProblem(problem: Problem | null | undefined, field: string): string | undefined {
  return problem?.details?.find((detail) => detail.field === field)?.message;
}

/**
 * Marks a problem whose every detail is shown at a field of the form, so that its box needn't repeat them.
 * @param fields names of the fields that show their own, as passed to `fieldProblem`
 */
export function atFields<P extends Problem>(problem: P, fields: readonly string[]): P {
  const { details = [] } = problem;
  // A detail with only the rejected value explains nothing at its field.
  const isShown =
    details.length > 0 && details.every((one) => fields.includes(one.field) && /\s/.test(one.message));
  return isShown ? { ...problem, isAtField: true } : problem;
}

/** Returns the text for "Copy": everything support needs, and nothing else. */
export function problemText(problem: Problem): string {
  return [
    problem.title,
    problem.message,
    problem.log?.whole,
    ...(problem.details ?? []).map((detail) => `${detail.field}: ${detail.message}`),
    problem.code === undefined ? undefined : `Code: ${problem.code}`,
    problem.request_id === undefined ? undefined : `Request: ${problem.request_id}`,
  ]
    .filter((line) => line !== undefined && line !== '')
    .join('\n');
}
