/** What went wrong, as plain data: the shape of every error on screen, wherever it arose. */
export interface Problem {
  /** What failed, from the user's point of view: "Couldn’t deploy the app". */
  title: string;
  /** Why; empty if `log` says it. */
  message: string;
  code?: string;
  request_id?: string;
  /** Field by field, when the input was at fault. */
  details?: { field: string; message: string }[];
  /** What to do, most useful first. */
  suggestions?: Suggestion[];
  retry?: () => void;
  /** Whether the fields of the form show all of it. */
  isAtField?: boolean;
  /** Output of the program that failed. */
  log?: { line: string; whole: string };
}

export type Suggestion = string | { label: string; href: string };

/** What an error box shows at a glance; the rest is folded. */
export interface ProblemSummary {
  message: string | null;
  details: { field: string; message: string }[];
  /** What to do, in words. */
  advice: string | null;
  /** Where to do it, unless trying again is offered. */
  link: { label: string; href: string } | null;
  more: Suggestion[];
}

/** Leaves out what the box has already said, and picks one piece of advice and one action. */
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
  // A count of invalid values adds nothing to a single one.
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

/** The message for one field of a form, if the server had one. `field` may be a dotted path. */
export function fieldProblem(problem: Problem | null | undefined, field: string): string | undefined {
  return problem?.details?.find((detail) => detail.field === field)?.message;
}

/** What "Copy" puts on the clipboard: all that support needs, and nothing else. */
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
