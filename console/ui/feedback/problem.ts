/** What went wrong, as plain data: the shape every error on screen comes in, wherever it arose. */
export interface Problem {
  /** What failed, in the person's words: "The app was not deployed". */
  title: string;
  /** Why. */
  message: string;
  code?: string;
  request_id?: string;
  /** Field by field, when the input was at fault. */
  details?: { field: string; message: string }[];
  /** What to do, most useful first. */
  suggestions?: (string | { label: string; href: string })[];
  retry?: () => void;
}

/** The message for one field of a form, if the server had one. `field` may be a dotted path. */
export function fieldProblem(problem: Problem | null | undefined, field: string): string | undefined {
  return problem?.details?.find((detail) => detail.field === field)?.message;
}

/** What "Copy" puts on the clipboard: all that support needs, and nothing else. */
export function problemText(problem: Problem): string {
  return [
    problem.title,
    problem.message,
    ...(problem.details ?? []).map((detail) => `${detail.field}: ${detail.message}`),
    problem.code === undefined ? undefined : `Code: ${problem.code}`,
    problem.request_id === undefined ? undefined : `Request: ${problem.request_id}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}
