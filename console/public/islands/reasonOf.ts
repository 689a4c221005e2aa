interface ProblemBody {
  message?: string;
  /** One per field, with the same words as `message` if it is the only one. */
  details?: unknown;
}

/** Returns why the server refused a small form, for the visitor: without the name that the field has in the API. */
export function reasonOf(status: number, body: unknown): string {
  if (status === 429) return 'Too many requests from your network. Try again in a minute.';
  const { message, details } = (body ?? {}) as ProblemBody;
  if (message === undefined) return `The server answered ${status}.`;
  const [issue, ...more] = Array.isArray(details) ? (details as { field?: unknown }[]) : [];
  if (typeof issue?.field !== 'string' || more.length > 0) return message;
  const prefix = `${issue.field.slice(issue.field.lastIndexOf('.') + 1)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}
